"""Whether predicted ratings rise and fall with the true ones."""

import numpy as np

from truerank.metrics._core.judged import JudgedRanks, ratio
from truerank.radix_sort import sorted_by
from truerank.registry import METRICS


@METRICS.register("pearson", higher_is_better=True, range=(-1, 1), needs="predictions")
def pearson(judged: JudgedRanks) -> np.ndarray:
    r"""Correlate the user's ratings with their predictions.

    .. math:: \frac{\sum_j (y_j - \bar y)(\hat y_j - \bar{\hat y})}
        {\sqrt{\sum_j (y_j - \bar y)^2} \sqrt{\sum_j (\hat y_j - \bar{\hat y})^2}}

    A user whose ratings, or predictions, are all the same is undefined: NaN.

    Elsewhere: ``scipy.stats.pearsonr``, per user.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    return correlation(judged, judged.rating, judged.prediction)


@METRICS.register("spearman", higher_is_better=True, range=(-1, 1), needs="predictions")
def spearman(judged: JudgedRanks) -> np.ndarray:
    r"""Correlate the order of the user's ratings with the order of their predictions.

    .. math:: \mathrm{pearson}(R(y), R(\hat y))

    R gives ranks, the mean rank to ties; the shorter formula in squared differences holds only without ties. A user
    whose ratings, or predictions, are all the same is undefined: NaN.

    Elsewhere: ``scipy.stats.spearmanr``, per user.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    return correlation(judged, mean_places(judged, judged.rating), mean_places(judged, judged.prediction))


def correlation(judged: JudgedRanks, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    dx, dy = (values - ratio(judged.sum_by_user(values), judged.n_judged)[judged.row] for values in (x, y))
    length = np.sqrt(judged.sum_by_user(dx * dx)) * np.sqrt(judged.sum_by_user(dy * dy))
    varies = ~(judged.is_constant(x) | judged.is_constant(y))
    return np.clip(ratio(judged.sum_by_user(dx * dy), length * varies), -1, 1)


def mean_places(judged: JudgedRanks, values: np.ndarray) -> np.ndarray:
    """Return, per row, its place among the user's rows by value, equal values sharing their mean place."""
    order = sorted_by(values, judged.row)
    value, row = values[order], judged.row[order]
    block = np.cumsum(np.append(0, (value[1:] != value[:-1]) | (row[1:] != row[:-1])))[: len(values)]
    places = np.empty(len(values))
    places[order] = (np.bincount(block, np.arange(len(values))) / np.bincount(block))[block]
    return places - judged.first[judged.row]
