"""What other users like these would have said: in how many resamples a metric is in the best set."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from truerank.meta.best_set import set_by
from truerank.meta.criterion import UserScores

RESAMPLES = 100
DRAWS = 1_000  # for the critical values of a resample, the same for all


def stability(
    scores: UserScores,
    sets: Sequence[np.ndarray],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    threads: int = 1,
) -> np.ndarray:
    """Return, per metric, in what share of the bootstrap resamples of the users it is in the best set.

    sets : the metrics, by number, that are judged together. NaN for a metric of no set. No users, all NaN.
    """
    found = np.full(scores.n_metrics, np.nan)
    if not scores.n_users:
        return found
    n = scores.n_users
    weights = [np.bincount(rng.integers(n, size=n), minlength=n).astype(np.uint8) for _ in range(resamples)]
    normals = [rng.standard_normal((DRAWS, len(of))) for of in sets]

    def resample(weight: np.ndarray) -> list[np.ndarray]:
        again = scores.criterion(weight)
        both = zip(sets, normals, strict=True)
        return [set_by(again.values[of], again.covariance[np.ix_(of, of)], own).inside for of, own in both]

    with ThreadPoolExecutor(threads) as pool:
        inside = list(pool.map(resample, weights))
    for place, of in enumerate(sets):
        found[of] = np.mean([each[place] for each in inside], axis=0)
    return found
