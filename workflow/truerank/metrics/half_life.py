"""Utility that halves with every few places."""

from typing import Annotated

import numpy as np

from truerank.metrics._core.additive import additive
from truerank.metrics._core.bounds import Bound, Extent
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.norms import any_judged

HalfLife = Annotated[float, {"exclusiveMinimum": 1}]
Rating = Annotated[float, {}]


def best(extent: Extent, k: np.ndarray, h: float = 5.0, neutral: float | None = None) -> np.ndarray:
    """Return the utility of k places that all have the highest rating, for a user whose d is the lowest."""
    lowest, highest = extent.scale  # type: ignore[misc]  # there is a scale under every rule of relevance
    above = max(highest - (lowest if neutral is None else neutral), 0)
    decay = np.log(2) / (h - 1)
    return above * np.expm1(-decay * k) / np.expm1(-decay)


@additive(
    "half_life",
    norm=any_judged,
    higher_is_better=True,
    range=(0, Bound("(y_max - d) times the sum of the k first weights", best)),
)
def half_life(judged: JudgedRanks, *, h: HalfLife = 5.0, neutral: Rating = None) -> np.ndarray:
    r"""Sum how far ratings within k are above the neutral one, each halved for every h - 1 places down the list.

    .. math:: \sum_{j : r_j \le k} \frac{\max(y_j - d, 0)}{2^{(r_j - 1) / (h - 1)}}

    h is the place that half of the users reach. d is ``neutral`` or, if not given, the mean of all that the user rated;
    0 without ratings. No term is below 0, whatever the scale of ratings is. It is never undefined: it is 0 for a user
    who rates all items equally. The upper bound uses the lowest possible d.

    Elsewhere: none of trec_eval, ranx, RecBole and scikit-learn has it. Breese et al. also divide by the best possible
    sum over all users.

    Source: Breese, Heckerman & Kadie 1998, arXiv:1301.7363; Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742. Some
    slides print (r - 1)(h - 1), which does not halve at h.
    """
    d = judged.mean_rating[judged.row] if neutral is None else neutral
    return np.maximum(judged.rating - d, 0) * 0.5 ** ((judged.rank - 1) / (h - 1))
