"""Add up the terms of metrics over the judgements that are kept."""

import numpy as np
from numba import njit

from truerank.metrics._core.additive import EPSILON, FEW_MISSES, FIRST, HITS_ABOVE, INFERRED, PRECISION

N_FACTORS = 6


@njit(nogil=True, cache=True, error_model="numpy")
def add_weighted_sums(
    start,
    end,
    row,
    order,
    rank,
    band,
    relevant,
    values,
    column,
    factor,
    metric,
    of_others,
    keep,
    n_relevant,
    n_other,
    weight,
    group,
    total,
):
    """Add to ``total``, groups of users x cut-offs x metrics, the kept terms of users, each times the user's weight.

    start, end : of the rows of these users. row, order, rank, band, relevant : per row, users contiguous and in order
    of rank: the user, the row's place in ``keep``, its rank, the first cut-off around it. values : rows x columns.
    column, factor, metric : per term, where its values are, and what ``additive`` has. of_others : the terms that are
    not 0 in all rows that are not relevant. n_relevant, n_other : of all that is kept, per user. weight : users x
    cut-offs x metrics. group : per user. A user of whom nothing is kept adds nothing.
    """
    n_users, n_cutoffs, n_metrics = weight.shape
    flat = weight.reshape(n_users, n_cutoffs * n_metrics)
    sums, own = total.reshape(len(total), flat.shape[1]), np.zeros(flat.shape[1])
    factors = np.ones(N_FACTORS)
    kept, n = np.empty(end - start + 1, np.int32), 0
    for j in range(start, end):  # no branch depends on what is kept: a place is written, and kept by going on
        kept[n] = j
        n += keep[order[j]]
    user = row[kept[0]] if n else 0
    hits = misses = 0
    for place in range(n):
        j = kept[place]
        if row[j] != user:
            settle(own, n_metrics, user, flat, group[user], sums)
            user = row[j]
            hits = misses = 0
        first = np.uint64(band[j]) * np.uint64(n_metrics)
        if relevant[j]:
            factors[PRECISION] = (hits + 1) / rank[j]
            count_above(hits, misses, n_relevant[user], n_other[user], factors)
            for t in range(len(factor)):
                own[first + metric[t]] += values[j, column[t]] * factors[factor[t]]
            hits += 1
        else:
            if len(of_others):
                factors[PRECISION] = hits / rank[j]
                count_above(hits, misses, n_relevant[user], n_other[user], factors)
            for t in of_others:
                own[first + metric[t]] += values[j, column[t]] * factors[factor[t]]
            misses += 1
    if n:
        settle(own, n_metrics, user, flat, group[user], sums)


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def count_above(hits, misses, n_relevant, n_other, factors):
    """Write the factors that depend on the relevant and the other rows above."""
    factors[HITS_ABOVE] = hits
    factors[FIRST] = hits == 0
    most = min(n_other, n_relevant)
    factors[FEW_MISSES] = 1 - min(misses, n_relevant) / most if misses and most else 1.0
    factors[INFERRED] = (hits + EPSILON) / (hits + misses + 2 * EPSILON)


@njit(nogil=True, cache=True)
def settle(own, n_metrics, user, weight, group, total):
    """Add one user's sums to a total, each band's within its cut-off and all later ones, and clear them.

    own : bands x metrics in a row. weight, total : users and groups x the same.
    """
    for i in range(n_metrics, len(own)):
        own[i] += own[i - n_metrics]
    for i in range(len(own)):
        total[group, i] += own[i] * weight[user, i]
    own[:] = 0


@njit(nogil=True, cache=True)
def count_kept(row, relevant, keep, n_users):
    """Return, per user, how many relevant and how many other rows are kept."""
    n_relevant, n_other = np.zeros(n_users, np.int64), np.zeros(n_users, np.int64)
    for j in range(len(row)):
        n_relevant[row[j]] += keep[j] & relevant[j]
        n_other[row[j]] += keep[j] & ~relevant[j]
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
