"""How far a split lets models learn from the future: training rows that are later than test rows."""

from typing import NamedTuple

import numpy as np


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
    if not len(train_time) or not len(test_time):
        return Leakage(*[np.nan] * 4)
    n_users = int(max(train_user.max(), test_user.max())) + 1
    moments = np.unique(np.concatenate([train_time, test_time]))
    train, test = (np.searchsorted(moments, times) for times in (train_time, test_time))
    all_later = len(train) - np.searchsorted(np.sort(train), test, side="right")
    keys = np.sort(train_user.astype(np.int64) * len(moments) + train)
    ends = np.searchsorted(keys, (test_user.astype(np.int64) + 1) * len(moments))
    own_later = ends - np.searchsorted(keys, test_user.astype(np.int64) * len(moments) + test, side="right")
    rows_of = np.bincount(train_user, minlength=n_users)
    pairs = (len(train) - rows_of[test_user]).sum()
    return Leakage(
        float((train > first_of_others(test_user, test, train_user, len(moments))).mean()),
        float((all_later - own_later).sum() / pairs) if pairs else np.nan,
        float((train_time > np.median(test_time)).mean()),
        float((own_later > 0).mean()),
    )


def first_of_others(test_user: np.ndarray, test: np.ndarray, user: np.ndarray, never: int) -> np.ndarray:
    """Return, per entry of ``user``, the first moment of a test row of anybody else, ``never`` if there is none."""
    first = np.argmin(test)
    others = test[test_user != test_user[first]]
    return np.where(user == test_user[first], others.min(initial=never), test[first])
