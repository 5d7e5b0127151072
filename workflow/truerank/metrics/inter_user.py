"""How different the lists of different users are."""

from typing import TYPE_CHECKING

import numpy as np

from truerank.registry import METRICS

if TYPE_CHECKING:
    from truerank.metrics._core.listed import TopLists


@METRICS.register("inter_user", higher_is_better=True, range=(0, 1), needs="lists", per="system")
def inter_user(listed: "TopLists", *, k: np.ndarray) -> np.ndarray:
    r"""Average, over pairs of users, the share of the first k places that their lists do not have in common.

    .. math:: 1 - \frac{1}{M(M-1)} \sum_{u \ne v} \frac{|L_u^k \cap L_v^k|}{k}
        = 1 - \frac{\sum_i c_i (c_i - 1)}{k\, M(M-1)}

    c_i is the number of lists that contain item i, M the number of users; the second form needs no pairs. With fewer
    than two users it is undefined: NaN.

    Elsewhere: none of trec_eval, ranx, RecBole and scikit-learn has it; known as personalisation or Hamming distance.

    Source: Zhou et al. 2010, doi:10.1073/pnas.1000488107; Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742. Some
    slides print the wrong direction: higher is more diverse.
    """
    n = len(listed.item)
    if n < 2:
        return np.full(len(k), np.nan)
    shared = np.array([(counts * (counts - 1)).sum() for counts in listed.counts(k)])
    return 1 - shared / (listed.places(k) * n * (n - 1))
