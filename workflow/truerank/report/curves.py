"""Curves of the sampling part: expected metrics, mapped recall, recall that crosses."""

import numpy as np

from truerank.estimators._core.dominance import recall_curve
from truerank.report.block import Block, Blocks, Prose
from truerank.report.figure import Figure
from truerank.report.mapped import MOST_K
from truerank.report.sampled import artefact, headline_rows, of_sampling
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table, beside
from truerank.report.theme import REST, WIDE, line_style, panel

POINTS = 200


def expected_curves(study: OpenStudy) -> Block:
    """The expected uncorrected metric against the number of negatives, one line per model."""

    def of_part(part: Part) -> Block:
        rows, metrics = headline_rows(part, artefact(part, "curves", "expected"))
        rows = rows[rows["estimator"] == "uncorrected"]
        if rows.empty:
            return Prose("The uncorrected metric was not among the estimators.")
        panels = {}
        for metric in metrics:
            values = rows[rows["metric"] == metric].pivot(index="negatives", columns="model", values="value")
            with panel(metric, "sampled negatives (logarithmic)", f"expected {metric}") as axes:
                for model, look in reversed(part.styles.items()):
                    axes.plot(values.index, values[model], **line_style(look, len(values)))
                axes.set_xscale("log")
            panels[f"Lines: expected {metric} against the number of negatives, one line per model"] = axes
        caption = "Lines that cross are models whose order depends on the number of negatives."
        return Figure("expected", panels, caption, part.styles, lines=True)

    return of_sampling(study, of_part, "Expected metrics against the number of negatives")


def mapping_curves(study: OpenStudy) -> Block:
    """Expected sampled recall@k beside recall@f(k) on the catalogue, one panel per mapping."""

    def of_part(part: Part) -> Block:
        table = artefact(part, "curves", "mapping")
        if table.empty:
            return Prose("No sampler draws the same number of negatives for all users.")
        rows = table[(table["negatives"] == table["negatives"].min()) & (table["k"].astype(int) <= MOST_K)]
        drawn = {model: look for model, look in part.styles.items() if look is not REST}
        panels = {}
        for mapping, of_mapping in rows.groupby("mapping", sort=False):
            with panel(f"f: {mapping}", "k in the sampled set", "recall") as axes:
                for model, look in reversed(drawn.items()):
                    one = of_mapping[of_mapping["model"] == model]
                    k = one["k"].astype(int)
                    axes.plot(k, one["exact"], color=look.colour)
                    axes.plot(k, one["sampled"], look.marker or ".", color=look.colour, markersize=3)
            panels[f"Lines: recall at f(k) and points: expected sampled recall at k, mapping {mapping}"] = axes
        caption = f"Points: expected recall@k among {rows['negatives'].iloc[0]} negatives; lines: exact recall@f(k)."
        if len(drawn) < len(part.models):
            caption += f" The {len(drawn)} leading models are drawn; the table has the others too."
        gaps = rows.assign(gap=(rows["sampled"] - rows["exact"]).abs())
        names = beside(part.models, "model", "mapping")
        gaps["model"] = gaps["model"].map(names)
        frame = gaps.pivot_table(index="mapping", columns="model", values="gap", sort=False).reset_index()
        columns = [Column("mapping"), *(Column(model, digits=4) for model in names.values())]
        table = Table("mappings", frame, "Mean distance of the two recalls over k", columns)
        return Blocks(Figure("mapping", panels, caption, drawn, lines=True), table)

    return of_sampling(study, of_part, "Sampled recall and exact recall at a mapped cut-off")


def crossing_curves(study: OpenStudy) -> Block:
    """Exact recall at every K, and the pairs of models whose curves cross."""

    def of_part(part: Part) -> Block:
        ranks = {model: part.ranks(model) for model in part.models}
        depth = max(int(table["candidates"].max()) for table in ranks.values())
        places = np.unique(np.geomspace(1, depth, POINTS).round().astype(int))
        with panel("Recall", "K (logarithmic)", "exact recall@K", width=WIDE) as axes:
            for model, look in reversed(part.styles.items()):
                recall = recall_curve(ranks[model]["rank"].to_numpy(), depth)[places - 1]
                axes.plot(places, recall, **line_style(look, len(places)))
            axes.set_xscale("log")
        pairs = artefact(part, "curves", "crossings")
        frame = pairs[pairs["crossings"] > 0]
        caption = f"{len(frame)} of {len(pairs)} pairs of models have curves that cross."
        panels = {"Lines: exact recall against K, one line per model": axes}
        figure = Figure("recall_curves", panels, caption, part.styles, wide=True, lines=True)
        if frame.empty:
            return Blocks(figure, Prose("No two curves cross: in expectation, sampling reverses no pair."))
        columns = [
            Column("model_a", "model"),
            Column("model_b", "and"),
            Column("crossings"),
            Column("first", "first at K"),
        ]
        return Blocks(figure, Table("crossings", frame, "Pairs that sampling may reverse", columns))

    return of_sampling(study, of_part)
