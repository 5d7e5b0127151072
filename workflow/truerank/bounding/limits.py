"""What a sample says of the outcomes: limits from ranks, from several ranks per user, or from printed figures."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import betaincinv, rel_entr

from truerank.bounding.band import rank_band, user_band_half
from truerank.bounding.designs import Design
from truerank.bounding.program import Limits
from truerank.registry import Cutoff

HEAD, SPREAD = 8, 24  # outcomes where the law is held to its band: the first, and others evenly by their share


def limits_of_ranks(counts: np.ndarray, confidence: float, near: Iterable[int] = ()) -> Limits:
    """Return the limits of independent ranks. counts : how often each outcome was seen, from the best to the worst.

    The band holds for all outcomes at once, so that it may be used at any of them; leaving some out can only widen.
    near : outcomes that are kept besides (``outcomes_near``).
    """
    below, n = np.cumsum(counts)[:-1], int(counts.sum())
    chosen = places(below / n, near)
    return Limits(steps(len(counts), chosen), *rank_band(below[chosen], n, confidence))


def limits_of_users(shares: np.ndarray, n_users: int, confidence: float, near: Iterable[int] = ()) -> Limits:
    """Return the limits where users have several ranks each. shares : mean over users of each outcome's share."""
    below = np.cumsum(shares)[:-1]
    chosen = places(below, near)
    half = user_band_half(n_users, confidence)
    return Limits(steps(len(shares), chosen), np.maximum(below[chosen] - half, 0), np.minimum(below[chosen] + half, 1))


def steps(n_outcomes: int, chosen: np.ndarray) -> np.ndarray:
    """Return the functions "among the first j outcomes", outcomes x chosen j."""
    return (np.arange(n_outcomes)[:, None] <= chosen).astype(float)


def outcomes_near(design: Design, cutoffs: Iterable[Cutoff]) -> np.ndarray:
    """Return the outcomes around what an item at each cut-off is expected to show: these decide on metrics there."""
    ranks = np.array(sorted({k for k in cutoffs if isinstance(k, int) and k < design.n_items}), np.int64)
    if not len(ranks):
        return ranks
    law = design.best(np.concatenate([ranks, ranks + 1]))
    place = np.arange(design.n_outcomes)
    mean = law @ place
    spread = np.sqrt(np.maximum(law @ place**2 - mean**2, 0))
    return np.unique(np.rint(mean + np.array([[-2], [-1], [0], [1], [2]]) * spread)).astype(np.int64)


def places(below: np.ndarray, near: Iterable[int] = ()) -> np.ndarray:
    """Choose outcomes: the first ones, about thirty whose cumulated shares are evenly spaced by their spread, and those
    before each of them, so that a step has both its sides; and those near what is asked for."""
    angle = np.arcsin(np.sqrt(np.clip(below, 0, 1)))
    even = np.searchsorted(angle, np.linspace(angle[0], angle[-1], SPREAD))
    chosen = np.concatenate([np.arange(HEAD), even, even - 1, np.array(list(near), np.int64)])
    return np.unique(np.clip(chosen, 0, len(below) - 1))


@dataclass(frozen=True)
class Figure:
    """A printed figure: the mean over n users of a function of the sampled rank, rounded.

    name : as it was given. values : the function at r = 1 .. m + 1. printed, half : the figure and half a unit of its
    last digit. counted : whether it is a share of users, whose number is whole.
    """

    name: str
    values: np.ndarray
    printed: float
    half: float
    counted: bool

    @property
    def low(self) -> float:
        return max(self.printed - self.half, float(self.values.min()))

    @property
    def high(self) -> float:
        return min(self.printed + self.half, float(self.values.max()))


def limits_of_figures(figures: Sequence[Figure], n_users: int, confidence: float) -> Limits:
    r"""Return the limits that printed figures set, all of them at once: each has its part of 1 - confidence.

    A share of users has the exact interval of Clopper and Pearson, over all counts that are printed so. The mean of
    another function, between 0 and 1 after scaling, has the interval of Chernoff and Hoeffding, all :math:`\mu` with
    :math:`n\,\mathrm{KL}(x, \mu) \le \log(2/\alpha)`, which holds for any law. A function that rises is turned.
    """
    alpha = (1 - confidence) / len(figures)
    functions, low, high = [], [], []
    for figure in figures:
        least, most = float(figure.values.min()), float(figure.values.max())
        if figure.counted:
            ends = share_interval(*counts_printed_as(figure, n_users), n_users, alpha)
        else:
            scaled = (np.array([figure.low, figure.high]) - least) / max(most - least, 1e-300)
            ends = bounded_mean_interval(float(scaled[0]), float(scaled[1]), n_users, alpha)
        turn = -1 if figure.values[-1] > figure.values[0] else 1
        found = sorted(turn * (least + (most - least) * end) for end in ends)
        functions.append(turn * figure.values)
        low.append(found[0])
        high.append(found[1])
    return Limits(np.column_stack(functions), np.array(low), np.array(high))


def counts_printed_as(figure: Figure, n_users: int) -> tuple[int, int]:
    """Return the fewest and the most users whose share is printed so; the first is more than the second if none is."""
    slack = 1e-9 * n_users
    return math.ceil(n_users * figure.low - slack), math.floor(n_users * figure.high + slack)


def share_interval(fewest: int, most: int, n: int, alpha: float) -> tuple[float, float]:
    """Return the interval of Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404, for a count between two."""
    low = float(betaincinv(fewest, n - fewest + 1, alpha / 2)) if fewest > 0 else 0.0
    high = float(betaincinv(most + 1, n - most, 1 - alpha / 2)) if most < n else 1.0
    return low, high


def bounded_mean_interval(low: float, high: float, n: int, alpha: float) -> tuple[float, float]:
    """Return the interval of Hoeffding 1963, doi:10.1080/01621459.1963.10500830, eq. 2.1, for a mean between two."""

    def beyond(mu: float, x: float) -> float:
        return float(n * (rel_entr(x, mu) + rel_entr(1 - x, 1 - mu)) - math.log(2 / alpha))

    tiny = 1e-12
    below = brentq(beyond, tiny, low, args=(low,)) if low > tiny and beyond(tiny, low) > 0 else 0.0
    above = brentq(beyond, high, 1 - tiny, args=(high,)) if high < 1 - tiny and beyond(1 - tiny, high) > 0 else 1.0
    return below, above


def is_possible(figures: Sequence[Figure]) -> bool:
    """Tell whether some ranks have all the figures, within their rounding: a small linear program."""
    from scipy.optimize import linprog

    values = np.stack([figure.values for figure in figures])
    limit = [figure.high for figure in figures] + [-figure.low for figure in figures]
    rows = np.vstack([values, -values])
    total = np.ones((1, values.shape[1]))
    found = linprog(np.zeros(values.shape[1]), A_ub=rows, b_ub=limit, A_eq=total, b_eq=[1], method="highs")
    return found.status != 2
