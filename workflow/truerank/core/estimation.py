"""Full-catalogue metrics from sampled ranks."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from truerank.artefacts.counted_samples import CountedSamples, Samples
from truerank.estimators._core.base import PriorWeighting
from truerank.estimators._core.informed_problem import InformedProblem
from truerank.estimators._core.problem import Law, Problem
from truerank.estimators.rank_estimate import RankEstimate
from truerank.registry import ESTIMATORS, Cutoff, Definition, Definitions
from truerank.sampling._core.informed_sample import InformedSamples


def fitted(samples: Samples, estimator: Definition, prior: np.ndarray | None = None) -> np.ndarray:
    """Return P(R), models x repeats x C, by the definition of an estimator that fits it, or whose weights imply it.

    prior : the P(R) that the weights need, if they need one.
    """
    estimating = ESTIMATORS.make(estimator)
    problem = problem_of(samples, law=estimating.law)
    if isinstance(estimating, PriorWeighting):
        return estimating.implied(problem, pooled(prior, estimating))
    return estimating.fit(problem)


def pooled(prior: np.ndarray | None, estimating: Any) -> np.ndarray | None:
    """Return a prior, models x repeats x C, as its mean over repeats where the estimator asks for that."""
    if prior is None or not getattr(estimating, "pooled", False):
        return prior
    return prior.mean(axis=1, keepdims=True)


def estimated(
    samples: Samples,
    estimator: Definition,
    metrics: Definitions,
    cutoffs: Collection[Cutoff],
    prior: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Return columns model, repeat, metric, k, estimate. prior : the P(R) that the estimator needs, if it needs one."""
    estimating = ESTIMATORS.make(estimator)
    problem = problem_of(samples, metrics, cutoffs, estimating.law)
    estimated_ranks = samples.estimated if isinstance(samples, CountedSamples) else None
    if estimated_ranks is not None and isinstance(estimating, RankEstimate):
        found = estimating.estimate_at(problem, estimated_ranks)
    else:
        found = estimating.estimate(problem, pooled(prior, estimating))
    assert not isinstance(samples, Mapping)
    model, repeat, column = (index.ravel() for index in np.indices(found.shape))
    metric, k = zip(*(name.rpartition("@")[::2] for name in problem.columns), strict=True)
    return {
        "model": samples.models[model],
        "repeat": repeat.astype(np.int32),
        "metric": np.array(metric)[column],
        "k": np.array(k)[column],
        "estimate": found.ravel(),
    }


def problem_of(
    samples: Samples,
    metrics: Definitions | None = None,
    cutoffs: Collection[Cutoff] = (),
    law: Law = "binomial",
) -> Any:
    """Return the problem that samples pose, models x repeats: a ``Problem``, or an ``InformedProblem``."""
    if isinstance(samples, CountedSamples):
        return Problem(samples.n_items, samples.seen, metrics or {}, cutoffs, law)
    assert isinstance(samples, InformedSamples)
    return InformedProblem(samples, metrics or {}, cutoffs)
