"""Metrics as functions of the rank: exact, sampled, corrected."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from truerank.estimators._core.base import Weighting
from truerank.estimators._core.histogram import Histogram
from truerank.estimators._core.make import draws_alike, needed_fit
from truerank.estimators._core.problem import Problem
from truerank.metrics._core.single import metric_of_rank
from truerank.registry import ESTIMATORS, Cutoff, Definitions
from truerank.report.block import Block, Blocks, Prose
from truerank.report.figure import Figure
from truerank.report.sampled import of_sampling
from truerank.report.study import ALL, Headline, OpenStudy, Part
from truerank.report.theme import GREY, STYLES, Style, panel
from truerank.sampling._core.expected import expected_metric

TOP = 100
NEGATIVES = (1, 10, 100, 1000)
POINTS = 120


class Drawn(NamedTuple):
    """What is drawn against the rank of one item: metrics, each at one cut-off, among so many candidates."""

    n_items: int
    headlines: Sequence[Headline]
    metrics: Definitions

    def of_rank(self, metric: str, k: str, rank: np.ndarray, candidates: int) -> np.ndarray:
        (values,) = metric_of_rank({metric: self.metrics[metric]}, [cutoff(k)], rank, candidates).values()
        return values


def of_study(part: Part) -> Drawn:
    """One metric of each kind among the candidates that users have on average."""
    metrics = {metric: part.definition(metric) for metric in part.metrics}
    return Drawn(mean_candidates(part), part.one_of_each_kind(part.headlines), metrics)


def of_example(example: Mapping[str, Any], columns: Sequence[str]) -> Drawn:
    """Some metric@k of a paper's worked example among its items."""
    headlines = [(metric, k) for metric, _, k in (column.rpartition("@") for column in columns)]
    return Drawn(example["items"], headlines, example["metrics"])


def metrics_by_rank(study: OpenStudy, drawn: Drawn | None = None) -> Block:
    """Every metric against the rank of one relevant item, and what it becomes in expectation when sampled.

    drawn : what a paper draws; the study's own if not given.
    """

    def of_part(part: Part) -> Block:
        own = drawn or of_study(part)
        return Blocks(exact_figure(own), sampled_figure(own))

    return of_sampling(study, of_part, "Each metric against the rank of one item, exact and sampled")


def exact_figure(drawn: Drawn) -> Figure:
    """Krichene & Rendle 2020, Fig. 1: who looks at the top of the list only."""
    n_items, headlines = drawn.n_items, drawn.headlines[: len(STYLES)]
    legend = {f"{metric}@{k}": look for (metric, k), look in zip(headlines, STYLES, strict=False)}
    panels = {}
    for depth, title in ((n_items, "All ranks"), (min(TOP, n_items), f"Ranks up to {min(TOP, n_items)}")):
        rank = some_ranks(depth, headlines)
        with panel(title, "exact rank", "metric of one instance") as axes:
            for metric, k in headlines:
                axes.plot(rank, drawn.of_rank(metric, k, rank, n_items), **line(legend[f"{metric}@{k}"]))
            axes.set_ylim(-0.03, 1.03)
        panels[f"Lines: each metric against the exact rank, ranks up to {depth:,}"] = axes
    caption = f"What one relevant item contributes to each metric, by its rank among {n_items:,} candidates."
    return Figure("metrics_by_rank", panels, caption, legend, lines=True)


def sampled_figure(drawn: Drawn) -> Figure:
    """Krichene & Rendle 2020, Fig. 3: what the rank is worth when candidates are sampled."""
    n_items = drawn.n_items
    sizes = [m for m in NEGATIVES if m < n_items - 1]
    legend = {f"{m:,} negatives": look for m, look in zip(sizes, STYLES, strict=False)} | {"exact": STYLES[-1]}
    depth = min(n_items, max(TOP, n_items // 10))
    panels = {}
    for metric, k in drawn.headlines:
        rank = some_ranks(depth, [(metric, k)])
        with panel(f"{metric}@{k}", "exact rank", "expected metric of one instance") as axes:
            for m in sizes:
                in_set = drawn.of_rank(metric, k, np.arange(1, m + 2), m + 1)
                expected = expected_metric(rank, n_items, m, in_set[:, None])[:, 0]
                axes.plot(rank, expected, **line(legend[f"{m:,} negatives"]))
            axes.plot(rank, drawn.of_rank(metric, k, rank, n_items), **line(legend["exact"]))
            axes.set_ylim(-0.03, 1.03)
        panels[f"Lines: expected {metric}@{k} against the exact rank, one line per number of negatives"] = axes
    caption = "The fewer the negatives, the straighter the line: a straight line is AUC, under any name."
    return Figure("sampled_by_rank", panels, caption, legend, lines=True)


def corrected_by_rank(study: OpenStudy, drawn: Drawn | None = None) -> Block:
    """Krichene & Rendle 2020, Fig. 4: the weight of each sampled rank, and what it comes to at each exact rank.

    drawn : as in ``metrics_by_rank``; AP of it, or what comes first.
    """

    def of_part(part: Part) -> Block:
        samplers = [part.study.config["samplers"][name] for name in part.selected["samplers"]]
        sizes, made = [each["negatives"] for each in samplers if draws_alike(each)], unfitted(part)
        if not sizes or not made:
            return Prose("This does not apply: no estimator weights the ranks among a fixed number of negatives.")
        m, (n_items, headlines, metrics) = min(sizes), drawn or of_study(part)
        metric, k = next((one for one in headlines if metrics[one[0]]["kind"] == "ap"), headlines[0])
        seen = Histogram(np.full(m + 1, m), np.arange(1, m + 2), np.empty(0))
        problem = Problem(n_items, seen, {metric: metrics[metric]}, [cutoff(k)])
        prior = np.full(n_items, 1 / n_items)
        legend = dict(zip(made, STYLES, strict=False))
        rank = np.unique(np.geomspace(1, n_items, POINTS).round().astype(int))
        with panel("In the sample", "sampled rank (logarithmic)", "weight") as left:
            left.set_xscale("log")
        with panel("In expectation", "exact rank (logarithmic)", f"expected {metric}@{k}") as right:
            right.plot(rank, problem.exact[rank - 1, 0], color=GREY, linewidth=3)
            right.set_xscale("log")
        for name, look in legend.items():
            weights = made[name].weights(problem, prior)
            left.plot(seen.rank, weights[:, 0], **line(look))
            right.plot(rank, expected_metric(rank, n_items, m, weights)[:, 0], **line(look))
        panels = {
            f"Lines: weight of each sampled rank for {metric}@{k}, one line per estimator": left,
            f"Lines: expected estimate of {metric}@{k} against the exact rank, the exact metric in grey": right,
        }
        caption = f"{metric}@{k} from {m:,} negatives of {n_items:,} candidates; the grey line is the exact metric."
        return Figure("corrected_by_rank", panels, caption, legend, lines=True)

    return of_sampling(study, of_part, "The weight of each sampled rank under the estimators")


def unfitted(part: Part) -> dict[str, Weighting]:
    """The first estimators of the study, name -> estimator, whose weights need no fit."""
    defined = part.study.config["estimators"]
    names = [name for name in part.selected.get("estimators", ()) if not needed_fit(name, defined[name])]
    made = {name: ESTIMATORS.make(defined[name]) for name in names}
    return {name: each for name, each in made.items() if isinstance(each, Weighting)}


def line(look: Style) -> dict[str, Any]:
    """How a long line is drawn: a marker here and there."""
    return {"color": look.colour, "marker": look.marker, "markevery": 0.15}


def mean_candidates(part: Part) -> int:
    return round(part.ranks(part.models[0])["candidates"].mean())


def cutoff(k: str) -> Cutoff:
    return k if k == ALL else int(k)


def some_ranks(depth: int, headlines: Sequence[Headline]) -> np.ndarray:
    """Ranks up to ``depth``, enough of them for a line, and those on either side of every cut-off."""
    edges = [int(k) + step for _, k in headlines if k != ALL for step in (0, 1)]
    ranks = np.unique(np.r_[1:21, edges, np.linspace(1, depth, POINTS).round().astype(int)].astype(int))
    return ranks[ranks <= depth]
