"""Add up the terms of metrics over the judgements that are kept."""

import numpy as np
from numba import njit

from truerank.metrics._core.additive import EPSILON, FEW_MISSES, FIRST, HITS_ABOVE, INFERRED, PRECISION


@njit(nogil=True, cache=True)
def weighted_sums(row, order, rank, band, relevant, values, factor, metric, keep, n_relevant, n_other, weight, group):
    """Add up, groups of users x metrics x cut-offs, the kept terms of all users, each user's times the user's weight.

    row, order, rank, band, relevant : per row, users contiguous and in order of rank: the user, the row's place in
    ``keep``, its rank, the first cut-off around it. values : rows x terms. factor, metric : per term, as ``additive``
    has them. n_relevant, n_other : of all that is kept, per user. weight : users x metrics x cut-offs. group : per
    user, ascending from 0. A user of whom nothing is kept adds nothing.
    """
    total = np.zeros((group[-1] + 1, weight.shape[1], weight.shape[2]))
    own = np.zeros(weight.shape[1:])
    user = -1
    hits = misses = 0
    for j in range(len(row)):
        if not keep[order[j]]:
            continue
        if row[j] != user:
            if user >= 0:
                settle(own, weight[user], total[group[user]])
            user = row[j]
            hits = misses = 0
        for t in range(len(factor)):
            value = values[j, t]
            if value == 0:
                continue
            if factor[t] == PRECISION:
                value *= (hits + relevant[j]) / rank[j]
            elif factor[t] == HITS_ABOVE:
                value *= hits
            elif factor[t] == FIRST:
                value *= hits == 0
            elif factor[t] == FEW_MISSES:
                if misses:
                    value *= 1 - min(misses, n_relevant[user]) / min(n_other[user], n_relevant[user])
            elif factor[t] == INFERRED:
                value *= (hits + EPSILON) / (hits + misses + 2 * EPSILON)
            own[metric[t], band[j]] += value
        if relevant[j]:
            hits += 1
        else:
            misses += 1
    if user >= 0:
        settle(own, weight[user], total[group[user]])
    return total


@njit(nogil=True, cache=True)
def settle(own, weight, total):
    """Add one user's sums, metrics x bands, to a total within each cut-off, and clear them."""
    for m in range(own.shape[0]):
        running = 0.0
        for c in range(own.shape[1]):
            running += own[m, c]
            total[m, c] += running * weight[m, c]
            own[m, c] = 0.0


@njit(nogil=True, cache=True)
def count_kept(row, relevant, keep, n_users):
    """Return, per user, how many relevant and how many other rows are kept."""
    n_relevant, n_other = np.zeros(n_users, np.int64), np.zeros(n_users, np.int64)
    for j in range(len(row)):
        if keep[j]:
            if relevant[j]:
                n_relevant[row[j]] += 1
            else:
                n_other[row[j]] += 1
    return n_relevant, n_other


@njit(nogil=True, cache=True)
def taus(one, other, tolerance, found):
    """Write tau-b between two orders, resamples x columns x systems, to ``found``; NaN where one has no order.

    Values that differ by no more than ``tolerance`` are equal. A system without a value (NaN) is equal to all.
    """
    for r in range(one.shape[0]):
        for c in range(one.shape[1]):
            both = untied = untied_too = 0
            for a in range(one.shape[2]):
                for b in range(a):
                    first, second = one[r, c, a] - one[r, c, b], other[r, c, a] - other[r, c, b]
                    sign = (first > tolerance) - (first < -tolerance)
                    sign_too = (second > tolerance) - (second < -tolerance)
                    both += sign * sign_too
                    untied += abs(sign)
                    untied_too += abs(sign_too)
            found[r, c] = both / np.sqrt(untied * untied_too) if untied * untied_too > 0 else np.nan
