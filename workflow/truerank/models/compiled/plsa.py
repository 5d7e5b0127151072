"""One step of expectation maximisation for a mixture of topics."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, fastmath=True)
def expect(start, index, weight, topics, items, new_topics, new_items):
    """Share each interaction among the topics and add the shares up; return the log-likelihood before.

    start, index, weight : the users' items in CSR form, and how often each counts. topics : users x topics, P(z|u).
    items : items x topics, P(i|z). new_topics, new_items : out, the sums of P(z|u,i) over the user's items, and over
    the item's users; all float32.
    """
    n = topics.shape[1]
    share = np.empty(n, np.float32)
    total = 0.0
    new_items[:] = 0
    new_topics[:] = 0
    for u in range(len(topics)):
        mine, new_mine = topics[u], new_topics[u]
        for t in range(start[u], start[u + 1]):
            i = index[t]
            its, new_its = items[i], new_items[i]
            chance = np.float32(0)
            for z in range(n):
                share[z] = mine[z] * its[z]
                chance += share[z]
            if chance > 0:
                scale = weight[t] / chance
                for z in range(n):
                    part = share[z] * scale
                    new_mine[z] += part
                    new_its[z] += part
                total += weight[t] * np.log(chance)
    return total
