"""Normalised discounted cumulative gain."""

from typing import Literal

import numpy as np

from truerank.metrics.judged import ratio
from truerank.registry import METRICS

Gain = Literal["linear", "binary", "exponential"]


@METRICS.register("ndcg", higher_is_better=True, range=(0, 1))
def ndcg(judged, *, k, gain: Gain = "linear"):
    r"""Score the first k places by discounted gain, over the best that k places can hold.

    .. math:: \sum_{r_j \le k} \frac{g_j}{\log_2(r_j+1)} \Big/ \sum_{i \le k} \frac{g^*_i}{\log_2(i+1)}

    g* are the gains of the judged items from the largest down. ``linear`` gain is the rating, ``binary`` 1 if relevant,
    ``exponential`` 2^rating - 1. A user whose ideal is 0 is undefined: NaN. With graded gains that differs from having
    no relevant item.

    Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418; the discount is Burges et al. 2005's.
    """
    g = gains(judged, gain)
    return ratio(dcg(judged, g, k), ideal_dcg(judged, g, k))


@METRICS.register("ndcg_full", higher_is_better=True, range=(0, 1))
def ndcg_full(judged, *, k, gain: Gain = "linear"):
    r"""Score the first k places by discounted gain, over the best order of all judged items.

    .. math:: \sum_{r_j \le k} \frac{g_j}{\log_2(r_j+1)} \Big/ \sum_i \frac{g^*_i}{\log_2(i+1)}

    trec_eval's ``ndcg`` over lists of k, and Valcarce et al. 2018. Where more items are judged than k places hold, even
    a perfect list stays below 1. A user whose ideal is 0 is undefined: NaN.
    """
    g = gains(judged, gain)
    return ratio(dcg(judged, g, k), ideal_dcg(judged, g, np.array([np.inf]))[:, 0])


def gains(judged, gain):
    if gain == "binary":
        return judged.relevant.astype(float)
    return judged.rating if gain == "linear" else 2.0**judged.rating - 1


def dcg(judged, g, k):
    return judged.sum_within(g / np.log2(judged.rank + 1), k)


def ideal_dcg(judged, g, k):
    place = judged.place_by(g)
    return judged.sum_within(g / np.log2(place + 1), k, place)
