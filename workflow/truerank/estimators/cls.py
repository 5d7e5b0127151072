"""Constrained least squares."""

from dataclasses import dataclass

import numpy as np

from truerank.estimators.base import Weighting
from truerank.estimators.problem import Law
from truerank.registry import ESTIMATORS


@ESTIMATORS.register("cls", takes=("ranks",))
@dataclass(frozen=True, kw_only=True)
class ConstrainedLeastSquares(Weighting):
    r"""Choose weights that fall with the rank so that the expected estimate is near the metric at every exact rank.

    .. math:: \min_x \sum_R \Big(\sum_r A_{Rr} x_r - F(R)\Big)^2, \qquad x_1 \ge x_2 \ge \dots \ge x_{m+1} \ge 0

    Solved as non-negative least squares in the steps of x. Krichene & Rendle 2020, section 5.2, whose text prints the
    inequality reversed.
    """

    law: Law = "binomial"

    def weights(self, problem, prior):
        from scipy.optimize import nnls  # slow to import, and every estimator's job would

        of_steps = np.cumsum(problem.chances, axis=1)  # a step after rank r lifts all ranks up to r
        q, r = np.linalg.qr(of_steps)
        steps = [nnls(r, target, maxiter=100 * len(r))[0] for target in (q.T @ problem.exact).T]
        return np.cumsum(np.array(steps)[:, ::-1], axis=1)[:, ::-1].T
