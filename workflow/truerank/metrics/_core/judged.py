"""The rank table as metrics see it: the ranks, judgements and predictions of every user's test items."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from truerank.radix_sort import sorted_by

Scale = tuple[float, float]  # the lowest and the highest possible rating


class JudgedRanks:
    """JudgedRanks test items, users contiguous and each user's items in order of rank.

    Per row: ``row`` the user's index, ``rank`` from 1, ``rating`` (1 everywhere if there are none), ``relevant``,
    ``prediction`` of the rating (None if the model has none).
    Per user: ``users`` the codes, ascending, ``candidates`` how many items were ranked, ``n_judged``, ``n_relevant``,
    ``mean_rating`` of all that the user rated (of the rows, if not given; 0 without ratings).
    scale : lowest and highest possible rating, of the rows if not given. It is a dataset's, whichever rows are here.
    """

    kept: tuple[np.ndarray, np.ndarray] | None = None  # by ``cells_of_ranks``
    prediction: np.ndarray | Any  # or None, but metrics of predictions are not asked then

    def __init__(
        self,
        user: np.ndarray,
        rank: np.ndarray,
        relevant: np.ndarray,
        candidates: np.ndarray,
        rating: np.ndarray | None = None,
        prediction: np.ndarray | None = None,
        mean_rating: np.ndarray | None = None,
        scale: Scale | None = None,
    ) -> None:
        self.order = order = sorted_by(rank, user)  # of the rows as given
        user = np.asarray(user)[order]
        is_first = np.ones(len(user), bool)
        is_first[1:] = user[1:] != user[:-1]
        self.first = first = np.flatnonzero(is_first)
        self.users, self.row = user[first], np.cumsum(is_first) - 1
        self.rank = np.asarray(rank)[order]
        self.relevant = np.asarray(relevant, bool)[order]
        self.rating = np.ones(len(order)) if rating is None else np.asarray(rating, float)[order]
        self.prediction = None if prediction is None else np.asarray(prediction, float)[order]
        self.candidates = np.asarray(candidates)[order][first]
        if mean_rating is not None:
            self.mean_rating = np.asarray(mean_rating, float)[order][first]
        else:
            self.mean_rating = np.zeros(len(first)) if rating is None else self.sum_by_user(self.rating) / self.n_judged
        self.scale = scale or (self.rating.min(initial=np.inf), self.rating.max(initial=-np.inf))

    @cached_property
    def n_judged(self) -> np.ndarray:
        return np.bincount(self.row, minlength=len(self.users))

    @cached_property
    def n_relevant(self) -> np.ndarray:
        return self.sum_by_user(self.relevant)

    @cached_property
    def unpredicted(self) -> np.ndarray:
        """Per user, whether a prediction is missing: then no metric of predictions is defined."""
        return self.sum_by_user(np.isnan(self.prediction)) > 0

    @cached_property
    def hits(self) -> np.ndarray:
        """Per row, the number of the user's relevant items at this rank or above."""
        return self.running(self.relevant)

    @cached_property
    def misses(self) -> np.ndarray:
        """Per row, the number of the user's judged items at this rank or above that are not relevant."""
        return self.running(~self.relevant)

    def running(self, values: np.ndarray) -> np.ndarray:
        """Return, per row, the sum of ``values`` over the user's rows up to this one."""
        total = np.cumsum(values, dtype=float)
        return total - np.append(0, total)[self.first][self.row]

    def sum_by_user(self, values: np.ndarray) -> np.ndarray:
        return np.bincount(self.row, values, len(self.users))

    def sum_within(self, values: np.ndarray, k: np.ndarray, place: np.ndarray | None = None) -> np.ndarray:
        """Return, users x cut-offs, the sum of ``values`` over rows whose place (their rank, if not given) is <= k.

        k : cut-offs in ascending order, infinity for no cut-off. One pass over the rows, however many cut-offs.
        """
        cell = self.cells_of_ranks(k) if place is None else self.cells(k, place)
        sums = np.bincount(cell, values, len(self.users) * (len(k) + 1))
        return sums.reshape(-1, len(k) + 1)[:, :-1].cumsum(axis=1)

    def cells(self, k: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Return, per row, where it counts in users x cut-offs: at the first that its place is within."""
        return self.row * (len(k) + 1) + np.searchsorted(k, place)

    def cells_of_ranks(self, k: np.ndarray) -> np.ndarray:
        """Return the cells by rank; those of the last cut-offs are kept, since every metric asks for the same."""
        kept = self.kept
        if kept is None or not np.array_equal(kept[0], k):
            self.kept = kept = k.copy(), self.cells(k, self.rank)
        return kept[1]

    def place_by(self, values: np.ndarray, then: np.ndarray | None = None) -> np.ndarray:
        """Return, per row, 1 for the user's row with the largest value, 2 for the next, and so on.

        Equal values are placed by ``then``, the largest first, and last in order of rank.
        """
        keys = (-values, self.row) if then is None else (-then, -values, self.row)
        place = np.empty(len(values), int)
        place[sorted_by(*keys)] = np.arange(len(values))
        return place - self.first[self.row] + 1

    def is_constant(self, values: np.ndarray) -> np.ndarray:
        """Tell, per user, whether all rows, if there are any, have the same value."""
        return self.sum_by_user(values != values[self.first[self.row]]) == 0

    def pairs(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield rows ``one`` and ``other``: every pair of rows of a user occurs once, no row twice in one ``one``.

        One step per distance between rows: as many as the longest user has, whatever the number of users.
        """
        end = (self.first + self.n_judged)[self.row]
        one = np.arange(len(self.row))
        for distance in range(1, self.n_judged.max(initial=0)):
            one = one[one + distance < end[one]]
            yield one, one + distance


def ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Divide, users x cut-offs by users (or the same shape); NaN, which means undefined, where the denominator is 0."""
    denominator = np.broadcast_to(
        denominator[:, None] if denominator.ndim < numerator.ndim else denominator, numerator.shape
    )
    return np.divide(numerator, denominator, where=denominator > 0, out=np.full(numerator.shape, np.nan))
