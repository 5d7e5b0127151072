"""Line drawings of a paper from any artefact, and sections of a dataset's page that are a paper's figures."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from truerank.report.block import Block, Blocks, Heading, Prose
from truerank.report.by_rank import corrected_by_rank, metrics_by_rank, of_example
from truerank.report.curves import crossing_curves
from truerank.report.figure import Figure
from truerank.report.levels import metrics_at_levels
from truerank.report.mapped import rank_fits
from truerank.report.published import Ours, Paper, chosen
from truerank.report.ranks import rank_distributions
from truerank.report.study import open_study
from truerank.report.table import Table
from truerank.report.theme import GREY, Style, line_style, panel, styles

SECTIONS: dict[str, Callable[..., Block]] = {
    "corrected_by_rank": corrected_by_rank,
    "crossing_curves": crossing_curves,
    "metrics_by_rank": metrics_by_rank,
    "rank_distributions": rank_distributions,
    "rank_fits": rank_fits,
    "relevance_levels": metrics_at_levels,
}


def line_drawing(drawing: Mapping[str, Any], ours: Ours, suffix: str | None) -> Block:
    """One drawing, a panel per selection of rows, a line per value of the column ``by``."""
    wholes = {title: rows_of(drawing, ours, where) for title, where in drawing["panels"].items()}
    shown = {title: rows for title, rows in wholes.items() if not rows.empty}
    if not shown:
        return Prose(f"{drawing['caption']}: not run here.")
    looks = styles(dict.fromkeys(str(name) for rows in shown.values() for name in rows[drawing["by"]]))
    panels = {f"{drawing['caption']}: {title}": axes_of(drawing, title, rows, looks) for title, rows in shown.items()}
    name = drawing["name"] + (f"_{suffix}" if suffix else "")
    return Figure(name, panels, f"{drawing['caption']}.", looks, lines=True)


def rows_of(drawing: Mapping[str, Any], ours: Ours, where: Mapping[str, Any]) -> pd.DataFrame:
    """The rows that a panel draws, in the order of x; none where the study has no such artefact."""
    table = ours.table(drawing["artefact"])
    if table is None:
        return pd.DataFrame()
    for column, wanted in (drawing.get("where", {}) | where).items():
        table = table[chosen(table[column], wanted)]
    return table.assign(x=pd.to_numeric(table[drawing["x"]])).sort_values("x", kind="stable")


def axes_of(drawing: Mapping[str, Any], title: str, rows: pd.DataFrame, looks: dict[str, Style]) -> Axes:
    """The lines of one panel; ``against`` is a column drawn once, in grey, for all of them.

    With ``increments`` a line is what each x adds to y, as the shares of ranks are to recall.
    """
    with panel(title, drawing["x_label"], drawing["y_label"]) as axes:
        if "against" in drawing:
            truth = rows.drop_duplicates("x")
            axes.plot(truth["x"], truth[drawing["against"]], color=GREY, linewidth=3, label=drawing["against"])
        for name, look in reversed(looks.items()):
            line = rows[rows[drawing["by"]].astype(str) == name]
            y = np.diff(line[drawing["y"]], prepend=0) if drawing.get("increments") else line[drawing["y"]]
            axes.plot(line["x"], y, label=name, **line_style(look, len(line)))
        if drawing.get("logarithmic"):
            axes.set_xscale("log")
    return axes


def section(paper: Paper, ours: Ours, drawing: Mapping[str, Any], suffix: str | None) -> Block:
    """A section of the dataset's page that draws what a figure of the paper draws.

    One that names columns of the worked ``example`` draws these, among the example's items.
    """
    models = paper.config["select"][paper.content["part"]]["models"] if suffix else ()  # the same colours for all
    study = open_study(paper.results, ours.dataset, paper.config, paper.provenance, order=models)
    of = [of_example(paper.content["example"], drawing["example"])] if "example" in drawing else []
    block = SECTIONS[drawing["section"]](study, *of)
    if suffix:
        rename(block, suffix)
    return Blocks(Heading(drawing["caption"]), block)


def rename(block: Block, suffix: str) -> None:
    """Add ``suffix`` to the names of all figures and tables, which are those of their files."""
    if isinstance(block, Blocks):
        for inner in block.blocks:
            rename(inner, suffix)
    elif isinstance(block, Figure | Table):
        block.name += f"_{suffix}"
