"""Normalised discounted cumulative gain."""

from typing import Annotated, Literal

import numpy as np

from truerank.errors import UserError
from truerank.metrics.judged import ratio
from truerank.registry import METRICS

Gain = Literal["linear", "binary", "exponential"]
Base = Annotated[float, {"minimum": 2}]
MOST_EXPONENT = 1000  # of 2, so that a sum of gains stays below the largest float64, 2^1024


@METRICS.register("ndcg", higher_is_better=True, range=(0, 1))
def ndcg(judged, *, k, gain: Gain = "linear", jarvelin_base: Base = None):
    r"""Score the first k places by discounted gain, over the best that k places can hold.

    .. math:: \sum_{r_j \le k} \frac{g_j}{\log_2(r_j+1)} \Big/ \sum_{i \le k} \frac{g^*_i}{\log_2(i+1)}

    g* are the gains of the judged items from the largest down. ``linear`` gain is the rating, ``binary`` 1 if relevant,
    ``exponential`` 2^rating - 1. Where the rating scale of the data goes below 0, its lowest rating is subtracted
    first: from -10 to 10, a rating of -10 gains 0 and one of 10 gains 20, so that no gain is below 0. Exponential gain
    is refused where ratings, so shifted, can be above 1000. With ``jarvelin_base`` b the discount is Järvelin &
    Kekäläinen's: none for r < b, then log_b r. A user whose ideal is 0 is undefined: NaN. With graded gains that
    differs from having no relevant item.

    Elsewhere: trec_eval's ``ndcg_cut``, with ratings as judgements; negative ones gain 0 there. ranx gives items below
    its relevance level no gain, and has exponential gain as ``ndcg_burges``. RecBole has binary gain. scikit-learn's
    ``ndcg_score`` averages over the orders of tied scores.

    Source: Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418; log2(r + 1) is Burges et al.'s, 2005,
    doi:10.1145/1102351.1102363.
    """
    g = gains(judged, gain)
    return ratio(dcg(judged, g, k, jarvelin_base), ideal_dcg(judged, g, k, jarvelin_base))


@METRICS.register("ndcg_full", higher_is_better=True, range=(0, 1))
def ndcg_full(judged, *, k, gain: Gain = "linear", jarvelin_base: Base = None):
    r"""Score the first k places by discounted gain, over the best order of all judged items.

    .. math:: \sum_{r_j \le k} \frac{g_j}{\log_2(r_j+1)} \Big/ \sum_i \frac{g^*_i}{\log_2(i+1)}

    Gains and discounts as in ``ndcg``. Where more items are judged than k places hold, even a perfect list stays below
    1. A user whose ideal is 0 is undefined: NaN.

    Elsewhere: trec_eval's ``ndcg`` of lists of k items. ranx, RecBole and scikit-learn cut the ideal too: ``ndcg``.

    Source: Valcarce et al. 2018, doi:10.1145/3240323.3240347, whose figures come out with it.
    """
    g = gains(judged, gain)
    return ratio(dcg(judged, g, k, jarvelin_base), ideal_dcg(judged, g, np.array([np.inf]), jarvelin_base)[:, 0])


def gains(judged, gain):
    """Return what each row gains, 0 or more: where the scale goes below 0, gains are counted from its lowest rating."""
    if gain == "binary":
        return judged.relevant.astype(float)
    lowest, highest = judged.scale
    shift = gain_shift(judged.scale)
    # A rating that was rounded to 32 bits may lie below the scale by as much.
    rating = np.maximum(judged.rating + shift, 0) if shift else judged.rating
    if gain == "linear":
        return rating
    if highest + shift > MOST_EXPONENT:
        raise UserError(
            f"ndcg: expected ratings of at most {MOST_EXPONENT} for exponential gain, 2^rating - 1, found a scale from "
            f"{lowest:g} to {highest:g}; use `gain: linear`"
        )
    return 2.0**rating - 1


def gain_shift(scale):
    """Return what is added to ratings before they are gains: 0, unless the scale goes below 0."""
    return max(-scale[0], 0)


def discount(rank, base):
    if base is None:
        return np.log2(rank + 1)
    return np.maximum(np.log(rank) / np.log(base), 1)


def dcg(judged, g, k, base):
    return judged.sum_within(g / discount(judged.rank, base), k)


def ideal_dcg(judged, g, k, base):
    place = judged.place_by(g)
    return judged.sum_within(g / discount(place, base), k, place)
