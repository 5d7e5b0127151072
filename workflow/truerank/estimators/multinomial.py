"""The estimator that expects the counts of exact ranks to be multinomial."""

from dataclasses import dataclass

import numpy as np

from truerank.estimators._core.base import PriorWeighting
from truerank.estimators._core.problem import Law, Problem
from truerank.registry import ESTIMATORS


@ESTIMATORS.register("multinomial", takes=("ranks",))
@dataclass(frozen=True, kw_only=True)
class Multinomial(PriorWeighting):
    r"""Choose weights that minimise the expected squared error for M instances whose ranks follow a fitted P.

    .. math:: x = \Big(A^\top D A - \frac{1}{M} A^\top A + \frac{1}{M} \mathrm{diag}\Big(\sum_R A_R\Big)\Big)^{-1}
              A^\top D b, \qquad D = \mathrm{diag}(P)

    A sampled rank that is impossible for every R has weight 0. prior : the name of an estimator that fits P. pooled :
    its mean over all repeats, as the authors do.

    Li et al. 2024, doi:10.1145/3629171, section 5.
    """

    prior: str
    pooled: bool = False
    law: Law = "binomial"

    def kernel(self, problem: Problem, gram: np.ndarray, admitted: np.ndarray) -> np.ndarray:
        gram += problem.spread
        gram.flat[:: len(gram) + 1] += gram.diagonal() == 0
        return gram
