"""Which way predictions are wrong: items sold as better, or as worse, than the user finds them."""

from collections.abc import Iterable

import numpy as np

from truerank.metrics._core.judged import JudgedRanks, ratio
from truerank.metrics._core.moments import Moments
from truerank.registry import METRICS, NonNegative


@METRICS.register("up_sell", higher_is_better=False, range=(0, 1), needs="predictions")
def up_sell(
    judged: JudgedRanks, *, k: np.ndarray, margin: NonNegative = 0.5, relevant_only: bool = False
) -> np.ndarray:
    r"""Count, among the user's k test items predicted highest, those predicted above their rating, per item.

    .. math:: \frac{1}{n} \sum_{i \le k} [\hat y_i > y_i + \lambda]

    lambda is ``margin``, n = k or as many as the user has. ``relevant_only`` leaves out test items that are not
    relevant; then a user with none left is undefined: NaN.

    Elsewhere: no other tool has it.

    Source: Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, eq. 16 and 19.
    """
    return migration(judged, k, margin, relevant_only)[0]


@METRICS.register("down_sell", higher_is_better=False, range=(0, 1), needs="predictions")
def down_sell(
    judged: JudgedRanks, *, k: np.ndarray, margin: NonNegative = 0.5, relevant_only: bool = False
) -> np.ndarray:
    r"""Count, among the user's k test items predicted highest, those predicted below their rating, per item.

    .. math:: \frac{1}{n} \sum_{i \le k} [\hat y_i < y_i - \lambda]

    Settings, and when it is undefined, as in ``up_sell``.

    Elsewhere: no other tool has it.

    Source: Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, eq. 17 and 20; the paper prints + lambda, which
    would make nearly everything a down-sell.
    """
    return migration(judged, k, margin, relevant_only)[1]


@METRICS.register("perfect_sell", higher_is_better=True, range=(0, 1), needs="predictions")
def perfect_sell(
    judged: JudgedRanks, *, k: np.ndarray, margin: NonNegative = 0.5, relevant_only: bool = False
) -> np.ndarray:
    r"""Count, among the user's k test items predicted highest, those predicted within the margin, per item.

    .. math:: \frac{1}{n} \sum_{i \le k} [|\hat y_i - y_i| \le \lambda]

    Settings, and when it is undefined, as in ``up_sell``. The three shares sum to 1.

    Elsewhere: no other tool has it.

    Source: Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, eq. 18.
    """
    return migration(judged, k, margin, relevant_only)[2]


def spread_of(predictions: Iterable[Moments]) -> float:
    r"""Return a margin from the distribution of predicted scores, one for all models.

    .. math:: \lambda = \sqrt{\operatorname{mean}_m \operatorname{Var}(\hat y_m)}

    the root of the mean variance of each model's predictions around their own mean. predictions : of the test items,
    per model. Without any prediction: 0.

    Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, section IV-C, say "estimated from score distribution" and
    no more; one margin for all models keeps their shares comparable.
    """
    variances = [each.second / each.n for each in predictions if each.n]
    return float(np.sqrt(np.mean(variances))) if variances else 0.0


def migration(judged: JudgedRanks, k: np.ndarray, margin: float, relevant_only: bool = False) -> tuple[np.ndarray, ...]:
    """Return the shares of up-sold, down-sold and perfect items, each users x cut-offs."""
    kept = judged.relevant if relevant_only else np.ones(len(judged.row), bool)
    place = judged.running(kept)
    gap = judged.prediction - judged.rating
    n = judged.sum_within(kept, k, place)
    ways = gap > margin, gap < -margin, np.abs(gap) <= margin
    return tuple(ratio(judged.sum_within(kept & way, k, place), n) for way in ways)
