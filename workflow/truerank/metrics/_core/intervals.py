"""The interval of a mean over users: Student's, with both ends moved out for skew and for users not in the sample."""

from collections.abc import Iterable

import numpy as np
from scipy.special import stdtrit

from truerank.metrics._core.moments import Moments

LEVEL = 0.95
ROUNDING = 1e-9  # of the range, or of the largest value: values that differ by less are equal
# Chosen on the users of docs/intervals.md and on made-up sparse values: .93 is held everywhere, with a margin.
UNSEEN = 0.25  # what an imagined user weighs
BEYOND = 20  # how many times as far again as the farthest user an imagined one may be, if one user makes the spread


def mean_interval(
    values: np.ndarray,
    low: float = -np.inf,
    high: float = np.inf,
    possible: Iterable[float] = (),
    level: float = LEVEL,
) -> np.ndarray:
    r"""Return the ends of an interval for the mean of users like these, of 95 % if no other ``level`` is asked for.

    .. math:: m - \bar x = \frac{t^2}{2 n} \kappa + \sqrt{\Big(\frac{t^2}{2 n} \kappa\Big)^2 + \frac{t^2}{n} s^2},
        \quad \kappa = \max\Big(0, \frac{\sum_i d_i^3 + w g^3}{\sum_i d_i^2 + w g^2}\Big)

    This is the upper end; the lower one is the same for values that change their sign. d are the deviations from the
    mean, s^2 their variance, t Student's quantile with n - 1 degrees of freedom. Where values are skewed, mean and
    variance of a sample go up and down together, with slope kappa; m is where the squared distance reaches t^2 / n
    times the variance that belongs to m. With kappa = 0 that is the t interval, with values 0 and 1 it is Wilson's up
    to terms in 1 / n^2. Kappa counts w = 1/4 of an imagined user, g away: at the end of the range, but at most 1 + 20/e
    times as far as the farthest user, where e, the squared sum of d^2 over the sum of d^4, is how many users make the
    spread. Where few do, others like them may be missing; so 50 users who all have 0 get an upper end above 0.

    values : one per user, along the last axis. low, high : the range of the metric, infinite for none: then nobody is
    imagined on that side. possible : values that count as seen. One user has no interval, nor do equal values where the
    range has no end: NaN.

    Wilson 1927, doi:10.1080/01621459.1927.10502953; Johnson 1978, doi:10.1080/01621459.1978.10480051.
    """
    return interval_of(Moments.of(values), low, high, possible, level)


def interval_of(
    moments: Moments,
    low: float = -np.inf,
    high: float = np.inf,
    possible: Iterable[float] = (),
    level: float = LEVEL,
) -> np.ndarray:
    """Return the ends of ``mean_interval`` from the moments of the values."""
    size = high - low if np.isfinite(high - low) else np.maximum(-moments.least, moments.most)
    n, mean, least, most, second, third, fourth = moments.where(moments.most - moments.least > ROUNDING * size)
    spreading = np.divide(second**2, fourth, where=fourth > 0, out=np.ones(np.shape(fourth)))
    limit = 1 + BEYOND / spreading
    for value in possible:
        least, most = np.minimum(least, value), np.maximum(most, value)
    n = np.maximum(n, 1)
    factor = stdtrit(n - 1.0, (1 + level) / 2) ** 2 / n
    below = reach(n, second, -third, mean - low, limit * (mean - least), factor)
    above = reach(n, second, third, high - mean, limit * (most - mean), factor)
    return np.where((moments.n < 2) | np.isnan(below + above), np.nan, (mean - below, mean + above))


def reach(
    n: np.ndarray, second: np.ndarray, third: np.ndarray, room: np.ndarray, limit: np.ndarray, factor: float
) -> np.ndarray:
    """Return how far an end is from the mean, from the sums of squares and cubes of deviations towards it.

    room : from the mean to the end of the range. limit : of the distance of an imagined user, 0 for none. factor :
    Student's quantile squared, over n.
    """
    room = np.maximum(room, 0.0)  # a mean may be rounded to beyond the range
    gap = np.where(limit > 0, np.minimum(room, limit), room)
    gap = np.where(np.isinf(room), 0.0, gap)
    spread = second + UNSEEN * gap**2
    slope = np.divide(third + UNSEEN * gap**3, spread, where=spread > 0, out=np.zeros(np.shape(spread)))
    pull = factor / 2 * np.maximum(slope, 0.0)
    found = np.minimum(pull + np.sqrt(pull**2 + factor * second / np.maximum(n - 1, 1)), room)
    return np.where((spread == 0) & np.isinf(room), np.nan, found)
