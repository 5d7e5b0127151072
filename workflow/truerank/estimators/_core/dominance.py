"""Which models sampling cannot put in the wrong order."""

import numpy as np


def recall_curve(rank: np.ndarray, n_items: int) -> np.ndarray:
    """Return recall@K for K = 1 .. n_items, one relevant item per instance."""
    return np.cumsum(np.bincount(rank, minlength=n_items + 1)[1 : n_items + 1]) / len(rank)


def crossings(one: np.ndarray, other: np.ndarray) -> tuple[int, int]:
    """Return how often the curve ``one`` passes to the other side of ``other``, and the first K after which it has.

    0 and 0 where one lies above or on the other at every K: then sampling cannot reverse the pair in expectation, for
    any metric that falls with the rank. Li et al. 2024, doi:10.1145/3629171, Theorem 3.1.
    """
    side = np.sign(one - other)
    apart = np.flatnonzero(side)
    turns = apart[1:][np.diff(side[apart]) != 0]
    return len(turns), int(turns[0]) + 1 if len(turns) else 0
