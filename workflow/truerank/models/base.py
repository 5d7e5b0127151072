"""What every recommender is: settings, a fit that returns arrays, and scores for a block of users.

A model holds no state besides its settings. ``fit`` returns named arrays, which are what is saved, and ``scores`` takes
them back, so a model that was loaded is the model that was trained.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class Train:
    """The training part of a split: rows ``user``, ``item`` (codes, unique pairs) and ``rating`` (None if implicit).

    n_users, n_items : the whole catalogue, so that a user or item without a training row still has a code.
    """

    user: np.ndarray
    item: np.ndarray
    n_users: int
    n_items: int
    rating: np.ndarray | None = None

    @cached_property
    def matrix(self):
        """Users x items in CSR form, 1 where the user has the item."""
        ones = np.ones(len(self.user), np.float32)
        return sparse.csr_matrix((ones, (self.user, self.item)), shape=(self.n_users, self.n_items))

    @cached_property
    def degree(self):
        """The number of users of each item."""
        return np.bincount(self.item, minlength=self.n_items)


class Recommender:
    """A recommender. Settings are keyword-only arguments of ``__init__``; see a subclass for an example."""

    threads = 1  # cores that ``fit`` may use; they never change what it learns

    def fit(self, train, rng):
        """Learn from ``train`` and return the named arrays that ``scores`` needs."""
        raise NotImplementedError

    def scores(self, learnt, train, users):
        """Return float32 scores, users x items, in a new array; higher is better, minus infinity is never listed."""
        raise NotImplementedError


class FactorModel(Recommender):
    """A recommender whose score is the product of a user vector and an item vector."""

    def scores(self, learnt, train, users):
        return learnt["users"][users] @ learnt["items"].T


class ItemWeightModel(Recommender):
    """A recommender whose score is the sum of weights from the user's training items to the candidate.

    ``learnt`` comes from ``item_weights``: weights, history item x candidate.
    """

    def scores(self, learnt, train, users):
        history = train.matrix[users]
        if "weights" in learnt:
            return history @ learnt["weights"]
        parts = tuple(learnt[f"weights_{part}"] for part in SPARSE_PARTS)
        return (history @ sparse.csr_matrix(parts, shape=(train.n_items, train.n_items))).toarray()


SPARSE_PARTS = ("data", "indices", "indptr")


def item_weights(weights):
    """Return a history item x candidate matrix as the named arrays of ``ItemWeightModel``, in the smaller form."""
    n = weights.shape[0]
    if not sparse.issparse(weights) or 2 * weights.nnz > n * n:
        dense = weights.toarray() if sparse.issparse(weights) else weights
        return {"weights": np.ascontiguousarray(dense, np.float32)}
    rows = weights.tocsr().astype(np.float32)
    return {f"weights_{part}": getattr(rows, part) for part in SPARSE_PARTS}
