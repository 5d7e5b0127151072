"""Would another split, or another training, have said the same? The study once more with other seeds."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from markupsafe import Markup

from truerank.config.replicates import settings_of
from truerank.report.block import Block, Blocks, Prose, bold, named
from truerank.report.data import percent
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table

DIGITS = 4
ENOUGH = 10  # replicates of a kind, for their variance to be known within about a half
SOURCES = ("users", "split", "training")
ONE = Markup(
    "The study was run on one split, with one training of each model, so there is nothing to compare: how far another "
    "would move the numbers was not measured. <code>replicates: {splits: 3}</code> in the ranking part of the config "
    "measures it."
)


def replicates(study: OpenStudy) -> Block:
    """Who leads in every replicate, and what share of the variance users, split and training have."""
    part = next((part for part in study.parts if part.name == "ranking"), None)
    if part is None or not study.selection.replicates:
        return Prose(ONE if part else "Replicates do not apply: the study has no ranking part.")
    metric, k = part.headlines[0]
    values, variance = (of_metric(part.meta(name), metric, k) for name in ("replicates", "replicate_variance"))
    if values.empty:
        return Prose(f"Replicates do not apply to {metric}@{k}: it is not a metric of the ranking.")
    return Blocks(Prose(Markup(" ").join(sentences(part, values, variance))), table(values, variance, f"{metric}@{k}"))


def of_metric(frame: pd.DataFrame, metric: str, k: str) -> pd.DataFrame:
    return frame[(frame["metric"] == metric) & (frame["k"] == k)].reset_index(drop=True)


def sentences(part: Part, values: pd.DataFrame, variance: pd.DataFrame) -> Iterator[str]:
    """How many replicates there are, who leads in how many, and what moves the lead."""
    metric, k = part.headlines[0]
    asked = settings_of(part.selected)
    higher = part.higher_is_better(metric)
    wide = values.pivot(index=["split_seed", "training_seed"], columns="model", values="value")
    first = wide.idxmax(axis=1) if higher else wide.idxmin(axis=1)
    yield f"{asked['splits']} splits with {asked['training']} training(s) of each model: {len(wide)} runs in all."
    leader, leaders = first.iloc[0], first.value_counts()
    if len(leaders) == 1:
        yield Markup("{} leads by {} in all of them.").format(bold(leader), f"{metric}@{k}")
    else:
        others = Markup(", ").join(Markup("{} in {}").format(bold(name), n) for name, n in leaders.items())
        yield Markup("The leader changes: by {}, {}. Do not call one of {} the best.").format(
            f"{metric}@{k}", others, named(list(leaders.index))
        )
    leads = variance[variance["against"].notna() & (variance["model"] == leader)]
    if len(leads):
        closest = leads.loc[leads["value"].abs().idxmin()]
        error = np.sqrt(np.nansum([closest[name] for name in SOURCES]))
        yield Markup("Its lead over {} is {} on average, with a standard error of {} over {}.").format(
            bold(closest["against"]), f"{closest['value']:.{DIGITS}f}", f"{error:.{DIGITS}f}", known(closest)
        )
    if 1 < min(n for n in asked.values() if n > 1) < ENOUGH:
        yield "With so few replicates these shares are rough: a variance of three values is very uncertain."


def known(row: pd.Series) -> str:
    """Which sources of variance a row has, with the share of each."""
    total = np.nansum([row[name] for name in SOURCES])
    shares = [f"{name} ({percent(row[name] / total) if total else '0 %'})" for name in SOURCES if pd.notna(row[name])]
    *others, last = shares
    return f"{', '.join(others)} and {last}" if others else last


def table(values: pd.DataFrame, variance: pd.DataFrame, name: str) -> Table:
    """Per model, its values over replicates, and the share of the variance of one run that each source has."""
    spread = values.groupby("model", sort=False)["value"].agg(["mean", "min", "max"])
    own = variance[variance["against"].isna()].set_index("model")
    total = own[list(SOURCES)].sum(axis=1)
    frame = spread.assign(error=np.sqrt(total))
    for source in SOURCES:
        frame[source] = own[source] / total.where(total > 0)
    frame = frame.sort_values("mean", ascending=False).reset_index()
    columns = [Column("model"), Column("mean", f"mean {name}", DIGITS, low="min", high="max")]
    columns += [Column("error", "standard error", DIGITS), *(Column(each, f"share: {each}", 2) for each in SOURCES)]
    caption = (
        f"{name} over all replicates, from the lowest to the highest; the standard error is that of one run, with the "
        "share of its variance that is other users like these, another split of their rows, another training. A source "
        "that was not replicated has no share, and is part of the one before it"
    )
    return Table("replicates", frame, caption, columns)
