"""How many pairs of items are predicted in the order in which the user rated them."""

import numpy as np

from truerank.metrics._core.judged import JudgedRanks, ratio
from truerank.registry import METRICS


@METRICS.register("kendall", higher_is_better=True, range=(-1, 1), needs="predictions")
def kendall(judged: JudgedRanks) -> np.ndarray:
    r"""Count pairs of test items predicted in the user's order, less those in the other order, per pair.

    .. math:: \tau = \frac{C - D}{n (n - 1) / 2}

    Pairs that the user or the system ties are in neither count, but they are in the denominator (tau-a). A user with
    one rating is undefined: NaN.

    Elsewhere: ``scipy.stats.kendalltau`` is tau-b, the same without ties.

    Source: Kendall 1938, doi:10.1093/biomet/30.1-2.81; Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742. Some
    slides print n (n + 1) / 2.
    """
    agreed, *_ = weigh_pairs(judged, np.full(len(judged.row), 0.5))
    return ratio(agreed, judged.n_judged * (judged.n_judged - 1) / 2)


@METRICS.register("kendall_b", higher_is_better=True, range=(-1, 1), needs="predictions")
def kendall_b(judged: JudgedRanks) -> np.ndarray:
    r"""Count pairs of test items predicted in the user's order, less those in the other order, with allowance for ties.

    .. math:: \tau_b = \frac{C - D}{\sqrt{(C + D + T_y)(C + D + T_{\hat y})}}

    T_y counts the pairs that only the user ties, T_yhat those that only the system ties. A user whose ratings, or
    predictions, are all the same is undefined: NaN.

    Elsewhere: ``scipy.stats.kendalltau``, per user.

    Source: Kendall 1945, doi:10.1093/biomet/33.3.239; Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742. Some
    slides count pairs that both tie in T as well, which is not tau-b.
    """
    return correlation(judged, np.full(len(judged.row), 0.5))


@METRICS.register("kendall_top", higher_is_better=True, range=(-1, 1), needs="predictions")
def kendall_top(judged: JudgedRanks) -> np.ndarray:
    r"""Count pairs as in ``kendall_b``, with more weight for those at the top.

    .. math:: \tau_w = \frac{\sum_{i<j} w_{ij}\, \mathrm{sgn}(y_i - y_j)\, \mathrm{sgn}(\hat y_i - \hat y_j)}
        {\sqrt{\sum_{y_i \ne y_j} w_{ij} \sum_{\hat y_i \ne \hat y_j} w_{ij}}}, \quad
        w_{ij} = \frac{1}{\rho_i} + \frac{1}{\rho_j}

    rho is the place of an item, 1 for the best: once by ratings, equal ones by prediction, and once by predictions,
    equal ones by rating; the two results are averaged. A user whose ratings, or predictions, are all the same is
    undefined: NaN.

    Elsewhere: ``scipy.stats.weightedtau`` with its defaults, per user.

    Source: Vigna 2015, doi:10.1145/2736277.2741088; Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742, who
    name no weights.
    """
    y, predicted = judged.rating, judged.prediction
    orders = judged.place_by(y, then=predicted), judged.place_by(predicted, then=y)
    return np.mean([correlation(judged, 1 / place) for place in orders], axis=0)


def correlation(judged: JudgedRanks, weight: np.ndarray) -> np.ndarray:
    agreed, by_user, by_system = weigh_pairs(judged, weight)
    return np.clip(ratio(agreed, np.sqrt(by_user) * np.sqrt(by_system)), -1, 1)


def weigh_pairs(judged: JudgedRanks, weight: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return, per user, the weight of pairs in the same order less that of pairs in opposite order, then of all pairs
    that the user orders, and that the system orders. A pair weighs what its two rows do together."""
    agreed, by_user, by_system = np.zeros((3, len(judged.row)))
    for one, other in judged.pairs():
        user = np.sign(judged.rating[one] - judged.rating[other])
        system = np.sign(judged.prediction[one] - judged.prediction[other])
        pair = weight[one] + weight[other]
        agreed[one] += pair * user * system
        by_user[one] += pair * np.abs(user)
        by_system[one] += pair * np.abs(system)
    return tuple(judged.sum_by_user(total) for total in (agreed, by_user, by_system))
