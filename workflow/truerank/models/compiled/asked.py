"""Entries of a product of matrices that are asked for, and no others."""

import numpy as np
from numba import njit

from truerank.models.compiled import FAST

SEARCH = 32  # entries of a row that are read in the time of one binary search in it
STREAMED = 32  # entries of a dense row that are read in the time of one that is picked out


@njit(nogil=True, cache=True)
def sparse_product(left, right, width, items, found):
    """Set ``found``, rows x n, to the entries of left @ right in the columns ``items``, rows x n, which may repeat.

    left, right : (start, index, value) in CSR form, the indices of ``right`` ascending in each row. width : columns of
    ``right``. A row of ``right`` is read whole, or searched for the items asked where it is much longer than they are
    many. Either way an entry is summed in the order of the row of ``left``, as the whole product sums it.
    """
    left_start, left_index, left_value = left
    start, index, value = right
    asked_by = np.full(width, -1, np.int64)  # the last row that asked for the column
    total = np.empty(width, np.float32)
    distinct = np.empty(items.shape[1], np.int64)
    for r in range(len(items)):
        n = 0
        for i in items[r]:
            if asked_by[i] != r:
                asked_by[i] = r
                total[i] = 0
                distinct[n] = i
                n += 1
        for t in range(left_start[r], left_start[r + 1]):
            x = left_value[t]
            first, last = start[left_index[t]], start[left_index[t] + 1]
            if last - first <= SEARCH * n:
                for s in range(first, last):
                    if asked_by[index[s]] == r:
                        total[index[s]] += x * value[s]
            else:
                own = index[first:last]
                for i in distinct[:n]:
                    s = np.searchsorted(own, i)
                    if s < len(own) and own[s] == i:
                        total[i] += x * value[first + s]
        for c in range(items.shape[1]):
            found[r, c] = total[items[r, c]]


@njit(nogil=True, cache=True)
def dense_product(left, right, items, found):
    """Do as ``sparse_product`` where ``right`` is dense: its rows are read whole where much of them is asked for."""
    start, index, value = left
    n_items = right.shape[1]
    whole = STREAMED * items.shape[1] >= n_items
    total = np.empty(n_items if whole else 0, np.float32)
    for r in range(len(items)):
        own = slice(start[r], start[r + 1])
        if whole:
            total[:] = 0
            add_rows(index[own], value[own], right, total)
            for c in range(items.shape[1]):
                found[r, c] = total[items[r, c]]
            continue
        found[r] = 0
        for t in range(start[r], start[r + 1]):
            x, row = value[t], right[index[t]]
            for c in range(items.shape[1]):
                found[r, c] += x * row[items[r, c]]


@njit(nogil=True, cache=True)
def dense_rows(left, right, found):
    """Set ``found`` to left @ right, where ``right`` is dense."""
    start, index, value = left
    for r in range(len(found)):
        found[r] = 0
        own = slice(start[r], start[r + 1])
        add_rows(index[own], value[own], right, found[r])


@njit(nogil=True, cache=True)
def sparse_rows(left, right, found):
    """Set ``found`` to left @ right, where ``right`` is sparse, in CSR form as ``left`` is."""
    left_start, left_index, left_value = left
    start, index, value = right
    for r in range(len(found)):
        total = found[r]
        total[:] = 0
        for t in range(left_start[r], left_start[r + 1]):
            x = left_value[t]
            for s in range(start[left_index[t]], start[left_index[t] + 1]):
                total[index[s]] += x * value[s]


@njit(nogil=True, cache=True)
def add_rows(index, value, right, total):
    """Add some rows of ``right``, each times its value, to ``total``, one after the other.

    Eight at a time, in that order too, so that ``total`` is read and written once for eight rows.
    """
    n = len(index) - len(index) % 8
    for t in range(0, n, 8):
        a, b, c, d = right[index[t]], right[index[t + 1]], right[index[t + 2]], right[index[t + 3]]
        e, f, g, h = right[index[t + 4]], right[index[t + 5]], right[index[t + 6]], right[index[t + 7]]
        x = value[t : t + 8]
        for j in range(len(total)):
            half = total[j] + x[0] * a[j] + x[1] * b[j] + x[2] * c[j] + x[3] * d[j]
            total[j] = half + x[4] * e[j] + x[5] * f[j] + x[6] * g[j] + x[7] * h[j]
    for t in range(n, len(index)):
        a, one = right[index[t]], value[t]
        for j in range(len(total)):
            total[j] += one * a[j]


@njit(**FAST)
def inner_products(left, right, items, found):
    """Set ``found``, rows x n, to the products of row r of ``left`` and the rows ``items[r]`` of ``right``."""
    for r in range(len(items)):
        for c in range(items.shape[1]):
            row = right[items[r, c]]
            total = np.float32(0)
            for f in range(left.shape[1]):
                total += left[r, f] * row[f]
            found[r, c] = total
