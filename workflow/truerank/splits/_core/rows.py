"""What a split is given, what it returns, and how it picks some rows of each user."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from truerank.errors import UserError
from truerank.moments import Moments

NO_TIME = -(2**63 - 1)  # before any time, and so is minus it after any


@dataclass(frozen=True)
class Rows:
    """Interactions to be cut, one row per pair, in any order.

    user, item : codes
    timestamp : int64 seconds, ``NO_TIME`` where unknown
    part : None, or True for the rows of a given test set
    all_moments : returns the known times of all rows, where these are those of some users
    """

    user: np.ndarray
    item: np.ndarray
    timestamp: np.ndarray
    part: np.ndarray | None = None
    all_moments: Callable[[], Moments] | None = None

    def __len__(self) -> int:
        return len(self.user)

    @property
    def per_user(self) -> np.ndarray:
        """Rows per user code."""
        return np.bincount(self.user)

    @cached_property
    def moments(self) -> Moments:
        """The timestamps of all rows that are not missing."""
        if self.all_moments is not None:
            return self.all_moments()
        return Moments.of(self.timestamp[self.timestamp != NO_TIME])

    def lots(self, rng: np.random.Generator) -> np.ndarray:
        """One random number per row, which belongs to the pair: the order of the rows does not matter."""
        lots = np.empty(len(self))
        lots[np.lexsort((self.item, self.user))] = rng.random(len(self))
        return lots


@dataclass(frozen=True)
class Cut:
    """A mask of test rows and one of rows in neither part; the rest is for training.

    why_none : the reason why there are no test rows, with counts, and what to do; told where there are none.
    """

    test: np.ndarray
    dropped: np.ndarray
    why_none: str = "the split marks none; choose another kind"


def all_kept(test: np.ndarray, why_none: str = Cut.why_none) -> Cut:
    return Cut(test, np.zeros_like(test), why_none)


def one_row_each(rows: Rows) -> str:
    """The reason why nobody has a row to spare, which holds if every user has one row."""
    n_users = len(np.unique(rows.user))
    return f"each of the {n_users:,} users has one row, which stays in training; use data with more rows per user"


def check_times(rows: Rows, kind: str) -> None:
    """Refuse rows of which none has a timestamp."""
    if not (rows.timestamp != NO_TIME).any() and not len(rows.moments):
        raise UserError(
            f"the split {kind} needs timestamps and the dataset has none; map columns.timestamp, or use the "
            "split user_fraction, or given for files that are split already"
        )


def first_of_each(user: np.ndarray, n_first: np.ndarray, *keys: np.ndarray) -> np.ndarray:
    """Mark each user's first rows by ``keys``, the first key first: ``n_first[u]`` rows of user u."""
    order = np.lexsort((*reversed(keys), user))
    start = np.searchsorted(user[order], np.arange(len(n_first)))
    marked = np.empty(len(user), dtype=bool)
    marked[order] = np.arange(len(user)) - start[user[order]] < n_first[user[order]]
    return marked
