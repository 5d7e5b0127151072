r"""Metrics that add up over a user's judged items, for sweeps that need their means many thousand times.

.. math:: \frac{1}{M} \sum_u \frac{1}{n_u(k)} \sum_{j : r_j \le k} v_j f_j

The values v depend on a row alone and are computed once. The factor f counts kept rows above the row (``sums``). The
norm n depends on the judgements alone (``norms``), so all systems share it. The means are those of the registered
metrics, which a test compares; a metric that is not here is evaluated in full.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from truerank.meta import norms
from truerank.meta.sums import FEW_MISSES, FIRST, HITS_ABOVE, INFERRED, PLAIN
from truerank.metrics.evaluation import settings_of
from truerank.metrics.ndcg import discount, gains
from truerank.registry import METRICS


def hit(judged):
    return judged.relevant


def hit_by_rank(judged):
    return judged.relevant / judged.rank


def hit_past_first(judged):
    return judged.relevant * (1 - 1 / judged.rank)


def minus_hit(judged):
    return -1.0 * judged.relevant


def below(judged):
    return judged.relevant * (judged.candidates[judged.row] - judged.rank)


def way_down(judged):
    return judged.relevant * judged.rank / judged.candidates[judged.row]


def discounted(judged, gain, jarvelin_base):
    return gains(judged, gain) / discount(judged.rank, jarvelin_base)


def persistent(judged, p):
    return (1 - p) * judged.relevant * p ** (judged.rank - 1.0)


def utility(judged, h, neutral):
    d = judged.mean_rating[judged.row] if neutral is None else neutral
    return np.maximum(judged.rating - d, 0) * 0.5 ** ((judged.rank - 1) / (h - 1))


PRECISIONS = [(hit_by_rank, PLAIN), (hit_by_rank, HITS_ABOVE)]  # hits / rank, with the row's own hit
TERMS_AND_NORM = {
    "precision": ([(hit, PLAIN)], norms.places),
    "recall": ([(hit, PLAIN)], norms.n_relevant),
    "f1": ([(hit, PLAIN)], norms.mean_of_both),
    "ap": (PRECISIONS, norms.n_relevant),
    "ap_min": (PRECISIONS, norms.n_relevant_within),
    "rr": ([(hit_by_rank, FIRST)], norms.any_relevant),
    "ndcg": ([(discounted, PLAIN)], norms.ideal),
    "ndcg_full": ([(discounted, PLAIN)], norms.ideal_full),
    "auc": ([(below, PLAIN), (minus_hit, HITS_ABOVE)], norms.pairs),
    "bpref": ([(hit, FEW_MISSES)], norms.n_relevant),
    "infap": ([(hit_by_rank, PLAIN), (hit_past_first, INFERRED)], norms.n_relevant),
    "rbp": ([(persistent, PLAIN)], norms.any_relevant),
    "half_life": ([(utility, PLAIN)], norms.any_judged),
    "recovery": ([(way_down, PLAIN)], norms.n_relevant),
}


class Additive(NamedTuple):
    """A metric as the config defines it: pairs of values and factor, the norm, and what is known of its kind."""

    terms: list
    norm: object
    has_cutoff: bool
    higher_is_better: bool


def additive(definition):
    """Return the metric in parts, None if it does not add up."""
    kind = definition["kind"]
    if kind not in TERMS_AND_NORM:
        return None
    entry = METRICS[kind]
    settings = {name: setting.default for name, setting in entry.settings.items()} | settings_of(definition)
    terms, norm = TERMS_AND_NORM[kind]
    values = [(partial(function, **settings), factor) for function, factor in terms]
    return Additive(values, partial(norm, **settings), entry.has_cutoff, entry.facts["higher_is_better"])
