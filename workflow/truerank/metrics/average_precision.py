"""Average precision, with the two denominators in use."""

import numpy as np

from truerank.metrics.judged import ratio
from truerank.registry import METRICS


@METRICS.register("ap", higher_is_better=True, range=(0, 1))
def ap(judged, *, k):
    r"""Average the precision at the ranks of relevant items within k, over all R relevant items.

    .. math:: \frac{1}{R} \sum_{j : r_j \le k} [j \text{ relevant}] \frac{\mathrm{hits}(r_j)}{r_j}

    As in trec_eval and Valcarce et al. 2018. A user with no relevant item is undefined: NaN.
    """
    return ratio(precision_at_hits(judged, k), judged.n_relevant)


@METRICS.register("ap_min", higher_is_better=True, range=(0, 1))
def ap_min(judged, *, k):
    r"""Average the precision at the ranks of relevant items within k, over as many as k places can hold.

    .. math:: \frac{1}{\min(R, k)} \sum_{j : r_j \le k} [j \text{ relevant}] \frac{\mathrm{hits}(r_j)}{r_j}

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, eq. 3. A user with no relevant item is undefined: NaN.
    """
    return ratio(precision_at_hits(judged, k), np.minimum(judged.n_relevant[:, None], k))


def precision_at_hits(judged, k):
    return judged.sum_within(judged.relevant * judged.hits / judged.rank, k)
