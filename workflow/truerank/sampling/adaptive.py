"""Adaptive negatives: more for those whose item comes first."""

import numpy as np

from truerank.errors import UserError
from truerank.registry import SAMPLERS, Count
from truerank.sampling.sample import Sample
from truerank.sampling.simulation import check_enough, simulate


@SAMPLERS.register("adaptive", needs="ranks", gives="sized ranks")
def adaptive(
    rank, candidates, rng, *, start: Count = 100, limit: Count = 3200, replace: bool = False, repeats: Count = 100
):
    """Double the set of candidates while the test item is first in it, up to a limit.

    start, limit : sizes of the set, the test item included. rank : models x instances. Given that nobody above the item
    was drawn, those above it among further draws have the same law with fewer candidates left.

    Li et al. 2024, doi:10.1145/3629171, Algorithm 1.
    """
    if not 2 <= start <= limit:
        raise UserError(f"start is {start} and limit {limit}, expected 2 <= start <= limit; correct them")
    if not replace:
        check_enough(candidates, limit - 1, "limit")
    sampled = np.ones((len(rank), repeats, len(candidates)), np.int32)
    drawn = np.zeros(sampled.shape, np.int32)
    done, goal = 0, start - 1
    while done < limit - 1:
        uniforms = rng.random((repeats, len(candidates)))
        left = candidates if replace else candidates - done
        for model, exact in enumerate(rank):
            first = sampled[model] == 1
            rows = np.flatnonzero(first.any(axis=0))
            found = simulate(exact[rows], left[rows], goal - done, uniforms[:, rows], replace)
            sampled[model][:, rows] = np.where(first[:, rows], found, sampled[model][:, rows])
            drawn[model][first] = goal
        done, goal = goal, min(2 * goal + 1, limit - 1)
    return Sample(sampled, drawn)


def cost_per_resolved(n_instances, sizes, resolved):
    r"""Return the item scores that one more instance with r > 1 costs at each size of the set.

    .. math:: C_j = \frac{(M - \sum_{p<j} m_p)(n_j - n_{j-1})}{m_j}, \qquad C_0 = \frac{M n_0}{m_0}

    sizes : n_j ascending. resolved : m_j, how many stopped there with r > 1. Infinite where nobody did.

    Li et al. 2024, eq. 44.
    """
    resolved = np.asarray(resolved, float)
    waiting = n_instances - np.append(0, np.cumsum(resolved)[:-1])
    spent = waiting * np.diff(sizes, prepend=0)
    return np.divide(spent, resolved, where=resolved > 0, out=np.full(len(resolved), np.inf))
