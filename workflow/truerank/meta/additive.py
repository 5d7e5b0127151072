r"""Means of metrics that add up over a user's rows, for sweeps that need them many thousand times.

.. math:: \frac{1}{M} \sum_u \frac{1}{n_u(k)} \sum_{j : r_j \le k} v_j

The norm n depends on the judgements alone, so all systems share it, and the terms v only matter down to the last
cut-off. The values are those of the registered metrics, which a test compares; a metric that is not here is evaluated
in full.
"""

from functools import partial

import numpy as np
from numba import njit

from truerank.metrics.evaluation import settings_of
from truerank.metrics.ndcg import discount, gains, ideal_dcg

EVERYTHING = np.array([np.inf])


def hit(judged):
    return judged.relevant


def first_hit(judged):
    return judged.relevant * (judged.hits == 1) / judged.rank


def precision_at_hit(judged):
    return judged.relevant * judged.hits / judged.rank


def discounted(judged, gain="linear", jarvelin_base=None):
    return gains(judged, gain) / discount(judged.rank, jarvelin_base)


def places(judged, k):
    return np.where(np.isinf(k), judged.candidates[:, None], k)


def n_relevant(judged, k):
    return np.broadcast_to(judged.n_relevant[:, None], (len(judged.users), len(k)))


def ideal(judged, k, gain="linear", jarvelin_base=None):
    return ideal_dcg(judged, gains(judged, gain), k, jarvelin_base)


def ideal_full(judged, k, gain="linear", jarvelin_base=None):
    return np.broadcast_to(ideal(judged, EVERYTHING, gain, jarvelin_base), (len(judged.users), len(k)))


def if_relevant(norm):
    """Leave a user without a relevant item undefined."""
    return lambda judged, k: np.where(judged.n_relevant[:, None] > 0, norm(judged, k), 0)


TERMS_AND_NORM = {
    "precision": (hit, if_relevant(places)),
    "recall": (hit, n_relevant),
    "f1": (hit, if_relevant(lambda judged, k: (places(judged, k) + n_relevant(judged, k)) / 2)),
    "ap": (precision_at_hit, n_relevant),
    "ap_min": (precision_at_hit, lambda judged, k: np.minimum(n_relevant(judged, k), k)),
    "rr": (first_hit, lambda judged, k: n_relevant(judged, k) > 0),
    "ndcg": (discounted, ideal),
    "ndcg_full": (discounted, ideal_full),
}


def terms_and_norm(definition):
    """Return the two functions of a metric as the config defines it, None if it does not add up."""
    settings = settings_of(definition)
    if definition["kind"] not in TERMS_AND_NORM or set(settings) - {"gain", "jarvelin_base"}:
        return None
    return tuple(partial(function, **settings) for function in TERMS_AND_NORM[definition["kind"]])


def weights(norm):
    """Return one over the norm, users x cut-offs, 0 where a user is undefined."""
    return np.divide(1.0, norm, where=norm > 0, out=np.zeros(norm.shape))


@njit(nogil=True, cache=True)
def weighted_sums(row, band, terms, weight):
    """Add up, per cut-off, all users' terms within it. row : ascending. band : per row, the first cut-off around it."""
    n_cutoffs = weight.shape[1]
    total = np.zeros(n_cutoffs)
    own = np.zeros(n_cutoffs)
    for j in range(len(row)):
        own[band[j]] += terms[j]
        if j + 1 == len(row) or row[j + 1] != row[j]:
            running = 0.0
            for c in range(n_cutoffs):
                running += own[c]
                total[c] += running * weight[row[j], c]
                own[c] = 0.0
    return total
