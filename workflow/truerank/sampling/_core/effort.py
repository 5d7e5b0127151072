"""What adaptive sampling costs at each size of its sets, as it happened and as exact ranks let expect."""

import numpy as np
from numpy.typing import ArrayLike

from truerank.sampling._core.law import rank_pmf


def chance_first(rank: ArrayLike, candidates: ArrayLike, sizes: np.ndarray, replace: bool = False) -> np.ndarray:
    """Return the chance that an item is first in a set of each size, instances x sizes.

    rank, candidates : R and C per instance. Without replacement a set has no more than C, where the chance is 0 or 1.
    """
    rank, candidates = np.asarray(rank)[:, None], np.asarray(candidates)[:, None]
    drawn = np.asarray(sizes) - 1 if replace else np.minimum(sizes, candidates) - 1
    return rank_pmf(1, rank, candidates, drawn, replace)


def expected_effort(
    rank: ArrayLike, candidates: ArrayLike, sizes: np.ndarray, replace: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""Return what adaptive sampling is expected to do at each size, from the exact ranks.

    .. math:: \mathrm{waiting}_j = \sum_u P(r_u = 1 \mid R_u, n_{j-1}), \qquad
              \mathrm{scored}_j = \sum_u P(r_u = 1 \mid R_u, n_{j-1}) (n_{uj} - n_{u,j-1})

    Returns waiting, scored and resolved (those whose item is not first any more) per size. At first everybody waits;
    n_uj is n_j, or C_u if that is less, and a user whose candidates are all drawn waits no more.
    """
    first = chance_first(rank, candidates, sizes, replace)
    before = np.column_stack([np.ones(len(first)), first[:, :-1]])
    size = np.broadcast_to(sizes, first.shape) if replace else np.minimum(sizes, np.asarray(candidates)[:, None])
    added = np.diff(size, axis=1, prepend=0)
    return (before * (added > 0)).sum(axis=0), (before * added).sum(axis=0), (before - first).sum(axis=0)


def realised_effort(
    rank: np.ndarray, drawn: np.ndarray, sizes: np.ndarray, times: ArrayLike = 1
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the same as ``expected_effort`` for sampled ranks, the mean over repeats.

    rank, drawn : repeats x instances, r and m of the last set. times : how often each pair occurs; with it they may be
    one row of pairs for all repeats.
    """
    rank, drawn, times = np.broadcast_arrays(rank, drawn, times)
    size, repeats = drawn + 1, len(rank)
    steps = np.diff(sizes, prepend=0)
    before = np.append(0, sizes[:-1])
    waiting = np.array([((size > edge) * times).sum() for edge in before])
    scored = [(np.clip(size - edge, 0, step) * times).sum() for edge, step in zip(before, steps, strict=True)]
    last = np.array([(size > edge) & (size <= n) & (rank > 1) for edge, n in zip(before, sizes, strict=True)])
    return waiting / repeats, np.array(scored) / repeats, (last * times).sum(axis=(1, 2)) / repeats


def cost_per_resolved(scored: np.ndarray, resolved: ArrayLike) -> np.ndarray:
    r"""Return the item scores that one more instance with r > 1 costs at each size of the set.

    .. math:: C_j = \frac{(M - \sum_{p<j} m_p)(n_j - n_{j-1})}{m_j}, \qquad C_0 = \frac{M n_0}{m_0}

    scored : the numerators. resolved : m_j, how many stopped there with r > 1. Infinite where nobody did.

    Li et al. 2024, doi:10.1145/3629171, eq. 44.
    """
    resolved = np.asarray(resolved, float)
    return np.divide(scored, resolved, where=resolved > 0, out=np.full(len(resolved), np.inf))
