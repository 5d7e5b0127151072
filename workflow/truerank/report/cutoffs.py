"""How each metric, and the order of the models, changes with the cut-off."""

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from truerank.report.block import Block, Blocks, Folded, Prose
from truerank.report.figure import Figure
from truerank.report.metric_names import written
from truerank.report.parts import each_part, table_name
from truerank.report.standings import DIGITS, PANELS
from truerank.report.study import ALL, OpenStudy, Part, as_number
from truerank.report.table import Column, Table
from truerank.report.theme import line_style, panel

TOUCH = 0.1  # of the axis: labels that are nearer touch each other


def cutoff_curves(study: OpenStudy) -> Block:
    """One panel per kind of metric with a line per model over the cut-offs, and a table of every value."""

    def of_part(part: Part) -> Block:
        shown = [metric for metric, _ in part.one_of_each_kind(part.verdicts)]
        curves = {metric: [k for k in part.metrics[metric] if k != ALL] for metric in shown}
        curves = {metric: cutoffs for metric, cutoffs in curves.items() if len(cutoffs) > 1}
        blocks: list[Block] = [Prose("No metric has more than one cut-off to compare.")] if not curves else []
        for first in range(0, len(curves), PANELS):
            drawn = cutoff_figure(part, dict(list(curves.items())[first : first + PANELS]), first // PANELS)
            blocks.append(Folded(f"Metrics {first + 1} to {first + len(drawn.panels)}", drawn) if first else drawn)
        return Blocks(*blocks, Folded("Every metric at every cut-off", every_value(part)))

    return each_part(study, of_part)


def cutoff_figure(part: Part, curves: Mapping[str, Sequence[str]], number: int = 0) -> Figure:
    looks = part.styles
    panels = {}
    for metric, cutoffs in curves.items():
        places = [int(k) for k in cutoffs]
        values = part.summary[part.summary["metric"] == metric].pivot(index="k", columns="model", values="value")
        values = values.reindex(columns=list(looks))
        with panel(written(metric), "cut-off k (items, logarithmic)", f"{metric}@k, mean over users") as axes:
            for model, look in reversed(looks.items()):
                axes.plot(places, values.loc[cutoffs, model], label=model, **line_style(look, len(places)))
            axes.set_xscale("log")
            axes.set_xticks(places, labelled(cutoffs))
            axes.minorticks_off()
        panels[f"Lines: {metric} against the cut-off, one line per model"] = axes
    caption = "Lines that cross are models whose order depends on the cut-off."
    return Figure(table_name(part, f"cutoffs_{number}" if number else "cutoffs"), panels, caption, looks, lines=True)


def labelled(cutoffs: Sequence[str]) -> list[str]:
    """Return the label of each tick on a logarithmic axis: nothing where it would touch the one before or the last."""
    places = [math.log(int(k)) for k in cutoffs]
    room = TOUCH * (places[-1] - places[0])
    labels, last = [], -math.inf
    for k, place in zip(cutoffs, places, strict=True):
        shown = place == places[-1] or (place - last >= room and places[-1] - place >= room)
        labels.append(k if shown else "")
        last = place if shown else last
    return labels


def every_value(part: Part) -> Table:
    """Every mean, cut-offs as columns; the files have the intervals and the counts of users too."""
    keys, edges = ["metric", "model"], ["value", "ci_low", "ci_high"]
    cutoffs = sorted(part.summary["k"].unique(), key=as_number)
    wide = part.summary.pivot(index=keys, columns="k", values=edges)
    order = [(metric, model) for metric in part.metrics for model in part.models]
    wide = wide.reindex(pd.MultiIndex.from_tuples([key for key in order if key in wide.index], names=keys))
    counts = part.summary.groupby(keys)[["users", "undefined"]].max().reindex(wide.index)
    frame = pd.DataFrame({f"{edge}@{k}": wide[(edge, k)] for k in cutoffs for edge in edges}).join(counts).reset_index()
    columns = [*map(Column, keys), *(Column(f"value@{k}", f"@{k}", DIGITS) for k in cutoffs)]
    columns += [Column("users", digits=0), Column("undefined", "undefined users", digits=0)]
    caption = "Means over users of every metric at every cut-off; the files have the intervals too"
    return Table(table_name(part, "metrics"), frame, caption, columns)
