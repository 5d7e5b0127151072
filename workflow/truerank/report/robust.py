"""How well each metric keeps the order of models when judgements are missing (Valcarce et al. 2018, Fig. 2 to 7)."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes

from truerank.report.block import Block, Blocks, Folded, Prose
from truerank.report.figure import Figure
from truerank.report.metric_names import written
from truerank.report.power import ONE_MODEL, Line, looks_of
from truerank.report.study import OpenStudy
from truerank.report.table import Column, Table
from truerank.report.theme import WIDE, Style, line_style, panel

KEPT = {"sparsity": "test ratings kept, at random (%)", "popularity": "training items kept, least popular first (%)"}
LEAST_RANGE = 0.8


def robustness(study: OpenStudy) -> Block:
    """Tau between the order on the whole test set and on thinned ones: curves per bias, and a table of every mean."""
    part = next((part for part in study.parts if part.name == "ranking"), None)
    if part is None:
        return Prose("This does not apply: the study has no ranking part.")
    if len(part.models) == 1:
        return Prose(ONE_MODEL)
    swept = part.meta("robustness")
    means = mean_taus(swept)
    present = set(swept["metric"].unique())
    shown = [(m, k) for m, k in part.one_of_each_kind(part.headlines) if m in present]
    if not shown:
        return Prose("This does not apply: the study has no metric of rankings.")
    first = shown[0][0]
    sets = {"metrics": [(f"{m}@{k}", m, k) for m, k in shown]}
    if len(part.metrics[first]) > 1:
        sets[f"cut-offs of {written(first)}"] = [(f"@{k}", first, k) for k in part.metrics[first]]
    figures = [curves(what, lines, means) for what, lines in sets.items()]
    drawn = {(metric, k) for lines in sets.values() for _, metric, k in lines}
    chosen = means[[(metric, k) in drawn for _, metric, k, _ in means.index]]
    figure, *others = figures
    folded = [Folded("The same at each cut-off", *others)] if others else []
    return Blocks(
        figure, *folded, Prose(undefined_sentence(means)), Folded("Every mean that is drawn", mean_table(chosen))
    )


def curves(what: str, lines: Sequence[Line], means: pd.DataFrame) -> Figure:
    """One panel per bias, one line per metric or cut-off; the band is one standard deviation of the first's samples."""
    looks = looks_of(lines)
    panels = {}
    for bias in means.index.unique("bias"):
        axes = bias_panel(f"{bias.capitalize()}, {what}", bias, lines, means, looks)
        panels[f"Lines: tau with the full order against what is kept of the test set, {what}, {bias}"] = axes
    caption = (
        "A metric that stays at 1 keeps the order of the models, even with few judgements; "
        f"the band is one standard deviation of {lines[0][0]} over the random test sets."
    )
    return Figure(f"robustness_{what.split()[0]}", panels, caption, looks, wide=True, lines=True)


def bias_panel(title: str, bias: str, lines: Sequence[Line], means: pd.DataFrame, looks: Mapping[str, Style]) -> Axes:
    """Mean tau against what is kept under one bias. means : by bias, metric, k and fraction; columns mean and std."""
    ordered = means.sort_index()
    with panel(title, KEPT[bias], "tau-b with the full order", width=WIDE) as axes:
        for label, metric, k in reversed(lines):
            line, look = ordered.loc[(bias, metric, k)], looks[label]
            kept = 100 * line.index.to_numpy()
            axes.plot(kept, line["mean"], markersize=3.5, label=label, **line_style(look, len(kept)))
            if label == lines[0][0] and line["std"].notna().any():
                low, high = line["mean"] - line["std"], line["mean"] + line["std"]
                axes.fill_between(kept, low, high.clip(upper=1), color=look.colour, alpha=0.12, linewidth=0)
        axes.invert_xaxis()
        axes.set_ylim(min(axes.get_ylim()[0], LEAST_RANGE), 1.02)
    return axes


def mean_taus(swept: pd.DataFrame) -> pd.DataFrame:
    """Return mean, spread and number of lost orders over the samples of each fraction."""
    means = swept.groupby(["bias", "metric", "k", "fraction"], sort=False)["tau"].agg(["mean", "std", "size", "count"])
    return means.assign(no_order=means["size"] - means["count"]).drop(columns=["size", "count"])


def undefined_sentence(means: pd.DataFrame) -> str:
    lost = means[means["no_order"] > 0].reset_index()
    if lost.empty:
        return "Every metric ordered the models on every reduced test set."
    named = ", ".join(dict.fromkeys(lost["metric"] + "@" + lost["k"]))
    return f"On some reduced test sets all models were equal, so there was no order to compare, under {named}."


def mean_table(means: pd.DataFrame) -> Table:
    columns = [Column("bias"), Column("metric"), Column("k", "cut-off"), Column("fraction", digits=2)]
    columns += [
        Column("mean", "mean tau", 3),
        Column("std", "sd", 3),
        Column("no_order", "samples without an order", 0),
    ]
    return Table("robustness", means.reset_index(), "Mean and spread of tau over the samples of each fraction", columns)
