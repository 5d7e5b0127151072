"""Adaptive negatives: more for instances whose item ranks first."""

import numpy as np

from truerank.errors import UserError
from truerank.registry import SAMPLERS, Count
from truerank.sampling._core.sample import Sample
from truerank.sampling._core.simulation import simulate

START, LIMIT = 100, 3200


@SAMPLERS.register("adaptive", needs="ranks", gives="sized ranks", takes="some")
def adaptive(
    rank: np.ndarray,
    candidates: np.ndarray,
    rng: np.random.Generator,
    *,
    start: Count = START,
    limit: Count = LIMIT,
    replace: bool = False,
    repeats: Count = 100,
) -> Sample:
    """Double the set of candidates while the test item is first in it, up to a limit.

    start, limit : sizes of the set, the test item included. rank : models x instances. Given that no item above the
    test item was drawn, the number of such items among further draws has the same distribution with fewer candidates
    left. Without replacement, if a set would need more candidates than its user has, it contains all of them, and its
    rank is exact.

    Li et al. 2024, doi:10.1145/3629171, Algorithm 1.
    """
    if not 2 <= start <= limit:
        raise UserError(f"start is {start} and limit {limit}, expected 2 <= start <= limit; correct them")
    sampled = np.ones((len(rank), repeats, len(candidates)), np.int32)
    drawn = np.zeros(sampled.shape, np.int32)
    done = 0
    for goal in set_sizes(start, limit) - 1:
        uniforms = rng.random((repeats, len(candidates)))
        left = candidates if replace else candidates - done
        whole = np.zeros(len(candidates), bool) if replace else candidates - 1 <= goal
        for model, exact in enumerate(rank):
            first = sampled[model] == 1
            rows = np.flatnonzero(first.any(axis=0) & ~whole)
            found = np.broadcast_to(exact, first.shape).astype(np.int32)
            found[:, rows] = simulate(exact[rows], left[rows], goal - done, uniforms[:, rows], replace)
            np.copyto(sampled[model], found, where=first)
            np.copyto(drawn[model], np.where(whole, candidates - 1, goal), where=first)
        done = goal
    return Sample(sampled, drawn, np.False_ if replace else drawn == candidates - 1)


def set_sizes(start: int = START, limit: int = LIMIT) -> np.ndarray:
    """Return the set sizes of adaptive sampling: start, twice that, .., limit."""
    sizes = [start]
    while sizes[-1] < limit:
        sizes.append(min(2 * sizes[-1], limit))
    return np.array(sizes)
