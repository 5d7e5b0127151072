"""Which items a user's test items are ranked among: three rules that studies use."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from scipy import sparse

Rule = Literal["unseen", "all", "tested"]


@dataclass(frozen=True)
class Candidates:
    """The candidates of every user: the items of ``pool`` but those that are barred to the user.

    barred : users x items in CSR form, a stored entry where the item is no candidate of the user. pool : codes,
    ascending.
    """

    barred: sparse.csr_matrix
    pool: np.ndarray

    @cached_property
    def left_out(self) -> np.ndarray:
        """The items that nobody is ranked among, ascending."""
        return np.setdiff1d(np.arange(self.barred.shape[1]), self.pool)

    @cached_property
    def barred_in_pool(self) -> sparse.csr_matrix:
        """Users x places of the pool in CSR form, a stored entry where the item there is barred."""
        return self.barred if len(self.pool) == self.barred.shape[1] else self.barred[:, self.pool]

    @cached_property
    def per_user(self) -> np.ndarray:
        """The number of candidates of each user."""
        return len(self.pool) - np.diff(self.barred_in_pool.indptr)


def candidates_of(rule: Rule, train: sparse.csr_matrix, test_item: np.ndarray) -> Candidates:
    """Return the candidates of every user under a rule.

    ``unseen``: all items but those of the user's training. ``all``: all items, those of the user's training too.
    ``tested``: items that are in the test set of anybody, but those of the user's training.
    train : users x items in CSR form. test_item : of the test rows of all users, also where only some are ranked.
    """
    pool = np.unique(test_item) if rule == "tested" else np.arange(train.shape[1])
    return Candidates(sparse.csr_matrix(train.shape, dtype=train.dtype) if rule == "all" else train, pool)
