"""Estimate full-catalogue metrics from sampled ranks, with bounds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from truerank.api.answers import ranks_of_answers
from truerank.api.bounds import bounds_or_sentence, limits_of
from truerank.api.checks import (
    MOST_ITEMS,
    asked_once,
    check_confidence,
    check_count,
    check_design,
    definitions_of,
    percent,
)
from truerank.api.correct_cost import check_cost
from truerank.api.ranks import SampledRanks, sampled_ranks
from truerank.api.results import Result
from truerank.blas import single_threaded_blas
from truerank.bounding.designs import Uniform
from truerank.bounding.identified import assumption_of, identified, is_within, reliance
from truerank.config.merging import read_defaults
from truerank.errors import UserError
from truerank.estimators._core.histogram import Histogram
from truerank.estimators._core.make import applies, make_estimator, needed_fit
from truerank.estimators._core.problem import Problem
from truerank.estimators._core.rank_bootstrap import bootstrap_interval, estimates_and_span, resampled
from truerank.metrics._core.names import Asked
from truerank.provenance import generator
from truerank.registry import Definition, unknown

Usable = tuple[Definition, Definition | None]  # an estimator, and the one that fits P(R) for it

FIXED = {"kind": "uniform"}
MOST_RESAMPLES = 10**6


@dataclass(frozen=True)
class Corrected(Result):
    """Metrics on all items, estimated from sampled ranks."""

    estimates: pd.DataFrame
    remarks: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def notes(self) -> tuple[str, ...]:
        return self.remarks


def correct(
    ranks: Any,
    *,
    items: Any,
    negatives: int,
    metrics: Iterable[str] = ("recall@10",),
    estimator: str = "monotone_mle",
    confidence: float = 0.95,
    seed: int = 1,
    resamples: int = 200,
    users: Any = None,
    replace: bool = False,
    test: Any = None,
    callback: Callable[[str], None] | None = None,
) -> Corrected:
    """Estimate full-catalogue metrics from sampled ranks.

    ranks : numbers from 1 to ``negatives`` + 1, a frame with ``rank`` (and ``user``), or a path. items : the number of
    candidates of the full ranking. estimator : a name, see ``truerank list estimators``. users : the user of each rank,
    if users have several ranks. replace : whether the negatives were drawn with replacement. test : as in
    ``tr.bounds``. callback : called with a message if the estimate will take long.

    ``.estimates`` has metric, k, estimate, ci_low, ci_high (a bootstrap over ranks, or over users if they have several
    ranks: it shows the spread, not the bias), bound_low, bound_high (as from ``bounds``) and identified: whether the
    estimate is between the bounds, and these are at most four times as wide as the interval and span at most half of
    the metric's range.

    >>> import numpy as np, truerank as tr
    >>> rng = np.random.default_rng(1)
    >>> ranks = 1 + rng.binomial(20, rng.beta(0.5, 3, 1000))  # among 20 negatives
    >>> found = tr.correct(ranks, items=1000, negatives=20, metrics=["auc"])
    >>> found.estimates[["metric", "k", "estimate", "identified"]].round(2)
      metric    k  estimate  identified
    0    auc  all      0.86        True
    """
    check_confidence(confidence)
    answered: list[str] = []
    if test is not None:
        ranks, items, answered = ranks_of_answers(
            ranks, test, items, check_count("negatives", negatives, 1, MOST_ITEMS)
        )
    items, negatives = check_design(items, negatives)
    resamples = check_count("resamples", resamples, 2, MOST_RESAMPLES)
    asked = asked_once(metrics)
    seen = sampled_ranks(ranks, negatives, users)
    usable = usable_estimators()
    if str(estimator) not in usable:
        raise UserError(unknown("estimator", str(estimator), usable))
    definitions, cutoffs = definitions_of(asked)
    check_cost(usable, estimator, items, negatives, resamples, len(definitions) * len(cutoffs), callback)
    counts, unseen = resampled_ranks(seen, negatives, resamples, generator(seed, "correct"))
    problem = Problem(items, counts, definitions, cutoffs)
    values, (least, most) = estimates(problem, *usable[estimator])
    design = Uniform(items, negatives, replace)
    extremes = bounds_or_sentence(design, limits_of(seen, design, asked, confidence), asked, None, confidence)
    rows, within = [], []
    for each, (low, high) in zip(asked, extremes, strict=True):
        at = problem.columns.index(each.column)
        ends = bootstrap_interval(values[:, at], unseen, least[at], most[at], confidence)
        whole = float(np.ptp(problem.values_at(np.array([1, items]))[:, at]))
        within.append(is_within(values[0, at], low, high, whole))
        is_identified = identified(values[0, at], low, high, ends[1] - ends[0], whole)
        rows.append((each.name, str(each.k), values[0, at], *ends, low, high, is_identified))
    columns = ["metric", "k", "estimate", "ci_low", "ci_high", "bound_low", "bound_high", "identified"]
    frame = pd.DataFrame(rows, columns=columns)
    kind = usable[estimator][0]["kind"]
    notes = [*remarks_on(frame, within, asked, seen, items, kind, estimator, confidence), *answered]
    return Corrected(frame, remarks=tuple(notes))


def remarks_on(
    frame: pd.DataFrame,
    within: list[bool],
    asked: list[Asked],
    seen: SampledRanks,
    items: int,
    kind: str,
    estimator: str,
    confidence: float,
) -> list[str]:
    """Return the sentences that belong to the estimates."""
    assumption = assumption_of(kind)
    whose = f"{len(seen.rank):,} ranks" + ("" if seen.user is None else f" of {seen.n_users:,} users")
    notes = [
        f"{whose}, {estimator}: it assumes that {assumption}",
        f"{percent(confidence)} intervals are bootstrap intervals: they show the spread of the estimate, not its bias; "
        f"bounds hold at {percent(confidence)} confidence for any distribution of exact ranks; every user is "
        f"assumed to have {items:,} candidates",
        *(each.note for each in asked if each.note),
    ]
    for row, is_inside in zip(frame.itertuples(index=False), within, strict=True):
        if not row.identified:
            name = row.metric if row.k == "all" else f"{row.metric}@{row.k}"
            admits = f"the sample admits {row.bound_low:.4f} to {row.bound_high:.4f}"
            notes.append(f"{name} is not identified: {admits}; {reliance(kind, is_inside)}")
    return notes


def usable_estimators() -> dict[str, Usable]:
    """Return the defaults' estimators for sets of one size: definition, and that of the one that fits P(R) or None."""
    defined = read_defaults()["estimators"]
    usable = {name: definition for name, definition in defined.items() if applies(definition, FIXED)}
    return {name: (each, defined.get(needed_fit(name, each))) for name, each in usable.items()}


def resampled_ranks(
    seen: SampledRanks, negatives: int, resamples: int, rng: np.random.Generator
) -> tuple[Histogram, np.ndarray]:
    """Return the histogram with resampled ones behind it: of ranks, or of users where some have several."""
    sets, ranks = np.full(negatives + 1, negatives), np.arange(1, negatives + 2)
    own = Histogram(sets, ranks, seen.shares(negatives))
    if seen.user is None:
        return resampled(own, resamples, rng)
    weights = rng.standard_exponential((resamples, seen.n_users))
    weights *= seen.n_users / weights.sum(axis=1, keepdims=True)
    drawn = [seen.shares(negatives, each) for each in weights]
    return Histogram(sets, ranks, np.stack([own.counts, *drawn])), rng.beta(1, seen.n_users, resamples)


def estimates(
    problem: Problem, definition: Definition, prior: Definition | None
) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Return the estimates of every histogram, with the prior fitted first, and the span of one rank more."""
    try:
        with single_threaded_blas():
            fitted = make_estimator(prior).fit(problem) if prior else None
            return estimates_and_span(make_estimator(definition), fitted, problem)
    except MemoryError:
        needed = f"{problem.n_items:,} items with negatives and resamples as they are"
        raise UserError(f"{needed} need more memory than is available; lower these two") from None
