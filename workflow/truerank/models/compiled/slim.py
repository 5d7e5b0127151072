"""Non-negative elastic nets that share one Gram matrix, by coordinate descent on the few items that matter."""

import numpy as np
from numba import njit

NEWCOMERS = 32  # items that may join at a time: few, so that most of those that join stay


@njit(nogil=True, cache=True)
def regress_block(gram, first, last, l1, l2, tolerance, sweeps, weights):
    """Regress items ``first`` to ``last`` on all others, each by itself; weights : out, (last - first) x items.

    gram : items x items, float32.
    """
    for j in range(first, last):
        regress(gram, j, l1, l2, tolerance, sweeps, weights[j - first])


@njit(nogil=True, cache=True)
def regress(gram, j, l1, l2, tolerance, sweeps, w):
    """Regress item j on all others; w : out, float64.

    Only the items with a weight, and those whose weight would grow most, take part in the descent, on their own small
    matrix. When no other item's weight would grow, the solution is that of the whole problem.
    """
    n = len(gram)
    w[:] = 0
    left = gram[j].astype(np.float64)  # the product of each item with what is not yet explained of item j
    active = np.empty(0, np.int64)
    for _ in range(sweeps):
        step = np.empty(n)
        for i in range(n):
            grows = w[i] == 0 and i != j and left[i] > l1
            step[i] = (left[i] - l1) / (gram[i, i] + l2) if grows else 0.0
        joining = np.flatnonzero(step > tolerance)
        if len(joining) == 0:
            return
        joining = joining[np.argsort(-step[joining])[:NEWCOMERS]]
        active = np.concatenate((active, joining))
        descend(gram, j, active, l1, l2, tolerance, sweeps, w)
        active = active[w[active] > 0]
        left[:] = gram[j]
        for i in active:
            row = gram[i]
            for k in range(n):
                left[k] -= w[i] * row[k]


@njit(nogil=True, cache=True)
def descend(gram, j, active, l1, l2, tolerance, sweeps, w):
    """Set each active weight to its best value given the others, in turn, until none moves."""
    n = len(active)
    own = np.empty((n, n))
    for a in range(n):
        for b in range(n):
            own[a, b] = gram[active[a], active[b]]
    value = w[active]
    left = gram[j][active] - own @ value
    for _ in range(100 * sweeps):
        largest = 0.0
        for a in range(n):
            best = max(left[a] + own[a, a] * value[a] - l1, 0.0) / (own[a, a] + l2)
            change = best - value[a]
            if change != 0:
                value[a] = best
                row = own[a]
                for b in range(n):
                    left[b] -= change * row[b]
                largest = max(largest, abs(change))
        if largest <= tolerance:
            break
    w[active] = value
