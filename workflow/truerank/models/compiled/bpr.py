"""Stochastic gradient ascent on the order of pairs of items."""

import numpy as np
from numba import njit

from truerank.models.compiled import FAST


@njit(**FAST)
def epoch(order, drawn, user, item, start, index, bias, p, q, rate, l2, biased):
    """Take one step for each row, in the given order, against the item drawn for it; return the mean loss.

    drawn : an item per row, passed over where the user has it: ``start`` and ``index`` are the users' items in CSR
    form, ascending. bias : per item, learnt if ``biased``. p, q : users and items x factors. All float32, changed in
    place.
    """
    total = 0.0
    steps = 0
    for row in order:
        u, i, j = user[row], item[row], drawn[row]
        own = index[start[u] : start[u + 1]]
        place = np.searchsorted(own, j)
        if place < len(own) and own[place] == j:
            continue
        mine, good, bad = p[u], q[i], q[j]
        lead = bias[i] - bias[j]
        for f in range(len(mine)):
            lead += mine[f] * (good[f] - bad[f])
        push = np.float32(1) / (np.float32(1) + np.exp(lead))
        if biased:
            bias[i] += rate * (push - l2 * bias[i])
            bias[j] -= rate * (push + l2 * bias[j])
        for f in range(len(mine)):
            m, g, b = mine[f], good[f], bad[f]
            mine[f] += rate * (push * (g - b) - l2 * m)
            good[f] += rate * (push * m - l2 * g)
            bad[f] -= rate * (push * m + l2 * b)
        total += max(-lead, np.float32(0)) + np.log1p(np.exp(-abs(lead)))
        steps += 1
    return total / max(steps, 1)
