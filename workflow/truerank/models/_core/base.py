"""What every recommender is: settings, a fit that returns arrays, and scores for a block of users.

A model holds no state besides its settings. ``fit`` returns named arrays, which are what is saved, and ``scores`` takes
them back, so a model that was loaded is the model that was trained.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from truerank.models._core.asked import inner_products_at, product, product_at
from truerank.models._core.progress import Callback
from truerank.ranking.shards import blocks
from truerank.ranking.unknown import UnknownItems

Learnt = dict[str, np.ndarray]  # named arrays: what ``fit`` returns, what is saved, what ``scores`` takes

CELLS_PER_BLOCK = 1 << 22  # of scores, users x items
ROWS_PER_BLOCK = 1024  # of products, item x item


@dataclass(frozen=True)
class Train:
    """The training part of a split: rows ``user``, ``item`` (codes, unique pairs) and ``rating`` (None if implicit).

    n_users, n_items : the whole catalogue, so that a user or item without a training row still has a code.
    context : users x features, what is known of each user besides, or None: see ``context.encode``.
    given : user, item and score of what a system outside recommends, or None: see ``run.Run``. Users and items that the
    dataset does not have are numbered from ``n_users`` and ``n_items`` on.
    """

    user: np.ndarray
    item: np.ndarray
    n_users: int
    n_items: int
    rating: np.ndarray | None = None
    context: np.ndarray | None = None
    given: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None

    @cached_property
    def matrix(self) -> sparse.csr_matrix:
        """Users x items in CSR form, 1 where the user has the item."""
        ones = np.ones(len(self.user), np.float32)
        return sparse.csr_matrix((ones, (self.user, self.item)), shape=(self.n_users, self.n_items))

    @cached_property
    def rated(self) -> sparse.csr_matrix:
        """Users x items in CSR form, the rating where the user has the item; 1 if implicit."""
        rating = np.ones(len(self.user), np.float32) if self.rating is None else self.rating
        return sparse.csr_matrix((rating, (self.user, self.item)), shape=(self.n_users, self.n_items))

    @cached_property
    def degree(self) -> np.ndarray:
        """The number of users of each item."""
        return np.bincount(self.item, minlength=self.n_items)

    @cached_property
    def per_user(self) -> np.ndarray:
        """The number of items of each user."""
        return np.bincount(self.user, minlength=self.n_users)


class Recommender:
    """A recommender. A subclass with settings is a dataclass whose fields they are."""

    threads = 1  # cores that ``fit`` may use; they never change what it learns
    needs_only_own_history = (
        False  # whether the scores of users need, of the training rows, only those of the same users
    )

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        """Learn from ``train`` and return the named arrays that ``scores`` needs.

        callback : called as ``callback(step, steps, loss)`` after every step of a training that takes several.
        """
        raise NotImplementedError

    def bytes_needed(self, train: Train) -> int:
        """Return the memory that ``fit`` and ``scores`` need where it grows faster than the data, else 0."""
        return 0

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        """Return float32 scores, users x items, in a new array; higher is better, minus infinity is never listed."""
        raise NotImplementedError

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        """Return float32 scores of some items per user. items : users x n codes.

        This default scores all items, once for each different user, and picks, a few users at a time. A model that can
        score some items without the others does so instead, since drawn negatives are few of many.
        """
        found = np.empty(items.shape, np.float32)
        different, place = np.unique(users, return_inverse=True)
        for block in blocks(len(different), max(1, CELLS_PER_BLOCK // train.n_items)):
            scores = self.scores(learnt, train, different[block])
            rows = np.flatnonzero((place >= block.start) & (place < block.stop))
            found[rows] = scores[place[rows, None] - block.start, items[rows]]
        return found

    def unknown_items(self, learnt: Learnt) -> UnknownItems | None:
        """Return what the model recommends besides the catalogue, None if it cannot: see ``run.Run``."""
        return None


class FactorModel(Recommender):
    """A recommender whose score is the product of a user vector and an item vector."""

    needs_only_own_history = True

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        return learnt["users"][users] @ learnt["items"].T

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        return inner_products_at(learnt["users"][users], learnt["items"], items)


class ItemWeightModel(Recommender):
    """A recommender whose score is the sum of weights from the user's training items to the candidate.

    ``learnt`` comes from ``item_weights``: weights, history item x candidate.
    """

    needs_only_own_history = True

    def history(self, learnt: Learnt, train: Train, users: np.ndarray) -> sparse.csr_matrix:
        """Return what the weights are multiplied with, users x items in CSR form: 1 for each training item."""
        return train.matrix[users]

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        return product(self.history(learnt, train, users), stored_weights(learnt, train.n_items))

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        return product_at(self.history(learnt, train, users), stored_weights(learnt, train.n_items), items)


SPARSE_PARTS = ("data", "indices", "indptr")


def gram_rows(matrix: sparse.csr_matrix) -> Iterator[tuple[slice, sparse.csr_matrix]]:
    """Yield the item x item products of a users x items matrix, some rows at a time: a slice and CSR rows, sorted."""
    by_item = matrix.tocsc().T
    for rows in blocks(by_item.shape[0], ROWS_PER_BLOCK):
        products = by_item[rows] @ matrix
        products.sort_indices()
        yield rows, products


def stored_weights(learnt: Learnt, n_items: int) -> np.ndarray | sparse.csr_matrix:
    """Return the weights in the form that ``item_weights`` chose: dense, or CSR."""
    if "weights" in learnt:
        return learnt["weights"]
    return sparse.csr_matrix(tuple(learnt[f"weights_{part}"] for part in SPARSE_PARTS), shape=(n_items, n_items))


def item_weights(weights: np.ndarray | sparse.spmatrix) -> Learnt:
    """Return a history item x candidate matrix as the named arrays of ``ItemWeightModel``, in the smaller form."""
    n = weights.shape[0]
    if isinstance(weights, np.ndarray) or 2 * weights.nnz > n * n:
        dense = weights if isinstance(weights, np.ndarray) else weights.toarray()
        return {"weights": np.ascontiguousarray(dense, np.float32)}
    rows = weights.tocsr().astype(np.float32, copy=False)
    rows.sort_indices()  # here, once, since ``product_at`` searches them
    return {f"weights_{part}": getattr(rows, part) for part in SPARSE_PARTS}
