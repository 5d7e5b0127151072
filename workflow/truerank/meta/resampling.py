"""What other users like these would have said: in how many resamples a metric is in the best set."""

from collections.abc import Sequence

import numpy as np
from scipy.stats import poisson

from truerank.meta.best_set import set_by
from truerank.meta.criterion import Criterion, UserScores
from truerank.ranking.order import mix, salt
from truerank.ranking.shards import blocks, shard_of

RESAMPLES = 100
AT_A_TIME = 10  # resamples in one matrix product; jobs share out whole products
DRAWS = 1_000  # for the critical values of a resample, the same for all
BELOW = (poisson.cdf(np.arange(12), 1) * 2.0**53).astype(
    np.uint64
)  # of 2^53 equal chances, those of no more than so many


def times(key: np.uint64, users: np.ndarray, resamples: np.ndarray) -> np.ndarray:
    """Return how often each user is in each resample, users x resamples: Poisson, a hash of the user and its number.

    So a resample is drawn without the other users. Its size is random too, which no mean depends on.
    """
    drawn = mix(salt(key, users)[:, None] + resamples.astype(np.uint64)) >> np.uint64(11)
    return np.searchsorted(BELOW, drawn, side="right").astype(float)


def resampled(scores: UserScores, key: np.uint64, resamples: slice, threads: int = 1) -> list[Criterion]:
    """Return the criterion of some resamples of the users, a slice as ``share_of_resamples`` cuts it."""
    numbers = np.arange(resamples.start, resamples.stop)
    batches = [numbers[rows] for rows in blocks(len(numbers), AT_A_TIME)]
    if not batches:
        return []
    return scores.criteria(lambda users: [times(key, users, batch) for batch in batches], threads)


def share_of_resamples(shard: int, n_shards: int) -> slice:
    """Return the resamples of one of several jobs."""
    return shard_of(RESAMPLES, AT_A_TIME, shard, n_shards)


def stability(again: Sequence[Criterion], sets: Sequence[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """Return, per metric, in what share of the bootstrap resamples of the users it is in the best set.

    again : the criterion of every resample, one at least. sets : the metrics, by number, that are judged together. NaN
    for a metric of no set, and where there was nobody.
    """
    found = np.full(len(again[0].values), np.nan)
    for of in sets:
        normals = rng.standard_normal((DRAWS, len(of)))
        inside = [set_by(each.values[of], each.covariance[np.ix_(of, of)], normals).inside for each in again]
        found[of] = np.where(np.isnan(again[0].values[of]), np.nan, np.mean(inside, axis=0))
    return found
