"""Top lists as metrics see them: what is listed, for whom it is relevant, and what the catalogue knows of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from truerank.metrics._core.judged import JudgedRanks


@dataclass(frozen=True)
class Catalogue:
    """What training tells of items. ratings : items x users, CSR, 1 if implicit. attributes : items x labels."""

    ratings: sparse.csr_matrix
    attributes: sparse.csr_matrix | None = None

    @property
    def n_items(self) -> int:
        return self.ratings.shape[0]

    @property
    def n_users(self) -> int:
        return self.ratings.shape[1]

    @cached_property
    def degree(self) -> np.ndarray:
        """The number of training users of each item."""
        return np.diff(self.ratings.indptr)


class TopLists:
    """The lists of the users of ``judged``, in the same order.

    item : users x depth codes, -1 past the last. relevant : the same shape; a list and the ranks follow one order, so
    the item at place p is the one of rank p. Without a cut-off, k is the depth.
    """

    def __init__(self, item: np.ndarray, judged: JudgedRanks, catalogue: Catalogue) -> None:
        self.item = item
        self.judged = judged
        self.catalogue = catalogue
        self.is_listed = item >= 0

    @property
    def depth(self) -> int:
        return self.item.shape[1]

    @cached_property
    def relevant(self) -> np.ndarray:
        found = np.zeros(self.item.shape, bool)
        rows = self.judged.relevant & (self.judged.rank <= self.depth)
        found[self.judged.row[rows], self.judged.rank[rows] - 1] = True
        return found & self.is_listed

    def places(self, k: np.ndarray) -> np.ndarray:
        """Return the cut-offs as numbers of places, at most the depth."""
        return np.minimum(k, self.depth).astype(int)

    def of_item(self, values: np.ndarray) -> np.ndarray:
        """Return values per item as users x depth, 0 where nothing is listed."""
        return np.where(self.is_listed, values[self.item], 0)

    def sum_within(self, values: np.ndarray, k: np.ndarray) -> np.ndarray:
        """Return, users x cut-offs, the sum of users x depth ``values`` over the first k places."""
        return np.cumsum(values, axis=1, dtype=float)[:, self.places(k) - 1]

    def counts(self, k: np.ndarray, chosen: np.ndarray | None = None) -> Iterator[np.ndarray]:
        """Yield, for each cut-off, how many lists have each item in their first k places, or in ``chosen`` ones."""
        chosen = self.is_listed if chosen is None else chosen
        total = np.zeros(self.catalogue.n_items, int)
        done = 0
        for places in self.places(k):
            band = self.item[:, done:places][chosen[:, done:places]]
            total = total + np.bincount(band, minlength=len(total))
            done = places
            yield total


def list_array(
    users: np.ndarray, user: np.ndarray, position: np.ndarray, item: np.ndarray, depth: int = 1
) -> np.ndarray:
    """Return listed items as users x depth, or as deep as the deepest list, -1 where there are none.

    users : ascending codes, one row each.
    """
    found = np.full((len(users), position.max(initial=max(depth, 1))), -1, np.int32)
    found[np.searchsorted(users, user), position - 1] = item
    return found
