"""Intervals from resampled ranks, which stay honest where there are few ranks or all are equal."""

import numpy as np

from truerank.estimators._core.base import Fitting, Weighting
from truerank.estimators._core.histogram import Histogram
from truerank.estimators._core.problem import Problem


def resampled(seen: Histogram, resamples: int, rng: np.random.Generator) -> tuple[Histogram, np.ndarray]:
    r"""Return the histogram with so many resampled ones behind it, and for each of these the share of one rank more.

    .. math:: w \sim \mathrm{Dirichlet}(\text{counts}), \qquad \varepsilon \sim \mathrm{Beta}(1, M)

    The Bayesian bootstrap: M weights instead of M draws. With the share of a rank that was not seen they are
    Dirichlet(counts, 1). seen : a histogram of one row, of M ranks.

    Rubin 1981, doi:10.1214/aos/1176345338.
    """
    n_ranks = seen.n_instances
    drawn = rng.standard_gamma(seen.counts, (resamples, len(seen.counts)))
    drawn *= n_ranks / drawn.sum(axis=1, keepdims=True)
    counts = np.concatenate([seen.counts[None], drawn])
    return Histogram(seen.negatives, seen.rank, counts), rng.beta(1, n_ranks, resamples)


def estimates_and_span(
    estimator: Weighting | Fitting, prior: np.ndarray | None, problem: Problem
) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Return the estimates, histograms x columns, and the least and most that one rank more can add to each column.

    Where the estimate is a mean of fixed weights these are the extreme weights; where a fitted P(R) has a part in it,
    the extremes of the metric itself. prior : as the estimator's prior was fitted, None if it has none.
    """
    if prior is not None:
        return estimator.estimate(problem, prior), (problem.exact.min(axis=0), problem.exact.max(axis=0))
    weights = estimator.weights(problem, problem.uniform)  # type: ignore[union-attr]  # of a Weighting
    return problem.seen.shares @ weights, (weights.min(axis=0), weights.max(axis=0))


def bootstrap_interval(
    values: np.ndarray, unseen: np.ndarray, least: float, most: float, confidence: float
) -> tuple[float, float]:
    r"""Return the interval of an estimate, given for the histogram itself and then for the resampled ones.

    .. math:: (1 - \varepsilon) T(w) + \varepsilon x, \qquad x = x_{min} \text{ for the lower end}, x_{max}
              \text{ for the upper one}

    A sample does not show what it lacks, so the plain bootstrap of equal ranks has no width at all. Here one rank more
    was at its worst: of weights 0 and 1 the ends are those of Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404; of
    others those of Gaffke 2005 (see Learned-Miller & Thomas 2019, arXiv:1905.06208). The estimate is always within.
    """
    tail = (1 - confidence) / 2
    low = np.quantile((1 - unseen) * values[1:] + unseen * least, tail, method="weibull")
    high = np.quantile((1 - unseen) * values[1:] + unseen * most, 1 - tail, method="weibull")
    return min(low, values[0]), max(high, values[0])
