"""The set of metrics that are not significantly worse than the best, and the one that convention names in it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

ALPHA = 0.05
DRAWS = 10_000
DRAWS_AT_A_TIME = 1_000
TIED = 1e-6  # of the largest standard error: two metrics with less between them always move together
EQUAL = 1e-9  # of two values: less than this is rounding
CONVENTION = ("ndcg", "precision", "recall", "ap", "rr")
HANDFUL = 5


@dataclass(frozen=True)
class BestSet:
    """Which metrics may be the best. distance : T of each; critical : what T may be."""

    inside: np.ndarray
    distance: np.ndarray
    critical: np.ndarray


def best_set(
    values: np.ndarray, covariance: np.ndarray, rng: np.random.Generator, alpha: float = ALPHA, draws: int = DRAWS
) -> BestSet:
    r"""Return the metrics that are not significantly worse than the best one at confidence 1 - alpha.

    .. math:: T_m = \max_j (C_j - C_m) / se_{jm} \le q_{.95}\big(\max_j (G_j - G_m) / se_{jm}\big), \quad G \sim N(0, S)

    values : one per metric, larger is better, no NaN. covariance : metrics x metrics. The set has the best one with
    the confidence stated, whichever it is. Of two metrics that always move together (se 0), as where one has every pair
    capped and the other none that differs, the one with the lower value is worse without doubt. No metrics, an empty
    set.

    After Hansen, Lunde & Nason 2011, doi:10.3982/ECTA5771, with all comparisons made at once.
    """
    return set_by(values, covariance, rng.standard_normal((draws, len(values))), alpha)


def set_by(values: np.ndarray, covariance: np.ndarray, normals: np.ndarray, alpha: float = ALPHA) -> BestSet:
    """Return the best set by standard normal numbers, draws x metrics."""
    variance = np.diag(covariance)
    se = np.sqrt(np.maximum(variance[:, None] + variance[None] - 2 * covariance, 0))
    apart = se > TIED * np.sqrt(variance.max(initial=0))
    precision = np.divide(1.0, se, where=apart, out=np.zeros(se.shape))
    found = distances(values, precision)
    found[((values[None] - values[:, None] > EQUAL) & ~apart).any(axis=1)] = np.inf
    critical = quantiles(normals @ root_of(covariance), precision, 1 - alpha)
    return BestSet(found <= critical, found, critical)


def distances(values: np.ndarray, precision: np.ndarray) -> np.ndarray:
    """Return, per metric, how far the best other is ahead, in standard errors of the difference."""
    return ((values[None] - values[:, None]) * precision).max(axis=1, initial=0)


def root_of(covariance: np.ndarray) -> np.ndarray:
    """Return the symmetric root, which unlike other roots a change in the last bit changes by no more than that."""
    size, axes = np.linalg.eigh(covariance)
    return (axes * np.sqrt(np.maximum(size, 0))) @ axes.T


def quantiles(noise: np.ndarray, precision: np.ndarray, level: float) -> np.ndarray:
    """Return, per metric, a quantile over draws of how far the best other is ahead by chance."""
    largest = np.empty((len(precision), len(noise)))
    for start in range(0, len(noise), DRAWS_AT_A_TIME):
        some = np.ascontiguousarray(noise[start : start + DRAWS_AT_A_TIME].T)
        for place, own in enumerate(precision):
            ahead = (some - some[place]) * own[:, None]
            largest[place, start : start + DRAWS_AT_A_TIME] = ahead.max(axis=0, initial=0)
    return np.quantile(largest, level, axis=1) if len(noise) else np.zeros(len(precision))


def named_by_convention(
    metrics: Sequence[tuple[str, str]], values: np.ndarray, inside: np.ndarray, order: Sequence[str]
) -> int | None:
    """Return the place of the metric that a set is named by, None for an empty set.

    It is the first of CONVENTION, then of ``order``; of its cut-offs the one with the largest value, then the deepest.
    metrics : pairs of a name and a cut-off.
    """
    places = {name: place for place, name in enumerate(dict.fromkeys([*CONVENTION, *order]))}

    def key(place: int) -> tuple[int, float, float]:
        name, k = metrics[place]
        return places.get(name, len(places)), -round(float(values[place]), 9), -depth(k)

    return min(map(int, np.flatnonzero(inside)), key=key, default=None)


def depth(k: str) -> float:
    return np.inf if k == "all" else float(k)


def users_for_handful(found: BestSet, n_users: int, handful: int = HANDFUL) -> float | None:
    r"""Return about how many users would leave a handful in the set, None where it is no more than that already.

    .. math:: n \, (q_m / T_m)^2

    for the metric m that would have to go last: differences grow by the root of the number of users against their
    standard errors. That holds while no more pairs reach the cap, so it is a rough guide, and too low if anything.
    Infinite where metrics are too much alike.
    """
    if found.inside.sum() <= handful:
        return None
    needed = np.where(found.inside, (found.critical / np.maximum(found.distance, 1e-12)) ** 2, 0)
    return float(n_users * np.sort(needed)[::-1][handful])
