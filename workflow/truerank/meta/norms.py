"""What a metric divides by, from the judgements that are kept.

Each function is called once, with the full rank table and the cut-offs, and returns one that is called for every subset
with ``Kept`` and returns users x cut-offs, 0 where a user is undefined. The metric's settings come along.
"""

from typing import NamedTuple

import numpy as np

from truerank.meta.sums import best_sums, count_kept
from truerank.metrics.ndcg import discount, gains
from truerank.metrics.sorting import sorted_by


class Kept(NamedTuple):
    """A mask over the rows of the rank table, in its order, and what is left: counts per user."""

    mask: np.ndarray
    n_relevant: np.ndarray
    n_other: np.ndarray


def kept(judged, mask):
    """Return what is left of the rows of ``judged`` under ``mask``."""
    return Kept(mask, *count_kept(judged.row, judged.relevant, mask, len(judged.users)))


def everywhere(per_user, k):
    return np.broadcast_to(per_user[:, None], (len(per_user), len(k)))


def n_relevant(judged, k):
    return lambda kept: everywhere(kept.n_relevant, k)


def any_relevant(judged, k, **settings):
    return lambda kept: everywhere(kept.n_relevant > 0, k)


def any_judged(judged, k, **settings):
    return lambda kept: everywhere(kept.n_relevant + kept.n_other > 0, k)


def n_relevant_within(judged, k):
    return lambda kept: np.minimum(kept.n_relevant[:, None], k)


def places(judged, k):
    length = np.where(np.isinf(k), judged.candidates[:, None], k)
    return lambda kept: length * (kept.n_relevant > 0)[:, None]


def mean_of_both(judged, k):
    """Return half the sum of the norms of precision and recall: hits over it are the harmonic mean of both."""
    length = np.where(np.isinf(k), judged.candidates[:, None], k)
    return lambda kept: (length + kept.n_relevant[:, None]) / 2 * (kept.n_relevant > 0)[:, None]


def pairs(judged, k):
    """Return the pairs of a relevant item and one that is not, unjudged ones included."""
    return lambda kept: everywhere(kept.n_relevant * (judged.candidates - kept.n_relevant), k)


def ideal(judged, k, gain, jarvelin_base):
    """Return the best discounted gain within each cut-off; rows are sorted by gain once, for all subsets."""
    gained = gains(judged, gain).astype(float)
    by_gain = sorted_by(-gained, judged.row)
    place = np.arange(1, 1 + judged.n_judged.max(initial=0))
    discounts, band = discount(place, jarvelin_base), np.searchsorted(k, place)

    def best(kept):
        return best_sums(by_gain, judged.row, gained, kept.mask, discounts, band, len(judged.users), len(k))

    return best


def ideal_full(judged, k, gain, jarvelin_base):
    best = ideal(judged, np.array([np.inf]), gain, jarvelin_base)
    return lambda kept: everywhere(best(kept)[:, 0], k)
