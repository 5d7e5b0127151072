"""The rank table as metrics see it: the ranks and judgements of every user's test items."""

from functools import cached_property

import numpy as np


class Judged:
    """Judged test items, users contiguous and each user's items in order of rank.

    Per row: ``row`` the user's index, ``rank`` from 1, ``rating`` (1 everywhere if there are none), ``relevant``.
    Per user: ``users`` the codes, ascending, ``candidates`` how many items were ranked, ``n_relevant``.
    """

    def __init__(self, user, rank, relevant, candidates, rating=None):
        order = np.lexsort((rank, user))
        self.users, first, self.row = np.unique(user[order], return_index=True, return_inverse=True)
        self.rank = np.asarray(rank)[order]
        self.relevant = np.asarray(relevant, bool)[order]
        self.rating = np.ones(len(order)) if rating is None else np.asarray(rating, float)[order]
        self.candidates = np.asarray(candidates)[order][first]
        self.first = first

    @cached_property
    def n_relevant(self):
        return self.sum_by_user(self.relevant)

    @cached_property
    def hits(self):
        """Per row, the number of the user's relevant items at this rank or above."""
        return self.running(self.relevant)

    def running(self, values):
        """Return, per row, the sum of ``values`` over the user's rows up to this one."""
        total = np.cumsum(values, dtype=float)
        return total - np.append(0, total)[self.first][self.row]

    def sum_by_user(self, values):
        return np.bincount(self.row, values, len(self.users))

    def sum_within(self, values, k, place=None):
        """Return, users x cut-offs, the sum of ``values`` over rows whose place (their rank, if not given) is <= k.

        k : cut-offs in ascending order, infinity for no cut-off. One pass over the rows, however many cut-offs.
        """
        band = np.searchsorted(k, self.rank if place is None else place)
        cells = np.bincount(self.row * (len(k) + 1) + band, values, len(self.users) * (len(k) + 1))
        return cells.reshape(-1, len(k) + 1)[:, :-1].cumsum(axis=1)

    def place_by(self, values):
        """Return, per row, 1 for the user's row with the largest value, 2 for the next, and so on."""
        place = np.empty(len(values), int)
        place[np.lexsort((-values, self.row))] = np.arange(len(values))
        return place - self.first[self.row] + 1


def ratio(numerator, denominator):
    """Divide, users x cut-offs by users (or the same shape); NaN, which means undefined, where the denominator is 0."""
    denominator = np.broadcast_to(
        denominator[:, None] if denominator.ndim < numerator.ndim else denominator, numerator.shape
    )
    return np.divide(numerator, denominator, where=denominator > 0, out=np.full(numerator.shape, np.nan))
