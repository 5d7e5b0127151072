"""Tables of papers that compare datasets: discriminative power, migration and SDCSE, datasets as columns."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd
from markupsafe import Markup

from truerank.core.verdict_words import name
from truerank.report.block import Block, Blocks, Folded, Prose, bold, named
from truerank.report.data import percent
from truerank.report.index import Index
from truerank.report.study import ALL, as_number
from truerank.report.table import Column, Table, beside

DIGITS = 4


def metrics_on_trial(index: Index) -> Block:
    """Which metrics the verdict of each dataset names, what sampling would have done there, and what they share."""
    rows = []
    for study in index.studies:
        found, sampling = study.verdict["metrics"], study.verdict["sampling"]
        rows.append(
            {
                "dataset": study.dataset,
                "metric to report": found and name(found),
                "as good": found and f"{len(found['set'])} of {found['of']}",
                "in the set of resamples": found and percent(found["stability"]),
                "whole rankings": found and found["whole"] and name(found["whole"]),
                **{f"as robust to {bias}": f"{of['set']} of {of['of']}" for bias, of in biases(found).items() if of},
                "separated pairs": found and f"{found['separated']} of {found['pairs']}",
                "orders reversed by sampling": sampling and "{} of {}".format(*turned_round([sampling])),
                "estimator": sampling and sampling["estimator"]["name"],
            }
        )
    frame = pd.DataFrame(rows).dropna(axis="columns", how="all")
    if frame.shape[1] == 1:
        return Prose("This does not apply: with one model, or no part that ranks items, the metrics were not compared.")
    return Blocks(Prose(*agreed(index)), Table("verdicts", frame, "The verdict on each dataset"))


def biases(found: Mapping[str, Any] | None) -> dict[str, Any]:
    return found["robust"] if found else {}


def agreed(index: Index) -> Iterator[str]:
    """What the verdicts of all datasets have in common; nothing to say of one dataset."""
    if len(index.studies) < 2:
        return
    found = {study.dataset: study.verdict["metrics"] for study in index.studies if study.verdict["metrics"]}
    chosen = sorted({name(one) for one in found.values()})
    if len(chosen) == 1:
        yield Markup("{} is named on every dataset.").format(bold(*chosen))
    elif chosen:
        sets = [set(one["set"]) for one in found.values()]
        common = sorted(set.intersection(*sets))
        where = Markup("No one metric is named on every dataset: {}; ").format(Markup(", ").join(map(bold, chosen)))
        shared = (
            Markup("in the best set of all are {}.").format(named(common)) if common else "none is in all best sets."
        )
        yield where + shared
    turned, orders = turned_round(study.verdict["sampling"] for study in index.studies if study.verdict["sampling"])
    if orders:
        share = percent(turned / orders)
        yield f"Over all datasets, sampling would have reversed {turned} of {orders} orders ({share})."


def turned_round(verdicts: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """Return how many orders sampling would have reversed, and of how many, over all verdicts and samplers."""
    counts = [one for found in verdicts for one in found["samplers"].values()]
    return sum(one["reversed"] for one in counts), sum(one["orders"] for one in counts)


def power_across(index: Index) -> Block:
    """DP by metric and dataset, as in Table 3 of Valcarce et al. 2018 and Table 1 of Aftab & Ramampiaro 2022."""
    parts = {dataset: part for dataset, part in index.rankings.items() if len(part.models) > 1}
    if not parts:
        return Prose("This does not apply: no dataset has two models to compare.")
    first = next(iter(parts.values()))
    names = beside(parts, "dataset", "metric", "k")
    tables = {
        names[dataset]: part.meta("discriminative_power").set_index(["metric", "k"])["dp"]
        for dataset, part in parts.items()
    }
    wide = pd.DataFrame(tables)
    place = {metric: number for number, metric in enumerate(first.metrics)}
    order = sorted(wide.index, key=lambda key: (place.get(key[0], len(place)), as_number(key[1])))
    frame = wide.reindex(order).rename_axis(["metric", "k"]).reset_index()
    columns = [Column("metric"), Column("k", "cut-off"), *(Column(dataset, digits=DIGITS) for dataset in tables)]
    kinds = {metric for metric, _ in first.one_of_each_kind(first.verdicts)}
    deepest = {
        metric: k for metric, k in order if metric in kinds and (k != ALL or list(first.metrics[metric]) == [ALL])
    }
    chosen = frame[[deepest.get(metric) == k for metric, k in zip(frame["metric"], frame["k"], strict=True)]]
    caption = "Discriminative power at the deepest cut-off: the sum of the p-values over all pairs, less is better"
    every = Table("power_every", frame, "Discriminative power of every metric at every cut-off", columns)
    return Blocks(Table("power", chosen, caption, columns), Folded("Every metric and cut-off", every))


def migration_across(index: Index) -> Block:
    """Up-sold plus down-sold by model and dataset, and SDCSE: Tables 2 and 3 of Aftab & Ramampiaro 2022."""
    moved, errors, sdcse = {}, {}, None
    for dataset, part in index.rankings.items():
        table = part.meta("migration")
        widest = table[table["level"] == "low_high"].set_index("model")
        if len(widest):
            moved[dataset] = widest["up_sold"] + widest["down_sold"]
        for metric, k in part.one_of_each_kind(part.headlines):
            if part.kind(metric) == "sdcse":
                sdcse, errors[dataset] = f"{metric}@{k}", part.standings(metric, k).set_index("model")["value"]
    blocks = []
    if moved:
        caption = "Share of items that predictions sell above or below their rating, less is better"
        blocks.append(by_model("migration", moved, caption))
    if errors:
        blocks.append(by_model("sdcse", errors, f"{sdcse}, the ranked error of predictions, less is better"))
    return Blocks(*blocks) if blocks else Prose("This does not apply: no model of this study predicts ratings.")


def by_model(table: str, values: Mapping[str, pd.Series], caption: str) -> Table:
    names = beside(values, "dataset", "model")
    frame = pd.DataFrame(values).rename(columns=names).rename_axis("model").reset_index()
    columns = [Column("model"), *(Column(dataset, digits=DIGITS) for dataset in names.values())]
    return Table(table, frame, caption, columns)
