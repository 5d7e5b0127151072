"""The metric at an estimate of the rank."""

import numpy as np

from truerank.estimators._core.base import Weighting
from truerank.estimators._core.problem import Problem
from truerank.registry import ESTIMATORS


@ESTIMATORS.register("rank_estimate", takes=("ranks",))
class RankEstimate(Weighting):
    r"""Scale the sampled rank up to the catalogue and take the metric there.

    .. math:: x_r = F\Big(\Big\lfloor 1 + \frac{(C - 1)(r - 1)}{m} \Big\rfloor\Big)

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, eq. 20.
    """

    def weights(self, problem: Problem, prior: np.ndarray) -> np.ndarray:
        others, seen = problem.n_items - 1, problem.seen
        above = np.where(seen.exact, seen.rank - 1, others * (seen.rank - 1) // np.maximum(seen.negatives, 1))
        return problem.values_at(above + 1)
