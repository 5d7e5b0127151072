"""Discounted cumulative gain, normalised and plain."""

import numpy as np

from truerank.metrics._core.additive import additive
from truerank.metrics._core.bounds import Bound, Extent
from truerank.metrics._core.gains import Base, Gain, discount, gain_of, gains
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.norms import any_judged, ideal, ideal_of_all


@additive("ndcg", norm=ideal, higher_is_better=True, range=(0, 1))
def ndcg(judged: JudgedRanks, *, gain: Gain = "linear", jarvelin_base: Base = None) -> np.ndarray:
    r"""Score the first k places by discounted gain, divided by the best possible value for k places.

    .. math:: \sum_{r_j \le k} \frac{g_j}{\log_2(r_j+1)} \Big/ \sum_{i \le k} \frac{g^*_i}{\log_2(i+1)}

    g* are the gains of the judged items from the largest down. ``linear`` gain is the rating, ``binary`` 1 if relevant,
    ``exponential`` 2^rating - 1, ``relevant`` the rating if relevant and 0 if not. Where the rating scale of the data
    goes below 0, its lowest rating is subtracted first: from -10 to 10, a rating of -10 gains 0 and one of 10 gains 20,
    so that no gain is below 0. Exponential gain is refused where ratings, so shifted, can be above 1000. With
    ``jarvelin_base`` b the discount is Järvelin & Kekäläinen's: none for r < b, then log_b r. A user whose ideal is 0
    is undefined: NaN. With graded gains that differs from having no relevant item.

    Elsewhere: trec_eval's ``ndcg_cut``, with ratings as judgements; negative ones gain 0 there. ranx gives items below
    its relevance level no gain, and has exponential gain as ``ndcg_burges``. RecBole has binary gain. scikit-learn's
    ``ndcg_score`` averages over the orders of tied scores.

    Source: Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418; log2(r + 1) is Burges et al.'s, 2005,
    doi:10.1145/1102351.1102363.
    """
    return gains(judged, gain) / discount(judged.rank, jarvelin_base)


@additive("ndcg_full", norm=ideal_of_all, higher_is_better=True, range=(0, 1))
def ndcg_full(judged: JudgedRanks, *, gain: Gain = "linear", jarvelin_base: Base = None) -> np.ndarray:
    r"""Score the first k places by discounted gain, divided by the value of the best order of all judged items.

    .. math:: \sum_{r_j \le k} \frac{g_j}{\log_2(r_j+1)} \Big/ \sum_i \frac{g^*_i}{\log_2(i+1)}

    Gains and discounts as in ``ndcg``. If more than k items are judged, even a perfect list stays below 1. A user whose
    ideal is 0 is undefined: NaN.

    Elsewhere: trec_eval's ``ndcg`` of lists of k items. ranx, RecBole and scikit-learn cut the ideal too: ``ndcg``.

    Source: Valcarce et al. 2018, doi:10.1145/3240323.3240347, whose figures it reproduces.
    """
    return gains(judged, gain) / discount(judged.rank, jarvelin_base)


def best(extent: Extent, k: np.ndarray, gain: Gain = "linear", jarvelin_base: float | None = None) -> np.ndarray:
    """Return the gain of k places that all have the highest rating."""
    lowest, highest = extent.scale  # type: ignore[misc]  # there is a scale under every rule of relevance
    most = gain_of(np.array([highest]), gain, (lowest, highest))[0]
    place = np.minimum(k, extent.n_items).astype(int)
    return most * np.cumsum(1 / discount(np.arange(1, 1 + place.max(initial=1)), jarvelin_base))[place - 1]


@additive(
    "dcg",
    norm=any_judged,
    higher_is_better=True,
    range=(0, Bound("the highest gain times the sum of the k first discounts", best)),
)
def dcg(judged: JudgedRanks, *, gain: Gain = "linear", jarvelin_base: Base = None) -> np.ndarray:
    r"""Score the first k places by discounted gain.

    .. math:: \sum_{r_j \le k} \frac{g_j}{\log_2(r_j+1)}

    Gains and discounts as in ``ndcg``, which divides this by the best attainable. It is never undefined: if no gain is
    possible it is 0. Users with more relevant items, or higher ratings, have more weight in its mean.

    Elsewhere: the same in ranx (``dcg``), which gives items below its relevance level no gain. trec_eval has only the
    normalised form. scikit-learn's ``dcg_score`` averages over the orders of tied scores.

    Source: Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418; the discount as in ``ndcg``.
    """
    return gains(judged, gain) / discount(judged.rank, jarvelin_base)
