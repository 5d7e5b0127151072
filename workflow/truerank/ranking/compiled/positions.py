"""Compiled inner loop over lists; ``positions`` calls it, and nothing else does."""

import numpy as np
from numba import njit

SOUND, ITEM_TWICE, PLACE_TWICE, DISAGREE = range(4)


@njit(nogil=True, cache=True)
def place_lists(
    first,
    end,
    user,
    item,
    rank,
    score,
    tie,
    test_start,
    test_item,
    test_tie,
    train_start,
    train_item,
    n_known,
    item_stamp,
    train_stamp,
    place_stamp,
    stamp,
    test_rank,
    n_unknown,
):
    """Write the places of test items into ``test_rank``; return what is wrong, if anything, and in which row.

    A list is the rows ``first`` to ``end`` of one user. Stamps say which list an item, a training item or a place was
    last seen in, so that nothing is cleared between lists. See ``positions`` for the rest.
    """
    for number in range(len(user)):
        u = user[number]
        own = stamp + number
        begin, stop = first[number], end[number]
        for t in range(train_start[u], train_start[u + 1]):
            train_stamp[train_item[t]] = own
        trained = train_start[u] < train_start[u + 1]
        for row in range(begin, stop):
            i = item[row]
            if item_stamp[i] == own:
                return ITEM_TWICE, row
            item_stamp[i] = own
            if len(rank):
                if place_stamp[rank[row]] == own:
                    return PLACE_TWICE, row
                place_stamp[rank[row]] = own
            if i >= n_known:
                n_unknown[u] += 1
        if len(rank) and len(score):
            order = begin + np.argsort(rank[begin:stop])
            for place in range(1, len(order)):
                if score[order[place]] > score[order[place - 1]]:
                    return DISAGREE, order[place]
        for t in range(test_start[u], test_start[u + 1]):
            if item_stamp[test_item[t]] == own and not len(rank):
                for row in range(begin, stop):
                    if item[row] == test_item[t]:
                        tie[row] = test_tie[t]
        for t in range(test_start[u], test_start[u + 1]):
            if item_stamp[test_item[t]] != own:
                continue
            hit = begin
            while item[hit] != test_item[t]:
                hit += 1
            if len(rank):
                found = rank[hit]
                if trained:
                    for row in range(begin, stop):
                        found -= train_stamp[item[row]] == own and rank[row] < rank[hit]
            else:
                found = 1
                for row in range(begin, stop):
                    if not trained or train_stamp[item[row]] != own:
                        found += score[row] > score[hit] or (score[row] == score[hit] and tie[row] < tie[hit])
            test_rank[t] = found
    return SOUND, -1
