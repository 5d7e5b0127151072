"""What sampling costs in item scores, and when larger sets stop being worth it."""

import pandas as pd

from truerank.report.block import Block, Blocks
from truerank.report.error_by_cost import error_by_cost
from truerank.report.figure import Figure
from truerank.report.sampled import artefact, of_sampling
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table
from truerank.report.theme import panel

EVERYBODY = "every model"


def sampling_cost(study: OpenStudy) -> Block:
    """Items scored per instance by each sampler, expected and realised, and the cost of adaptive sets by size."""

    def of_part(part: Part) -> Block:
        cost = artefact(part, "meta", "cost")
        rows = [alike(rows) for _, rows in cost.groupby("sampler", sort=False)]
        frame = pd.concat(rows, ignore_index=True)
        frame["share"] *= 100
        columns = [Column("sampler"), Column("model"), Column("expected", "items scored per instance, expected", 1)]
        columns += [Column("per_instance", "mean over repeats", 1), Column("share", "of exact ranking (%)", 1)]
        shown = frame[[column.key for column in columns]]
        table = Table("sampling_cost", shown, "Items that each sampler scores, from exact ranks and as drawn", columns)
        effort = artefact(part, "meta", "effort")
        figures = [error_by_cost(part), None if effort.empty else effort_figure(part, effort)]
        return Blocks(table, *(figure for figure in figures if figure is not None))

    return of_sampling(study, of_part, "What each sampler costs in items scored")


def alike(rows: pd.DataFrame) -> pd.DataFrame:
    """One row for all models where they cost the same."""
    same = rows["per_instance"].nunique() == 1 and rows["expected"].nunique() == 1
    return rows.head(1).assign(model=EVERYBODY) if same else rows


def effort_figure(part: Part, effort: pd.DataFrame) -> Figure:
    """Li et al. 2024, Fig. 9 and eq. 44: what one more instance that is not first costs at each size."""
    panels = {}
    for sampler, of_sampler in effort.groupby("sampler", sort=False):
        with panel(sampler, "size of the set (logarithmic)", "items scored per instance resolved") as axes:
            for model, look in reversed(part.styles.items()):
                rows = of_sampler[of_sampler["model"] == model]
                axes.plot(rows["size"], rows["expected_cost"], color=look.colour)
                axes.plot(rows["size"], rows["cost"], look.marker or ".", color=look.colour)
            axes.set_xscale("log")
            axes.set_yscale("log")
        panels[f"Lines: expected and points: realised cost of one more resolved instance, sampler {sampler}"] = axes
    caption = (
        "Items scored at each size of the set for one more instance whose item is not first in it; lines: expected "
        "from exact ranks, points: mean over repeats. Where the cost rises, larger sets are no longer worth it."
    )
    return Figure("effort", panels, caption, part.styles, lines=True)
