"""Constrained least squares."""

from dataclasses import dataclass

import numpy as np

from truerank.estimators._core.base import Weighting
from truerank.estimators._core.problem import Law, Problem
from truerank.registry import ESTIMATORS


@ESTIMATORS.register("cls", takes=("ranks",))
@dataclass(frozen=True, kw_only=True)
class ConstrainedLeastSquares(Weighting):
    r"""Choose weights that decrease with the rank so that the expected estimate is near the metric at every exact rank.

    .. math:: \min_x \sum_R \Big(\sum_r A_{Rr} x_r - F(R)\Big)^2, \qquad x_1 \ge x_2 \ge \dots \ge x_{m+1} \ge 0

    Solved as non-negative least squares in the steps of x. For a metric that increases with the rank, such as recovery,
    the weights increase too. A metric that is undefined at some rank (AUC with one candidate) has no weights: NaN.

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, section 5.2, whose text prints the inequality reversed.
    """

    law: Law = "binomial"

    def weights(self, problem: Problem, prior: np.ndarray) -> np.ndarray:
        chances, exact = problem.chances, problem.exact
        rises = exact[-1] > exact[0]
        defined = np.isfinite(exact).all(axis=0)
        weights = np.full((chances.shape[1], exact.shape[1]), np.nan)
        for way, columns in ((slice(None), defined & ~rises), (slice(None, None, -1), defined & rises)):
            if columns.any():
                weights[way, columns] = falling(chances[:, way], exact[:, columns], problem.size)
        return weights


def falling(chances: np.ndarray, exact: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return the weights that fall from each column of ``chances`` to the next, one row per such column.

    size : how many ranks each row stands for.
    """
    from scipy.optimize import nnls  # slow to import, and every estimator's job would

    of_steps = np.cumsum(chances, axis=1)  # a step after rank r lifts all ranks up to r
    each = np.sqrt(size)[:, None]
    q, r = np.linalg.qr(each * of_steps)
    steps = [nnls(r, target, maxiter=100 * len(r))[0] for target in (q.T @ (each * exact)).T]
    return np.cumsum(np.array(steps)[:, ::-1], axis=1)[:, ::-1].T
