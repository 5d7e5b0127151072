"""Compiled inner loops over one block of scores; ``exact`` calls them, and nothing else does.

In a block, ``scores`` is rows x items. Training items are overwritten with NaN: every comparison with them is false, so
they are no candidates. Of two items that tie, the one with the smaller hash comes first: ``order.hashes``, except for
the user's test items, whose hash is given, so that a tie policy can put them anywhere.
"""

import numpy as np
from numba import njit

from truerank.ranking import order

mix = njit(order.mix, cache=True, inline="always")


CHUNK = 2048  # scores that stay in the first-level cache while they are compared with every test item


@njit(nogil=True, cache=True)
def rank_block(
    scores, salts, train_start, train_item, test_start, test_item, test_hash, score, above, tied, before, lists, values
):
    """Rank the test items of every row, and list its best items.

    salts : per row, ``order.salt`` of the user. train_start, test_start : rows + 1 offsets into ``train_item``, and
    into ``test_item`` (ascending in a row), ``test_hash`` and the outputs ``score``, ``above``, ``tied``, ``before``.
    lists, values : rows x depth outputs. Returns the first row that cannot be ranked, or -1.
    """
    hashes = np.empty(lists.shape[1], np.uint64)
    for b in range(len(scores)):
        row = scores[b]
        history = train_item[train_start[b] : train_start[b + 1]]
        for j in history:
            if not row[j] < np.inf:
                return b
            row[j] = np.nan
        t = slice(test_start[b], test_start[b + 1])
        if count_above(row, test_item[t], score[t], above[t], tied[t]) < len(row) - len(history):
            return b
        place_ties(row, salts[b], test_item[t], test_hash[t], tied[t], before[t])
        list_best(row, salts[b], test_item[t], test_hash[t], lists[b], values[b], hashes)
    return -1


@njit(nogil=True, cache=True)
def count_above(row, test_item, score, above, tied):
    """Count the scores above, and equal to, that of every test item; return how many scores can be ranked at all."""
    above[:] = 0
    tied[:] = -1
    for t in range(len(test_item)):
        score[t] = row[test_item[t]]
    ranked = 0
    for start in range(0, len(row), CHUNK):
        chunk = row[start : start + CHUNK]
        for j in range(len(chunk)):
            ranked += chunk[j] < np.inf
        for t in range(len(test_item)):
            s = score[t]
            higher = 0
            equal = 0
            for j in range(len(chunk)):
                higher += chunk[j] > s
                equal += chunk[j] == s
            above[t] += higher
            tied[t] += equal
    return ranked


@njit(nogil=True, cache=True)
def place_ties(row, salt, test_item, test_hash, tied, before):
    """Count, for every test item, the tied candidates of smaller hash, test items by the hash given for them.

    Candidates scored minus infinity are not recommended, so they do not tie: the test items among them come last.
    """
    before[:] = 0
    for t in range(len(test_item)):
        if tied[t] == 0:
            continue
        s, h = row[test_item[t]], test_hash[t]
        if s == -np.inf:
            before[t] = tied[t]
            for other in range(len(test_item)):
                before[t] -= row[test_item[other]] == s and test_hash[other] > h
            continue
        for j in range(len(row)):
            before[t] += row[j] == s and mix(salt + np.uint64(j)) < h
        for other in range(len(test_item)):
            j = test_item[other]
            if row[j] == s:
                before[t] += test_hash[other] < h
                before[t] -= mix(salt + np.uint64(j)) < h


@njit(nogil=True, cache=True)
def list_best(row, salt, test_item, test_hash, item, value, hash_):
    """Fill the best items of a row into ``item`` and ``value``, in order; places past the last are -1 and NaN.

    An item scored minus infinity is not listed.
    """
    depth = len(item)
    given = test_item, test_hash
    size = fill_heap(row, salt, given, sampled_floor(row, depth), value, hash_, item)
    if size < depth:
        size = fill_heap(row, salt, given, -np.inf, value, hash_, item)
    for last in range(size - 1, 0, -1):
        s, h, i = value[last], hash_[last], item[last]
        value[last], hash_[last], item[last] = value[0], hash_[0], item[0]
        sink(value, hash_, item, last, s, h, i)
    item[size:] = -1
    value[size:] = np.nan


@njit(nogil=True, cache=True)
def sampled_floor(row, depth):
    """Guess, from one item in sixteen, a score that about twice ``depth`` items reach; a bad guess costs only time."""
    best = np.full(2 * depth // 16 + 1, -np.inf, np.float32)
    for start in range(0, len(row), 1024):
        for j in range(start, min(start + 64, len(row))):
            s = row[j]
            if s > best[0]:
                place = 1
                while place < len(best) and best[place] < s:
                    best[place - 1] = best[place]
                    place += 1
                best[place - 1] = s
    return best[0]


@njit(nogil=True, cache=True)
def fill_heap(row, salt, given, floor, value, hash_, item):
    """Collect the best items that score at least ``floor`` in a heap whose root is the worst; return how many."""
    test_item, test_hash = given
    depth = len(value)
    size = 0
    worst = floor
    for start in range(0, len(row), 64):
        chunk = row[start : start + 64]
        hopeful = 0
        for c in range(len(chunk)):
            hopeful += chunk[c] >= worst
        if hopeful == 0:
            continue
        for c in range(len(chunk)):
            s = chunk[c]
            if not (s >= worst and s > -np.inf):
                continue
            place = np.searchsorted(test_item, start + c)
            is_test = place < len(test_item) and test_item[place] == start + c
            h = test_hash[place] if is_test else mix(salt + np.uint64(start + c))
            if size < depth:
                rise(value, hash_, item, size, s, h, start + c)
                size += 1
            elif worse(value[0], hash_[0], s, h):
                sink(value, hash_, item, size, s, h, start + c)
            if size == depth:
                worst = value[0]
    return size


@njit(nogil=True, cache=True, inline="always")
def worse(s, h, other_s, other_h):
    return s < other_s or (s == other_s and h > other_h)


@njit(nogil=True, cache=True)
def rise(value, hash_, item, place, s, h, i):
    """Add an entry at the end of the heap whose root is the worst one."""
    while place > 0:
        parent = (place - 1) // 2
        if not worse(s, h, value[parent], hash_[parent]):
            break
        value[place], hash_[place], item[place] = value[parent], hash_[parent], item[parent]
        place = parent
    value[place], hash_[place], item[place] = s, h, i


@njit(nogil=True, cache=True)
def sink(value, hash_, item, size, s, h, i):
    """Put an entry in the place of the root and let it sink below all that are worse."""
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and worse(value[child + 1], hash_[child + 1], value[child], hash_[child]):
            child += 1
        if not worse(value[child], hash_[child], s, h):
            break
        value[place], hash_[place], item[place] = value[child], hash_[child], item[child]
        place = child
    value[place], hash_[place], item[place] = s, h, i
