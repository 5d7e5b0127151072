"""The whole ranking, all places alike."""

import numpy as np

from truerank.metrics.judged import ratio
from truerank.registry import METRICS


@METRICS.register("auc", higher_is_better=True, range=(0, 1))
def auc(judged):
    r"""Give the chance that a relevant item stands above one that is not relevant, over all candidates.

    .. math:: \frac{C - \frac{R - 1}{2} - \frac{1}{R} \sum_{j \text{ relevant}} r_j}{C - R}

    C is the user's number of candidates; unjudged ones count as not relevant. A user with no relevant item, or none but
    relevant ones, is undefined: NaN.

    Elsewhere: scikit-learn's ``roc_auc_score`` counts a tie one half, which is ours with ``ties: random`` in
    expectation. RecBole's ``AUC`` pools the scores of all users; its ``GAUC`` is per user, weighted by R.

    Source: Krichene & Rendle 2020, doi:10.1145/3394486.3403226, eq. 2; their figures come out with C, not with the
    number of all items.
    """
    n, c = judged.n_relevant, judged.candidates
    mean_rank = ratio(judged.sum_by_user(judged.relevant * judged.rank), n)
    return np.where(n > 0, ratio(c - (n - 1) / 2 - mean_rank, c - n), np.nan)
