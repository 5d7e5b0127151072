"""The metric at an estimate of the rank."""

import numpy as np

from truerank.estimators._core.base import Weighting
from truerank.estimators._core.histogram import Histogram
from truerank.estimators._core.problem import Problem
from truerank.registry import ESTIMATORS


@ESTIMATORS.register("rank_estimate", takes=("ranks", "weighted ranks"))
class RankEstimate(Weighting):
    r"""Scale the sampled rank up to the catalogue and take the metric there.

    .. math:: x_r = F\Big(\Big\lfloor 1 + \frac{(C - 1)(r - 1)}{m} \Big\rfloor\Big)

    If items were drawn with unequal probabilities, the estimate of the rank is 1 plus the sum, over the items above, of
    the inverse of their inclusion probability (``Sample.rank_estimate``), rounded down.

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, eq. 20.
    """

    def weights(self, problem: Problem, prior: np.ndarray) -> np.ndarray:
        others, seen = problem.n_items - 1, problem.seen
        above = np.where(seen.exact, seen.rank - 1, others * (seen.rank - 1) // np.maximum(seen.negatives, 1))
        return problem.values_at(above + 1)

    def estimate_at(self, problem: Problem, estimated: Histogram) -> np.ndarray:
        """Return ... x columns from estimates of the exact ranks, counted as known ranks."""
        counts = estimated.counts.reshape(-1, len(estimated.rank))
        found = counts / estimated.n_instances @ problem.values_at(estimated.rank)
        return found.reshape(*estimated.counts.shape[:-1], -1)
