"""The leaderboard: every model on every metric, with intervals."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from truerank.artefacts.files import read_arrays
from truerank.models._core.calibration import gives_ratings
from truerank.models._core.left_out import why_left_out
from truerank.registry import METRICS, Definition
from truerank.report.block import Block, Blocks, Folded, Prose
from truerank.report.data import percent
from truerank.report.far_worse import edge_of, far_worse
from truerank.report.figure import Figure
from truerank.report.grouped import ALPHA, letters
from truerank.report.parts import each_part, table_name
from truerank.report.short_names import short_names
from truerank.report.study import Headline, OpenStudy, Part
from truerank.report.table import Column, Table
from truerank.report.theme import panel

DIGITS = 4
PANELS = 6
ROOMY = 14  # models from which on rows are lower
INTERVAL = "95\u00a0%\u00a0interval"
UNDEFINED = {"zero": "count as zero, or are left out where less is better", "drop": "are left out"}


def leaderboard(study: OpenStudy) -> Block:
    """Every model on one metric of each kind with intervals and groups, best first; the other metrics on demand."""

    def of_part(part: Part) -> Block:
        shown = part.one_of_each_kind(part.verdicts)
        rest = [headline for headline in part.headlines if headline not in shown]
        name = table_name(part, "leaderboard")
        blocks = [interval_plot(part), standings_table(part, name, shown)]
        if rest:
            folded = standings_table(part, f"{name}_others", rest)
            blocks.append(Folded(f"The other {len(rest)} metrics: variants, predictions, diversity, coverage", folded))
        notes = [*group_sentences(part), undefined_sentence(part), *absent_sentences(part), *unknown_sentences(part)]
        return Blocks(*blocks, Folded("Notes: groups, undefined users, absent metrics", Prose(*notes)))

    return each_part(study, of_part)


def standings_table(part: Part, table: str, headlines: Sequence[Headline]) -> Table:
    """Models as rows, metrics as columns; the letters are of the first metric's groups."""
    cells: dict[str, Any] = {"model": part.models}
    columns = [Column("model")]
    first = f"{headlines[0][0]}@{headlines[0][1]}"
    groups = letters(part, *headlines[0])
    for metric, k in headlines:
        name = f"{metric}@{k}"
        low, high = f"{name} low", f"{name} high"
        rows = part.standings(metric, k).set_index("model").reindex(part.models)
        cells |= zip((name, low, high), rows[["value", "ci_low", "ci_high"]].to_numpy().T, strict=True)
        label = name if part.higher_is_better(metric) else f"{name} (less is better)"
        columns.append(Column(name, label, DIGITS, low, high))
        if groups and name == first:
            cells["group"] = [groups.get(model) for model in part.models]
            columns.append(Column("group", f"group by {name}"))
    metric, k = part.headlines[0]
    direction = "descending" if part.higher_is_better(metric) else "ascending"
    caption = f"Models, best {metric}@{k} first; under each value its {INTERVAL} over users"
    return Table(table, pd.DataFrame(cells), caption, columns, (f"{metric}@{k}", direction))


def group_sentences(part: Part) -> Iterator[str]:
    """What the letters mean, where there are any."""
    metric, k = part.headlines[0]
    if letters(part, metric, k):
        yield (
            f"Models that share a letter are not significantly different by {metric}@{k}: a paired test, adjusted for "
            f"all pairs after Holm, gives {ALPHA} or more. Those that share none are."
        )


def undefined_sentence(part: Part) -> str:
    """How many users each metric cannot score, and what becomes of them."""
    counts = part.summary.groupby("metric", sort=False)["undefined"].max().dropna().astype(int)
    some = counts[counts > 0]
    if some.empty:
        return "Every metric is defined for every test user."
    policy = UNDEFINED.get(part.study.config.get("undefined_users", ""), "are treated as the configuration says")
    listed = "; ".join(f"{n:,} for {', '.join(metrics)}" for n, metrics in some.groupby(some).groups.items())
    return f"Users for whom a metric is undefined {policy}: {listed}."


def unknown_sentences(part: Part) -> Iterator[str]:
    """How many rows of each file of recommendations have an item, or a user, that the dataset does not have."""
    defined = part.study.config.get("models", {})
    for model in (model for model in part.models if defined.get(model, {}).get("kind") == "run"):
        path = part.study.results / "models" / part.study.dataset / part.split / model / "model.npz"
        found = read_arrays(path)
        misses = len(found["unknown_item"])
        rows = len(found["item"]) + misses
        if misses:
            yield (
                f"{misses:,} of {rows:,} items that {model} recommends ({percent(misses / rows)}) are not in the "
                "dataset: each keeps its position as a miss."
            )
        if found["left_out"]:
            yield f"{found['left_out']:,} rows of {model} have a user who is not in the dataset; they are left out."


def absent_sentences(part: Part) -> Iterator[str]:
    """Which of the selected models the dataset cannot have, which metrics the others lack, and why."""
    reasons: dict[str, tuple[dict[str, bool], dict[str, bool]]] = {}
    present = set(zip(part.summary["model"], part.summary["metric"], strict=True))
    config = part.study.config
    source = config["datasets"].get(part.study.dataset)
    left_out = {model: source and why_left_out(config["models"][model], source) for model in part.selected["models"]}
    for reason in filter(None, dict.fromkeys(left_out.values())):
        without = [model for model, found in left_out.items() if found == reason]
        yield f"Not on this dataset: {', '.join(without)}. The reason for each: {reason}."
    for model in (model for model, reason in left_out.items() if not reason):
        for metric in part.selected["metrics"]:
            if (model, metric) not in present:
                reason = why_absent(config["models"][model], part.definition(metric))
                models, metrics = reasons.setdefault(reason, ({}, {}))
                models[model] = metrics[metric] = True
    for reason, (models, metrics) in reasons.items():
        yield f"Absent for {', '.join(models)}: {', '.join(metrics)}. The reason: {reason}."


def why_absent(model: Definition, metric: Definition) -> str:
    """Say why a model lacks a metric; both are definitions as in the config."""
    needs = METRICS.of(metric).facts.needs
    if needs == "values":
        return "a metric that it is computed from is absent"
    if needs == "lists":
        return "the data has no attributes of items"
    if "calibration" in model or gives_ratings(model):
        return "the data has no ratings to compare predictions with, or to learn them from"
    return "a score that only orders items is not a rating; `calibration` in the model's definition turns it into one"


def interval_plot(part: Part) -> Figure:
    """One metric of each kind for every model with its interval and groups, models in the same order in every panel."""
    shown = part.one_of_each_kind(part.verdicts)[:PANELS]
    names, n_far, panels = short_names(part.models), 0, {}
    pitch, size = (0.24, 9) if len(names) <= ROOMY else (0.15, 7.5)
    for metric, k in shown:
        rows = part.standings(metric, k).set_index("model")
        groups = letters(part, metric, k)
        far = far_worse(rows["value"], part.higher_is_better(metric))
        edge = edge_of(rows[~far], part.higher_is_better(metric))
        n_far += int(far.sum())
        with panel(f"{metric}@{k}", f"{metric}@{k}, mean over users", height=0.9 + pitch * len(names)) as axes:
            for place, (model, look) in enumerate(part.styles.items()):
                if model not in rows.index:
                    continue
                if far[model]:
                    arrow = "← {:.3f}" if part.higher_is_better(metric) else "{:.3f} →"
                    side = "left" if part.higher_is_better(metric) else "right"
                    axes.text(edge, place, arrow.format(rows.at[model, "value"]), va="center", ha=side, fontsize=size)
                else:
                    axes.plot(rows.loc[model, ["ci_low", "ci_high"]], [place, place], color=look.colour)
                    axes.plot(rows.at[model, "value"], place, look.marker or "o", color=look.colour)
                beside = axes.get_yaxis_transform()
                axes.text(1.01, place, groups.get(model, ""), transform=beside, va="center", fontsize=7)
            axes.set_yticks(range(len(names)), list(names.values()), fontsize=size)
            axes.set_ylim(len(part.models) - 0.4, -0.6)
            axes.grid(axis="y", visible=False)
            axes.locator_params(axis="x", nbins=5 if len(names) <= ROOMY else 4)
        panels[f"Points with bars: {metric}@{k} of each model and its interval"] = axes
    caption = (
        f"A point is a mean over users, the bar its {INTERVAL}; models are in the same order in every panel. Models "
        "with a letter in common do not differ significantly by that panel’s metric."
    )
    if n_far:
        caption += " Values with an arrow are far beyond the axis."
    return Figure(table_name(part, "intervals"), panels, caption)
