"""Maximum likelihood by expectation-maximisation."""

from dataclasses import dataclass

import numpy as np

from truerank.estimators.base import Fitting
from truerank.registry import ESTIMATORS, Count

CELLS_PER_BLOCK = 1 << 17
NEGLIGIBLE = 1e-25


@ESTIMATORS.register("mle", takes=("ranks",))
@dataclass(frozen=True, kw_only=True)
class Mle(Fitting):
    r"""Fit P(R) by likelihood: sampled ranks are a mixture of binomials, one component per exact rank.

    .. math:: P(R) \leftarrow \sum_r \tilde p_r \frac{P(R) A_{Rr}}{\sum_{R'} P(R') A_{R'r}}

    from the uniform. ``iterations`` is a regulariser: to convergence, the fit follows the noise at small k.

    Li et al. 2024, doi:10.1145/3629171, section 4; 100 iterations are in the authors' code.
    """

    iterations: Count = 100

    def fit(self, problem):
        return mixture(problem.chances, problem.seen.shares, self.iterations)


@ESTIMATORS.register("adaptive_mle", takes=("sized ranks",))
@dataclass(frozen=True, kw_only=True)
class AdaptiveMle(Mle):
    """Fit P(R) by likelihood to sets of different sizes; instances with the same set size and rank share one term.

    Li et al. 2024, doi:10.1145/3629171, section 6; 50 iterations are in the authors' code.
    """

    iterations: Count = 50


def mixture(chances, shares, iterations):
    """Return the weights of a mixture's components after so many steps of EM from equal ones.

    chances : components x outcomes, near components alike. shares : ... x outcomes, each row summing to 1. A step is
    two matrix products for all rows at once. They go by blocks of components: the last product of a step and the first
    of the next share a block while it is in the cache, and a block leaves out what is all but impossible in it.
    """
    seen = shares.reshape(-1, shares.shape[-1]).any(axis=0)
    size = max(1, CELLS_PER_BLOCK // len(seen))
    blocks = []
    for start in range(0, len(chances), size):
        block = chances[start : start + size]
        likely = np.flatnonzero(seen & (block.max(axis=0) > NEGLIGIBLE))
        blocks.append((slice(start, start + size), likely, np.ascontiguousarray(block[:, likely])))
    weights = np.full((*shares.shape[:-1], len(chances)), 1 / len(chances))
    expected = weights @ chances
    for _ in range(iterations):
        ratio = np.divide(shares, expected, where=shares > 0, out=np.zeros_like(expected))
        expected = np.zeros_like(expected)
        for rows, likely, block in blocks:
            weights[..., rows] *= ratio[..., likely] @ block.T
            expected[..., likely] += weights[..., rows] @ block
    return weights
