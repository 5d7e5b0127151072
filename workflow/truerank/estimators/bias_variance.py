"""The trade-off between bias and variance."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from truerank.estimators._core.base import UNIFORM, PriorWeighting
from truerank.estimators._core.problem import Law, Problem
from truerank.registry import ESTIMATORS

RESOLVED = 1e-13  # of the largest eigenvalue of A'DA: less is rounding
Weight = Annotated[float, {"minimum": 0, "maximum": 1}]


@ESTIMATORS.register("bias_variance", takes=("ranks",))
@dataclass(frozen=True, kw_only=True)
class BiasVariance(PriorWeighting):
    r"""Choose weights that minimise squared bias plus gamma times variance, on average over a prior P of exact ranks.

    .. math:: x = \big((1 - \gamma) A^\top D A + \gamma\, \mathrm{diag}(c)\big)^{-1} A^\top D b, \qquad
              D = \mathrm{diag}(P),\; c = A^\top P,\; b_R = F(R)

    A rank that P does not admit gets 0. With gamma 0 only the bias counts: x is the least-squares solution of
    :math:`D^{1/2} A x = D^{1/2} b`, the shortest of those that are equal up to rounding; its variance is
    often too large to be useful.
    prior : uniform, or the name of an estimator that fits P. pooled : its mean over all repeats, which a single
    experiment does not have; the authors of BV_MES use it.

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, eq. 22 and 25; Li et al. 2024, doi:10.1145/3629171, section 5.
    """

    gamma: Weight = 0.1
    prior: str = UNIFORM
    pooled: bool = False
    law: Law = "binomial"

    def solve(self, problem: Problem, prior: np.ndarray, gram: np.ndarray, target: np.ndarray) -> np.ndarray:
        if self.gamma:
            return super().solve(problem, prior, gram, target)
        return np.linalg.pinv(gram, rcond=RESOLVED, hermitian=True) @ target

    def kernel(self, problem: Problem, gram: np.ndarray, admitted: np.ndarray) -> np.ndarray:
        gram *= 1 - self.gamma
        gram.flat[:: len(gram) + 1] += np.where(admitted > 0, self.gamma * admitted, 1)
        return gram
