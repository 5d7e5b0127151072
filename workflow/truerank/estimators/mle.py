"""Maximum likelihood by expectation-maximisation."""

from dataclasses import dataclass

import numpy as np

from truerank.estimators._core.base import Fitting
from truerank.estimators._core.mixture import law_blocks, mixture
from truerank.estimators._core.problem import Problem
from truerank.registry import ESTIMATORS, Count


@ESTIMATORS.register("mle", takes=("ranks",))
@dataclass(frozen=True, kw_only=True)
class Mle(Fitting):
    r"""Fit P(R) by likelihood: sampled ranks are a mixture of binomials, one component per exact rank.

    .. math:: P(R) \leftarrow \sum_r \tilde p_r \frac{P(R) A_{Rr}}{\sum_{R'} P(R') A_{R'r}}

    from the uniform distribution. ``iterations`` is a regulariser: at convergence, the fit follows the noise at small
    k.

    Li et al. 2024, doi:10.1145/3629171, section 4; 100 iterations are in the authors' code.
    """

    iterations: Count = 100

    def fit(self, problem: Problem) -> np.ndarray:
        return mixture(law_blocks(problem), problem.seen.shares, problem.uniform, self.iterations)


@ESTIMATORS.register("adaptive_mle", takes=("sized ranks",))
@dataclass(frozen=True, kw_only=True)
class AdaptiveMle(Mle):
    """Fit P(R) by likelihood to sets of different sizes; instances with the same set size and rank share one term.

    If a set has all candidates of its user, the rank is exact and is used as such.

    Li et al. 2024, doi:10.1145/3629171, section 6; 50 iterations are in the authors' code.
    """

    iterations: Count = 50
