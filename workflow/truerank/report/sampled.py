"""What sampling made of the metrics, and of the order of the models."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
from markupsafe import Markup

from truerank.artefacts.files import read_table
from truerank.report.block import Block, Blocks, Folded, Prose, bold
from truerank.report.error_plot import error_figure
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table, beside


def of_sampling(study: OpenStudy, show: Callable[[Part], Block], title: str | None = None) -> Block:
    """Apply ``show`` to the sampling part; say so where there is none, or where it selects no samplers.

    title : under which it opens on demand, if it has figures.
    """
    for part in study.parts:
        if part.name == "sampling" and part.selected.get("samplers"):
            block = show(part)
            if title is None or isinstance(block, Prose):
                return block
            return Folded(title, *block.blocks if isinstance(block, Blocks) else [block])
    return Prose("This does not apply: the study selects no samplers.")


def artefact(part: Part, folder: str, name: str) -> pd.DataFrame:
    """Read one table of the sampling part."""
    return read_table(part.study.results / folder / part.study.dataset / part.split / f"{name}.parquet")


def headline_rows(part: Part, table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The rows of each metric at the cut-off that speaks for it, with ``metric`` and ``k`` joined."""
    wanted = [f"{metric}@{k}" for metric, k in part.headlines]
    rows = table.assign(metric=table["metric"] + "@" + table["k"])
    return rows[rows["metric"].isin(wanted)], wanted


def sampled_metrics(study: OpenStudy) -> Block:
    """Every model's exact metric beside the means of all estimates, with their spread over repeats."""

    def of_part(part: Part) -> Block:
        accuracy = artefact(part, "meta", "accuracy")
        if accuracy.empty:
            return Prose("This does not apply: only users are sampled, and these are ranked exactly.")
        rows, metrics = headline_rows(part, accuracy)
        index = ["metric", "sampler", "estimator"]
        figure = error_figure(rows, metrics, part.styles)
        names = beside(part.models, "model", *index)
        rows = rows.assign(model=rows["model"].map(names))
        means = rows.pivot_table(index=index, columns="model", values="mean", sort=False).reset_index()
        exact = rows.drop_duplicates(["metric", "model"]).pivot(index="metric", columns="model", values="exact")
        exact = exact.reindex(metrics).reset_index().assign(sampler="all candidates", estimator="exact")
        columns = [*map(Column, index), *(Column(model, digits=4) for model in names.values())]
        frame = pd.concat([exact, means], ignore_index=True)[[column.key for column in columns]]
        everything = Table("sampled_metrics", frame, "Exact metrics, and means of the estimates over repeats", columns)
        return Blocks(figure, Folded("Every estimate", everything))

    return of_sampling(study, of_part)


def most_reversed(found: Mapping[str, Any] | None) -> str | None:
    """Name the sampler that reverses the largest share of orders, the first of several: the one that pages quote.

    found : what the verdict says of sampling. None where no sampler was tried without correction.
    """
    samplers = found["samplers"] if found else {}
    return max(samplers, key=lambda name: samplers[name]["reversed"] / samplers[name]["orders"], default=None)


def believed(part: Part, sampler: str) -> Iterator[Markup]:
    """Say what the best model's headline metric reads when sampled, beside what it is."""
    accuracy = artefact(part, "meta", "accuracy")
    metric, k = part.headlines[0]
    chosen = (accuracy["sampler"] == sampler) & (accuracy["estimator"] == "uncorrected")
    rows = accuracy[chosen & (accuracy["metric"] == metric) & (accuracy["k"] == k)].set_index("model")
    leader = part.models[0]
    if leader in rows.index:
        row = rows.loc[leader]
        text = "The {} of {} would read {:.4f} where it is {:.4f}."
        yield Markup(text).format(f"{metric}@{k}", bold(leader), row["mean"], row["exact"])


def order_reversals(study: OpenStudy) -> Block:
    """How often each pair of models comes out in the right order."""

    def of_part(part: Part) -> Block:
        order = artefact(part, "meta", "order").dropna(subset="right")
        if order.empty:
            return Prose("There are no pairs of models that differ, or no estimates, to order.")
        rows, metrics = headline_rows(part, order)
        rows = rows.assign(share=100 * rows["right"] / rows["repeats"], pair=rows["model_a"] + " / " + rows["model_b"])
        keys = ["sampler", "estimator", "metric"]
        worst = rows.sort_values("share", kind="stable").groupby(keys, sort=False).head(1)
        frame = rows.groupby(keys, sort=False)["share"].mean().reset_index(name="mean")
        frame = frame.merge(worst[[*keys, "share", "pair"]], on=keys)
        columns = [*map(Column, keys), Column("mean", "right order, all pairs (% of repeats)", 0)]
        columns += [Column("share", "worst pair (%)", 0), Column("pair", "which")]
        table = Table("orders", frame, "How often the order of two models is that of the exact metric", columns)
        return Folded("Every sampler and estimator", Prose(*reversal_sentences(rows, metrics)), table)

    return of_sampling(study, of_part)


def reversal_sentences(rows: pd.DataFrame, metrics: Sequence[str]) -> Iterator[str]:
    """Say, per sampler, how many pairs the uncorrected metric turns round in most repeats."""
    plain = rows[rows["estimator"] == "uncorrected"]
    if plain.empty:
        yield "The uncorrected metric was not among the estimators."
    for sampler, of_sampler in plain.groupby("sampler", sort=False):
        counts = [
            f"{int((chosen['share'] < 50).sum())} of {len(chosen)} for {metric}"
            for metric in metrics
            for chosen in [of_sampler[of_sampler["metric"] == metric]]
        ]
        yield f"Pairs in the wrong order in most repeats, uncorrected, sampler {sampler}: {'; '.join(counts)}."
