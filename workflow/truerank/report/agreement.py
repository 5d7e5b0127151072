"""Which metrics, and which cut-offs, say the same: tau between the orders in which they put the models."""

import math

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes

from truerank.report.block import Block, Blocks, Folded, Prose
from truerank.report.figure import Figure
from truerank.report.metric_names import with_names_written, written
from truerank.report.parts import each_part, table_name
from truerank.report.power import ONE_MODEL
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table
from truerank.report.theme import WIDE, panel

COLOURS = mpl.colormaps["RdBu"]
ON_LIGHT, ON_DARK = "#101418", "#ffffff"


def correlation(study: OpenStudy) -> Block:
    """Heat maps among metrics at their headline cut-offs and among the cut-offs of the first, numbers inside."""

    def of_part(part: Part) -> Block:
        if len(part.models) == 1:
            return Prose(ONE_MODEL)
        pairs = part.meta("correlation")
        pairs["a"], pairs["b"] = pairs["metric_a"] + "@" + pairs["k_a"], pairs["metric_b"] + "@" + pairs["k_b"]
        tau = pairs.pivot(index="a", columns="b", values="tau")
        first = part.headlines[0][0]
        metrics = [f"{metric}@{k}" for metric, k in part.one_of_each_kind(part.verdicts)]
        cutoffs = [f"{first}@{k}" for k in part.metrics[first]]
        panels = {"Heat map: tau between the orders of metrics": heat_map("Among metrics", tau.loc[metrics, metrics])}
        if len(cutoffs) > 1:
            drawn = heat_map(f"Among cut-offs of {written(first)}", tau.loc[cutoffs, cutoffs])
            panels[f"Heat map: tau between the orders of {first} at different cut-offs"] = drawn
        caption = (
            "Kendall’s tau-b between the orders of the models: 1 the same, -1 reversed, empty where one has no order."
        )
        return Blocks(
            Figure(table_name(part, "agreement"), panels, caption, wide=True),
            Folded("Every tau", every_tau(part, pairs)),
        )

    return each_part(study, of_part)


def every_tau(part: Part, pairs: pd.DataFrame) -> Table:
    """Every metric of a ranking at its headline cut-off against every other; correlation.parquet has all."""
    headlines = [f"{metric}@{k}" for metric, k in part.verdicts]
    pairs = pairs[pairs["a"].isin(headlines) & pairs["b"].isin(headlines)]
    place = {column: number for number, column in enumerate(headlines)}
    once = pairs[pairs["a"].map(place) < pairs["b"].map(place)]
    columns = [Column("a", "metric"), Column("b", "against"), Column("tau", digits=3)]
    return Table(
        table_name(part, "correlation"),
        once[["a", "b", "tau"]],
        "Tau between every two metrics of a ranking; correlation.parquet has the others",
        columns,
    )


def heat_map(title: str, tau: pd.DataFrame) -> Axes:
    size = len(tau)
    with panel(title, height=max(1.6, min(0.9 + 0.25 * size, 0.76 * WIDE)), width=WIDE) as axes:
        axes.pcolormesh(tau.to_numpy(), cmap=COLOURS, vmin=-1, vmax=1, edgecolors="none")
        for row, values in enumerate(tau.to_numpy()):
            for column, value in enumerate(values):
                if not math.isnan(value):
                    ink = ON_DARK if abs(value) > 0.7 else ON_LIGHT
                    axes.text(column + 0.5, row + 0.5, f"{value:.2f}", ha="center", va="center", color=ink, fontsize=6)
        places, names = [place + 0.5 for place in range(size)], [*map(with_names_written, tau.columns)]
        axes.set_xticks(places, names, rotation=40, ha="right", fontsize=7)
        axes.set_yticks(places, names, fontsize=7)
        axes.invert_yaxis()
        axes.grid(visible=False)
    return axes
