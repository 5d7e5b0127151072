"""Add up discounted gains in the best order."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def best_sums(by_gain, row, gain, keep, discount, band, n_users, n_cutoffs):
    """Return, users x cut-offs, the discounted gain of the kept rows from the largest gain down.

    by_gain : rows, users contiguous. discount, band : by place from the first, and the first cut-off around it.
    """
    best = np.zeros((n_users, n_cutoffs))
    user, place = -1, 0
    for j in by_gain:
        if keep[j]:
            place = place + 1 if row[j] == user else 0
            user = row[j]
            if band[place] < n_cutoffs:
                best[user, band[place]] += gain[j] / discount[place]
    for u in range(n_users):
        for c in range(1, n_cutoffs):
            best[u, c] += best[u, c - 1]
    return best
