"""The chance that order statistics of uniform numbers all keep within given limits, computed and not simulated."""

import numpy as np
from scipy.special import gammaln, xlogy

NEGLIGIBLE = 1e-18


def coverage(n: int, place: np.ndarray, low: np.ndarray, high: np.ndarray) -> float:
    r"""Return the chance that the order statistics of n uniform numbers are within their limits.

    .. math:: P\big(l_j \le U_{(i_j)} \le h_j \text{ for all } j\big)

    place : i, rising. low, high : l and h, both rising with j. A Poisson process of rate n on [0, 1] that has n points
    in all has the law of the n numbers. So one vector, the chance of each count so far, is carried from limit to limit:
    before l_j there are fewer than i_j points, at h_j there are i_j or more. Each step is one convolution with the
    few likely counts of a Poisson law; what is left out has a chance below 1e-18.

    Khmaladze & Shinjikashvili 2001, doi:10.1239/aap/1011994027; Moscovich & Nadler 2017, doi:10.1016/j.spl.2016.11.027.
    """
    time = np.concatenate([low, high])
    is_high = np.repeat([False, True], len(place))
    order = np.lexsort((is_high, time))
    first, chances, now = 0, np.ones(1), 0.0  # chances : of first, first + 1, .. points so far
    for event in order:
        chances = np.convolve(chances, poisson(n * (time[event] - now)))
        now = time[event]
        i = int(place[event % len(place)])
        if is_high[event]:
            chances, first = chances[max(0, i - first) :], max(first, i)
        else:
            chances = chances[: max(0, i - first)]
        if not len(chances):
            return 0.0
    left = n - first - np.arange(len(chances))
    rate = n * (1 - now)
    possible = left >= 0
    final = np.exp(xlogy(left[possible], rate) - rate - gammaln(left[possible] + 1.0))
    whole = np.exp(xlogy(n, n) - n - gammaln(n + 1.0))
    return float(chances[possible] @ final / whole)


def poisson(rate: float) -> np.ndarray:
    """Return the chances of 0, 1, .. points, without the negligible ones at the end."""
    most = int(rate + 9 * np.sqrt(rate) + 20)
    count = np.arange(most + 1)
    chances = np.exp(xlogy(count, rate) - rate - gammaln(count + 1.0))
    return chances[: np.flatnonzero(chances > NEGLIGIBLE)[-1] + 1]
