"""The distance between the system's order and the user's."""

import numpy as np

from truerank.metrics._core.judged import JudgedRanks, ratio
from truerank.registry import METRICS


@METRICS.register("ndpm", higher_is_better=False, range=(0, 1), needs="predictions")
def ndpm(judged: JudgedRanks) -> np.ndarray:
    r"""Count the pairs that the user orders and the system orders the other way, or half if it ties them, per pair.

    .. math:: \frac{2 D + T}{2 P}

    P are the pairs that the user orders strictly, D those of them that the system orders the other way, T those that it
    ties. Pairs that the user ties do not matter. A user whose ratings are all the same is undefined: NaN.

    Elsewhere: none of trec_eval, ranx, RecBole and scikit-learn has it.

    Source: Yao 1995, doi:10.1002/(SICI)1097-4571(199503)46:2<133::AID-ASI6>3.0.CO;2-Z; Jalili et al. 2018,
    doi:10.1109/ACCESS.2018.2883742. Some slides print a minus.
    """
    distance, ordered = np.zeros((2, len(judged.row)))
    for one, other in judged.pairs():
        user = np.sign(judged.rating[one] - judged.rating[other])
        system = np.sign(judged.prediction[one] - judged.prediction[other])
        distance[one] += np.abs(user) * (1 - user * system)
        ordered[one] += np.abs(user)
    return ratio(judged.sum_by_user(distance), 2 * judged.sum_by_user(ordered))
