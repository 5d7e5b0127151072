"""Expectation-maximisation for the weights of a mixture whose components are known."""

import math

import numpy as np

from truerank.estimators._core.problem import Problem

CELLS_PER_BLOCK = 1 << 18
NEGLIGIBLE = 1e-25

Blocks = list[tuple[slice, list[tuple[slice, np.ndarray]]]]


def mixture(blocks: Blocks, shares: np.ndarray, start: np.ndarray, iterations: int) -> np.ndarray:
    r"""Return the weights of a mixture's components after so many steps of EM from ``start``.

    .. math:: w_R \leftarrow w_R \sum_r \tilde p_r \frac{A_{Rr}}{\sum_{R'} w_{R'} A_{R'r}}

    shares : ... x outcomes, each row summing to 1. blocks : A in pieces, (components, [(outcomes, their chances), ..]),
    slices both; an outcome that no piece has is impossible there. A step is two matrix products for all rows at once;
    the last of a step and the first of the next share a block while it is in the cache.
    """
    wanted = shares.reshape(-1, shares.shape[-1])
    weights = np.tile(start, (len(wanted), 1))
    expected = np.zeros_like(wanted)
    for components, pieces in blocks:
        for outcomes, chances in pieces:
            expected[:, outcomes] += weights[:, components] @ chances
    for _ in range(iterations):
        ratio = np.divide(wanted, expected, where=wanted > 0, out=np.zeros_like(expected))
        expected[:] = 0
        for components, pieces in blocks:
            part = weights[:, components]
            part *= sum(ratio[:, outcomes] @ chances.T for outcomes, chances in pieces)
            for outcomes, chances in pieces:
                expected[:, outcomes] += part @ chances
    return weights.reshape(*shares.shape[:-1], len(start))


def law_blocks(problem: Problem) -> Blocks:
    """Cut the law of sampled ranks into blocks of exact ranks without ever holding it whole.

    Left out is what has a chance below 1e-25 in the whole block, by Hoeffding's bound: of m negatives, draws with or
    without replacement put more than sqrt(m log(1e25) / 2) too many or too few above the item no more often than that.
    """
    rows = max(1, CELLS_PER_BLOCK // len(problem.seen.rank))
    blocks = []
    for start in range(0, len(problem.size), rows):
        components = slice(start, min(start + rows, len(problem.size)))
        likely = (likely_outcomes(problem, components, group) for group in problem.seen.groups)
        pieces = [(each, problem.chances_of(components, each)) for each in likely if each.start < each.stop]
        blocks.append((components, pieces))
    return blocks


def likely_outcomes(problem: Problem, components: slice, group: slice) -> slice:
    """Return the part of ``group``, outcomes with one size of the set, that is not negligible in some component."""
    rank, m = problem.seen.rank[group], int(problem.seen.negatives[group.start])
    first, last = problem.support.first[components.start], problem.support.last[components.stop - 1]
    lowest, highest = float(first), float(last)
    if m:
        reach = math.sqrt(m * -math.log(NEGLIGIBLE) / 2)
        share = m / max(problem.n_items - 1, 1)
        lowest, highest = 1 + (lowest - 1) * share - reach, 1 + (highest - 1) * share + reach
    elif highest == problem.n_items:
        highest = math.inf
    start, stop = np.searchsorted(rank, lowest), np.searchsorted(rank, highest, side="right")
    return slice(group.start + int(start), group.start + int(stop))


def matrix_blocks(chances: np.ndarray) -> Blocks:
    """Cut any components x outcomes matrix into blocks, without the outcomes at its ends that are negligible there."""
    rows = max(1, CELLS_PER_BLOCK // chances.shape[1])
    blocks = []
    for start in range(0, len(chances), rows):
        block = chances[start : start + rows]
        likely = np.flatnonzero(block.max(axis=0) > NEGLIGIBLE)
        outcomes = slice(int(likely[0]), int(likely[-1]) + 1) if len(likely) else slice(0, 0)
        blocks.append((slice(start, start + len(block)), [(outcomes, np.ascontiguousarray(block[:, outcomes]))]))
    return blocks
