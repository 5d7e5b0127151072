"""How far a split lets models learn from the future: training rows that are later than test rows."""

from typing import NamedTuple

import numpy as np

from truerank.moments import Moments, pairs_later


class Leakage(NamedTuple):
    """Shares from 0 to 1, NaN where no row has a time.

    later_than_a_test_row : of training rows, those later than some test row of another user. later_on_average : of
    pairs of a test row and a training row of another user, those in which training is later. later_than_median : of
    training rows, those later than the median of the test rows. own_later : of test rows, those with a later training
    row of the same user.
    """

    later_than_a_test_row: float
    later_on_average: float
    later_than_median: float
    own_later: float


def leakage(train_user: np.ndarray, train_time: np.ndarray, test_user: np.ndarray, test_time: np.ndarray) -> Leakage:
    """Return how much of training is later than the test, rows without a time left out by the caller.

    user : codes from 0; time : whole numbers. Rows of the same moment are not later. Sorting is all the work. No row in
    one of the parts: NaN.
    """
    found = LeakageCounts()
    found.add(train_user, train_time, test_user, test_time)
    return found.shares


class LeakageCounts:
    """What ``leakage`` counts, of users who come in blocks, each with all rows of its users.

    edges : where to cut times, if they are too many for memory.
    """

    def __init__(self, edges: np.ndarray | None = None) -> None:
        self.train, self.test = Moments(edges), Moments(edges)
        self.own_pairs = self.own_later_pairs = self.own_later_rows = 0
        self.first = self.second = np.inf  # the first test row of all, and the first of another user
        self.of_first = np.empty(0, np.int64)  # training times of the user who has the first

    def add(self, train_user: np.ndarray, train_time: np.ndarray, test_user: np.ndarray, test_time: np.ndarray) -> None:
        self.train.add(train_time)
        self.test.add(test_time)
        if not len(test_time):
            return
        n_users = int(max(train_user.max(initial=0), test_user.max())) + 1
        self.own_pairs += int(np.bincount(train_user, minlength=n_users)[test_user].sum())
        later = own_later(train_user, train_time, test_user, test_time)
        self.own_later_pairs += int(later.sum())
        self.own_later_rows += int((later > 0).sum())
        place = np.argmin(test_time)
        user, own = test_user[place], test_time[place]
        others = test_time[test_user != user]
        next_own = float(others.min()) if len(others) else np.inf
        if own < self.first:
            self.second, self.first = min(self.first, next_own), float(own)
            self.of_first = train_time[train_user == user]
        else:
            self.second = min(self.second, float(own))

    @property
    def shares(self) -> Leakage:
        if not len(self.train) or not len(self.test):
            return Leakage(*[np.nan] * 4)
        others = self.train.later_than(self.first) - int((self.of_first > self.first).sum())
        late = others + int((self.of_first > self.second).sum())
        pairs = len(self.train) * len(self.test) - self.own_pairs
        later = pairs_later(self.train, self.test) - self.own_later_pairs
        return Leakage(
            late / len(self.train),
            later / pairs if pairs else np.nan,
            self.train.later_than(self.test.median()) / len(self.train),
            self.own_later_rows / len(self.test),
        )


def own_later(
    train_user: np.ndarray, train_time: np.ndarray, test_user: np.ndarray, test_time: np.ndarray
) -> np.ndarray:
    """Return, per test row, how many training rows of the same user are later."""
    moments = np.unique(np.concatenate([train_time, test_time]))
    train, test = (np.searchsorted(moments, times) for times in (train_time, test_time))
    keys = np.sort(train_user.astype(np.int64) * len(moments) + train)
    ends = np.searchsorted(keys, (test_user.astype(np.int64) + 1) * len(moments))
    return ends - np.searchsorted(keys, test_user.astype(np.int64) * len(moments) + test, side="right")
