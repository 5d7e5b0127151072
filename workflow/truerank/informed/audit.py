"""An estimate without bias from one that has some: complete a random part of the users with known chances."""

from dataclasses import dataclass, field

import numpy as np
from scipy.special import stdtrit

from truerank.informed.search import Search, ragged

FLOOR = 1.0  # of the mean spread: what a user counts at least, since a model that is sure may be wrong
SKEW = 4.0  # a variance of n users counts as if it were of this many fewer: few are often too much alike
LEVEL = 0.95


@dataclass(frozen=True)
class Audit:
    """Users that were completed, and the chance q that each had.

    doubt : per user, decided ones included, (1 - q) / q of all that could have been, 0 of others; none if it is empty.
    """

    rows: np.ndarray
    chance: np.ndarray
    doubt: np.ndarray = field(default_factory=lambda: np.zeros(0))


def audit(search: Search, spread: np.ndarray, n_scores: float, rng: np.random.Generator) -> Audit:
    """Complete some of the users that are not decided, chosen at random. spread : per row, as ``choose`` takes it."""
    rows = np.flatnonzero(~search.decided)
    if not len(rows) or n_scores <= 0:
        return Audit(np.zeros(0, np.int64), np.zeros(0))
    chosen, chance = choose(spread[rows], (search.order.n - search.asked)[rows].astype(float), n_scores, rng)
    complete(search, rows[chosen])
    doubt = np.zeros(len(search.hits))
    doubt[rows] = (1 - chance) / chance
    return Audit(rows[chosen], chance[chosen], doubt)


def choose(
    spread: np.ndarray, price: np.ndarray, n_scores: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    r"""Return which users are completed, and the chance that each of all users had.

    .. math:: q_u \propto \min\big(1, s_u / \sqrt{c_u}\big), \qquad \sum_u q_u c_u = \text{scores}

    spread : s, how uncertain the metrics of each are. price : c, the candidates not scored, which is the most that a
    user can cost. Choosing is systematic in random order: the chances are exact, and the number chosen varies by one.
    """
    wanted = np.maximum(spread, FLOOR * max(spread.mean(), 1e-12)) / np.sqrt(price)
    chance = chances(wanted, price, n_scores)
    order = rng.permutation(len(price))
    ends = np.cumsum(chance[order]) + rng.random()
    chosen = np.sort(order[np.floor(ends) > np.floor(ends - chance[order])])
    return chosen, chance


def chances(wanted: np.ndarray, price: np.ndarray, n_scores: float) -> np.ndarray:
    """Return chances of at most 1, in proportion to ``wanted`` below it, whose expected cost is ``n_scores``."""
    low, high = 0.0, 1 / wanted.min()
    for _ in range(60):
        middle = (low + high) / 2
        cost = (np.minimum(1, middle * wanted) * price).sum()
        low, high = (middle, high) if cost < n_scores else (low, middle)
    return np.minimum(1, high * wanted)


def complete(search: Search, rows: np.ndarray) -> None:
    """Ask about all candidates of some rows that were not scored, until each row is decided."""
    n = search.order.n[rows].astype(np.int64)
    index = np.full(len(search.hits), -1)
    index[rows] = np.arange(len(rows))
    start = np.append(0, np.cumsum(n))
    row, position, _ = search.scored()
    own = index[row] >= 0
    left = np.ones(start[-1], bool)
    left[start[index[row[own]]] + position[own]] = False
    positions = ragged(np.zeros(len(n), np.int64), n)[left]
    first = np.append(0, np.cumsum(left))[start]
    search.run(rows, first[:-1], first[1:], positions)


def rectified(expected: np.ndarray, true: np.ndarray, audited: Audit) -> tuple[np.ndarray, np.ndarray]:
    r"""Return the mean over users and the half width of its 95 % interval, per column.

    .. math:: \frac1n \sum_u \mu_u + \frac1n \sum_{u \in A} \frac{f_u - \mu_u}{q_u}, \qquad
              \hat V = \Big(1 + \frac4{|A|}\Big) \frac1{n^2} \sum_{u \in A} \frac{1 - q_u}{q_u^2} (f_u - \mu_u)^2

    The variance is at least what it is if mu is right, :math:`\frac1{n^2} \sum_u \frac{1 - q_u}{q_u} \mu_u (1 - \mu_u)`
    for a metric between 0 and 1: where mu is nearly certain, the few who were completed often show no spread at all.
    expected : mu, users x columns, as it was before anybody was completed. true : f of the audited, x columns. It is
    without bias whatever mu is, for the mean of these users; the interval says nothing of other users. With Student's
    quantile for the number audited; fewer than two have no interval: NaN.

    Särndal, Swensson & Wretman 1992, Model assisted survey sampling, chapter 6; Angelopoulos et al. 2023,
    doi:10.1126/science.adi6000, for mu from a model.
    """
    n, q = len(expected), audited.chance[:, None]
    off = (true - expected[audited.rows]) / q
    mean = expected.mean(axis=0) + off.sum(axis=0) / n
    if len(audited.rows) < 2:
        return mean, np.full(expected.shape[1], np.nan)
    n_audited = len(audited.rows)
    variance = (1 + SKEW / n_audited) * ((1 - q) * off**2).sum(axis=0) / n**2
    if len(audited.doubt):
        variance = np.maximum(variance, audited.doubt @ np.maximum(expected * (1 - expected), 0) / n**2)
    return mean, stdtrit(n_audited - 1, (1 + LEVEL) / 2) * np.sqrt(variance)
