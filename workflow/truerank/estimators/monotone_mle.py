"""Maximum likelihood among distributions that decrease with the rank."""

from dataclasses import dataclass

import numpy as np

from truerank.estimators._core.base import Fitting
from truerank.estimators._core.mixture import matrix_blocks, mixture
from truerank.estimators._core.problem import Problem
from truerank.registry import ESTIMATORS, Count


@ESTIMATORS.register("monotone_mle", takes=("ranks", "sized ranks"))
@dataclass(frozen=True, kw_only=True)
class MonotoneMle(Fitting):
    r"""Fit P(R) by likelihood under the constraint that it never increases with R.

    .. math:: P(R) = \sum_{K \ge R} \frac{w_K}{K}

    P never increases with R if and only if it is a mixture of uniform distributions on 1 .. K; the same EM fits w. Not
    in the papers: a trained recommender ranks relevant items high more often than low. EM starts at equal weights, and
    a small number of ``iterations`` keeps P smooth, as for ``mle``: with more of them P piles up at the first ranks.
    """

    iterations: Count = 100

    def fit(self, problem: Problem) -> np.ndarray:
        size = problem.size
        share = problem.support.mean(lambda upto: 1 / upto)  # of each rank before a cell, mean over K in the cell
        own = 1 - (problem.support.first - 1) * share  # of the cell itself
        of_laws = own[:, None] * problem.chances
        of_laws[1:] += share[1:, None] * np.cumsum(size[:-1, None] * problem.chances[:-1], axis=0)
        blocks = matrix_blocks(of_laws)
        weights = mixture(blocks, problem.seen.shares, problem.uniform, self.iterations)
        fitted = weights * own
        fitted[..., :-1] += size[:-1] * np.cumsum((weights * share)[..., :0:-1], axis=-1)[..., ::-1]
        return fitted
