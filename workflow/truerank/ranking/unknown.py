"""Items that a model recommends and the catalogue does not have: each keeps its place, and none is ever a hit."""

from dataclasses import dataclass

import numpy as np

from truerank.ranking.order import hashes


@dataclass(frozen=True)
class UnknownItems:
    """What a model recommends besides the catalogue, one row per user and item.

    item : numbers from the size of the catalogue on. score : float32, finite.
    """

    user: np.ndarray
    item: np.ndarray
    score: np.ndarray

    def per_user(self, n_users: int) -> np.ndarray:
        """Return how many each user has."""
        return np.bincount(self.user, minlength=n_users)

    def above(self, user: np.ndarray, score: np.ndarray) -> np.ndarray:
        """Return how many of a user's score higher, per row of ``user`` and ``score``."""
        return preceding((self.user, -self.score), (user, -score))

    def tied(self, user: np.ndarray, score: np.ndarray) -> np.ndarray:
        """Return how many of a user's score the same."""
        return preceding((self.user, -self.score), (user, -score), or_equal=True) - self.above(user, score)

    def ahead(self, user: np.ndarray, score: np.ndarray, tie_hash: np.ndarray, key: np.uint64) -> np.ndarray:
        """Return how many of a user's score higher, or the same and come first in the order of ``key``.

        tie_hash : the places of the rows in that order, under a tie policy (``order.tie_hashes``).
        """
        own = hashes(key, self.user, self.item)
        return preceding((self.user, -self.score, own), (user, -score, tie_hash))


def preceding(rows: tuple[np.ndarray, ...], queries: tuple[np.ndarray, ...], or_equal: bool = False) -> np.ndarray:
    """Return, per query, how many rows of the same user come before it. rows, queries : user, then what sorts them."""
    n = len(rows[0])
    is_row = np.repeat([True, False], [n, len(queries[0])])
    keys = [np.concatenate(pair) for pair in zip(rows, queries, strict=True)]
    order = np.lexsort((is_row != or_equal, *reversed(keys)))
    found = np.empty(len(order), np.int64)
    found[order] = np.cumsum(is_row[order])
    return found[n:] - np.searchsorted(np.sort(rows[0]), queries[0])
