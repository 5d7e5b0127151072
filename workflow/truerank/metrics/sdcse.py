"""Where in the list the errors of prediction are."""

import numpy as np

from truerank.metrics._core.judged import JudgedRanks
from truerank.registry import METRICS


@METRICS.register("sdcse", higher_is_better=False, range=(0, 1), needs="predictions")
def sdcse(judged: JudgedRanks, *, k: np.ndarray, relevant_only: bool = False) -> np.ndarray:
    r"""Discount the squared errors of the user's k test items predicted highest, over the worst order of these errors.

    .. math:: \sum_{i \le k} \frac{e_i}{\log_2(i+1)} \Big/ \sum_{i \le k} \frac{e^*_i}{\log_2(i+1)},
        \quad e_i = (y_i - \hat y_i)^2

    i counts test items from the one predicted highest, e* are the same k errors from the largest down; 0 where all are
    0. ``relevant_only`` leaves out test items that are not relevant; then a user with none left is undefined: NaN.
    Being a ratio, it does not change when all errors are scaled, and it is 1 whenever all errors are equal, however
    small: it says where errors are, not how large.

    Elsewhere: no other tool has it.

    Source: Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, eq. 14.
    """
    kept = judged.relevant if relevant_only else np.ones(len(judged.row), bool)
    place = judged.running(kept)
    error = kept * (judged.rating - judged.prediction) ** 2
    seen = judged.sum_within(error / np.log2(np.maximum(place, 1) + 1), k, place)
    worst = np.column_stack([worst_order(judged, error, place <= cutoff) for cutoff in k])
    share = np.divide(seen, worst, where=worst > 0, out=np.zeros(seen.shape))
    return np.where(judged.sum_within(kept, k, place) > 0, np.minimum(share, 1), np.nan)


@METRICS.register("sdcse_accuracy", higher_is_better=True, range=(0, 1), needs="predictions")
def sdcse_accuracy(judged: JudgedRanks, *, k: np.ndarray, relevant_only: bool = False) -> np.ndarray:
    r"""Take what ``sdcse`` lacks to 1.

    .. math:: 1 - \mathrm{SDCSE}

    Settings, and when it is undefined, as in ``sdcse``. So is what the ratio says: this is 0 whenever all errors are
    equal, however small.

    Elsewhere: no other tool has it.

    Source: Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, who print it as SDCSE in their examples.
    """
    return 1 - sdcse(judged, k=k, relevant_only=relevant_only)


def worst_order(judged: JudgedRanks, error: np.ndarray, within: np.ndarray) -> np.ndarray:
    """Return, per user, the discounted sum of the errors of rows ``within`` from the largest down."""
    place = judged.place_by(np.where(within, error, -1))
    return judged.sum_by_user(within * error / np.log2(place + 1))
