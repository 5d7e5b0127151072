"""Maximum likelihood among distributions that fall with the rank."""

from dataclasses import dataclass

import numpy as np

from truerank.estimators._core.base import Fitting
from truerank.estimators._core.mixture import matrix_blocks, mixture
from truerank.estimators._core.problem import Problem
from truerank.registry import ESTIMATORS, Count


@ESTIMATORS.register("monotone_mle", takes=("ranks", "sized ranks"))
@dataclass(frozen=True, kw_only=True)
class MonotoneMle(Fitting):
    r"""Fit P(R) by likelihood under the constraint that it never rises with R.

    .. math:: P(R) = \sum_{K \ge R} \frac{w_K}{K}

    A mixture of uniforms on 1 .. K, and only such, falls with R; the same EM fits w. Not in the papers: a recommender
    that learnt anything puts relevant items high more often than low, and the constraint stands in for iterations
    that stop early.
    """

    iterations: Count = 100

    def fit(self, problem: Problem) -> np.ndarray:
        upto = problem.ranks
        blocks = matrix_blocks(np.cumsum(problem.chances, axis=0) / upto[:, None])
        weights = mixture(blocks, problem.seen.shares, problem.n_items, self.iterations)
        return np.cumsum((weights / upto)[..., ::-1], axis=-1)[..., ::-1]
