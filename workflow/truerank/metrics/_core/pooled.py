r"""Metrics over all test ratings: the ratio of two sums over users, with a contribution of every user to it.

.. math:: \theta = \frac{\sum_u S_u}{\sum_u N_u}, \quad x_u = \theta + \frac{S_u - \theta N_u}{\bar N}

S and N are a user's sum of errors and number of ratings. The mean of the contributions x is exactly :math:`\theta`, and
their spread over users is that of the ratio: it counts that another sample of users would have other numbers of
ratings, too. So what takes a mean over users or its interval takes x as it takes the values of any metric. Where the
value is the root of such a ratio, x is :math:`\sqrt\theta` plus the deviation over :math:`2 \sqrt\theta`. A
contribution may lie outside of the metric's range.

A test that exchanges the errors of two systems for some users exchanges the sums S, since N is the same for both:
``errors_of`` gets them back from contributions.

Cochran 1977, Sampling Techniques, section 2.11, for the variance of a ratio.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from truerank.metrics._core.judged import JudgedRanks
from truerank.registry import METRICS

RowErrors = Callable[[JudgedRanks], np.ndarray]
COUNT = " ratings"  # after a column's name: the users' numbers of ratings, where sums are kept apart


class Pooled(NamedTuple):
    """What is summed over test ratings, ``errors(judged)`` per row, and whether the ratio's root is the value."""

    errors: RowErrors
    root: bool

    def sums(self, judged: JudgedRanks) -> tuple[np.ndarray, np.ndarray]:
        """Return every user's sum of errors and number of ratings; NaN and 0 for a user who is undefined.

        Such a user has no ratings, or one without a prediction, whose error is NaN.
        """
        errors = np.where(judged.n_judged > 0, judged.sum_by_user(self.errors(judged)), np.nan)
        return errors, np.where(np.isnan(errors), 0.0, judged.n_judged)

    def value(self, errors: Any, ratings: Any) -> Any:
        """Return the value of sums, NaN of none."""
        with np.errstate(invalid="ignore"):
            mean = np.divide(errors, ratings)
        return np.sqrt(mean) if self.root else mean

    def contributions(self, errors: np.ndarray, ratings: np.ndarray, totals: np.ndarray | None = None) -> np.ndarray:
        """Return what every user adds to the value, so that the mean is the value; undefined users stay NaN.

        totals : of all users, as ``totals`` returns them, where these are some of the users.
        """
        ratio, per_user, slope = self.scales(self.totals(errors, ratings) if totals is None else totals)
        with np.errstate(invalid="ignore"):
            return self.value(ratio, 1.0) + (errors - ratio * ratings) / (per_user * slope)

    def errors_of(
        self, contributions: np.ndarray, ratings: np.ndarray, means: tuple[float, float] | None = None
    ) -> np.ndarray:
        """Return the users' sums of errors, of which these are the contributions.

        means : of contributions and of ratings over all users who are defined, where these are some of the users.
        """
        known = ~np.isnan(contributions)
        if means is None:
            means = (contributions[known].mean(), ratings[known].mean()) if known.any() else (np.nan, np.nan)
        value, per_user = means
        ratio = value**2 if self.root else value
        slope = 2 * np.sqrt(ratio) if self.root and ratio > 0 else 1.0
        return (contributions - value) * per_user * slope + ratio * ratings

    def totals(self, errors: np.ndarray, ratings: np.ndarray) -> np.ndarray:
        """Return the sums of errors and of ratings of the users who are defined, and how many they are."""
        known = ~np.isnan(errors)
        return np.array([np.nansum(errors), ratings[known].sum(), known.sum()])

    def scales(self, totals: np.ndarray) -> tuple[float, float, float]:
        """Return the ratio of sums, the mean number of ratings, and how fast the ratio changes with the value."""
        errors, ratings, n_users = totals
        if not n_users:
            return np.nan, np.nan, np.nan
        ratio = errors / ratings
        return ratio, ratings / n_users, 2 * np.sqrt(ratio) if self.root and ratio > 0 else 1.0

    def make(self, judged: JudgedRanks) -> np.ndarray:
        """Return the contributions of the users of a rank table."""
        return self.contributions(*self.sums(judged))


def pooled(name: str, *, root: bool, **facts: Any) -> Callable[[RowErrors], Callable[[JudgedRanks], np.ndarray]]:
    """Register the decorated function, which returns an error per row of the rank table, as a metric of all ratings."""

    def enter(errors: RowErrors) -> Callable[[JudgedRanks], np.ndarray]:
        parts = Pooled(errors, root)

        @functools.wraps(errors)
        def metric(judged: JudgedRanks) -> np.ndarray:
            return parts.make(judged)

        return METRICS.register(name, pooled=parts, needs="predictions", higher_is_better=False, **facts)(metric)

    return enter
