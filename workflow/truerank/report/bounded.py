"""What can be known of the exact metrics from samples of the candidates."""

from collections.abc import Iterator

import pandas as pd

from truerank.bounding.identified import is_within, reliance
from truerank.report.block import Block, Blocks, Folded, Prose
from truerank.report.figure import Figure
from truerank.report.sampled import artefact, of_sampling
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table
from truerank.report.theme import STYLES, panel

RECALL, SHADE = STYLES[0], 0.25
NEITHER = "This does not apply: some users have several test items, whose ranks depend on each other."


def what_can_be_known(study: OpenStudy) -> Block:
    """Bounds of recall against the cut-off, and bounds beside the estimates with whether they are identified."""

    def of_part(part: Part) -> Block:
        known, bounds = artefact(part, "curves", "known"), artefact(part, "meta", "bounds")
        if known.empty and bounds.empty:
            return Prose(NEITHER)
        shown = [known_figure(known)] if len(known) else []
        if bounds.empty:
            return Blocks(*shown)
        return Blocks(*shown, Prose(*sentences(part, bounds)), Folded("Bounds of every estimate", table_of(bounds)))

    return of_sampling(study, of_part, "What this number of candidates can show")


def known_figure(known: pd.DataFrame) -> Figure:
    panels = {}
    for negatives, rows in known.groupby("negatives", sort=False):
        k = rows["k"].astype(int)
        with panel(f"{negatives:,} candidates", "cut-off k (logarithmic)", "recall@k") as axes:
            axes.fill_between(k, rows["low"], rows["high"], color=RECALL.colour, alpha=SHADE, linewidth=0)
            axes.plot(k, rows["exact"], color=RECALL.colour)
            axes.set_xscale("log")
            axes.set_ylim(-0.03, 1.03)
        text = f"Area: recall@k that a sample of {negatives:,} candidates admits; line: exact recall@k"
        panels[text] = axes
    model = known["model"].iloc[0]
    caption = (
        f"What this many candidates can show about recall@k, {model}: the area has all values that are consistent "
        "with such a sample at 95 % confidence, for any distribution of exact ranks; the line is the exact recall."
    )
    return Figure("what_can_be_known", panels, caption)


def sentences(part: Part, bounds: pd.DataFrame) -> Iterator[str]:
    """Say of the first model and metric, per sampler, what the sample admits and what the estimate rests on."""
    metric, k = bounds["metric"].iloc[0], bounds["k"].iloc[0]
    leader = next(model for model in part.models if model in set(bounds["model"]))
    rows = bounds[(bounds["model"] == leader) & (bounds["metric"] == metric) & (bounds["k"] == k)]
    for sampler, own in rows.groupby("sampler", sort=False):
        row = own.iloc[-1]
        name = metric if k == "all" else f"{metric}@{k}"
        if pd.isna(row["bound_low"]):
            yield f"{name} of {leader}, sampler {sampler}: no distribution of exact ranks fits the sample."
            continue
        verdict = "yes"
        if not row["identified"]:
            kind = part.study.config["estimators"].get(row["estimator"], {}).get("kind", row["estimator"])
            verdict = f"no, {reliance(kind, is_within(row['estimate'], row['bound_low'], row['bound_high'], 1))}"
        admits = f"the sample admits {row['bound_low']:.4f} to {row['bound_high']:.4f}"
        estimates = f"{row['estimator']} estimates {row['estimate']:.4f}"
        yield f"{name} of {leader}, sampler {sampler}, first repeat: {admits}, {estimates}; identified: {verdict}."


def table_of(bounds: pd.DataFrame) -> Table:
    """The bounds of the metric that the sentences speak of; bounds.parquet has all."""
    bounds = bounds[bounds["metric"] == bounds["metric"].iloc[0]]
    frame = bounds.assign(identified=bounds["identified"].map({True: "yes", False: "no"}))
    columns = [*map(Column, ("sampler", "estimator", "model", "metric", "k")), Column("estimate", digits=4)]
    columns += [Column("bound_low", "lowest", 4), Column("bound_high", "highest", 4), Column("identified")]
    caption = "Estimates of the first repeat, and all values that are consistent with the sample at 95 % confidence"
    caption += "; bounds.parquet has the other metrics"
    return Table("bounds", frame, caption, columns)
