"""What moves a mean over users: other users, another split, another training."""

from typing import NamedTuple

import numpy as np


class Components(NamedTuple):
    """Parts of the variance of one run's mean; NaN where replicates of that kind are fewer than two."""

    users: float
    split: float
    training: float


def components(values: np.ndarray) -> Components:
    r"""Return the parts of the variance of a mean over users, by analysis of variance.

    .. math:: V_t = \overline{\operatorname{var}_t(\bar y_{st})}, \quad
        V_s = \operatorname{var}_s(\bar y_s) - V_t / T, \quad
        V_u = \Big(\operatorname{var}_u(\bar y_u) - \frac{MS_{us}}{S}\Big) \Big/ n

    values : splits x trainings x users, no NaN; trainings belong to their split. MS_us is what is left of the users'
    values on S splits after their own and the split's mean: which of a user's rows were held out belongs to the split.
    With one split that cannot be told apart and is part of ``users``; with one training, training is part of ``split``.
    A part that comes out below 0 is 0. Fewer than two users, or none at all: NaN.

    Searle, Casella & McCulloch 1992, doi:10.1002/9780470316856, chapter 4.
    """
    n_splits, n_trainings, n_users = values.shape
    means = values.mean(axis=2) if n_users else np.full(values.shape[:2], np.nan)
    training = float(means.var(axis=1, ddof=1).mean()) if n_trainings > 1 else np.nan
    split = np.nan
    if n_splits > 1:
        between = means.mean(axis=1).var(ddof=1)
        split = float(max(between - np.nan_to_num(training) / n_trainings, 0))
    return Components(of_users(values.mean(axis=1)), split, training)


def of_users(values: np.ndarray) -> float:
    """Return the users' part. values : splits x users."""
    n_splits, n_users = values.shape
    if n_users < 2:
        return np.nan
    own = values.mean(axis=0)
    spread = own.var(ddof=1)
    if n_splits > 1:
        rest = values - own - values.mean(axis=1, keepdims=True) + own.mean()
        spread -= (rest**2).sum() / ((n_splits - 1) * (n_users - 1)) / n_splits
    return float(max(spread, 0) / n_users)
