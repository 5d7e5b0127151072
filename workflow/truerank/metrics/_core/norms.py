"""What the terms of an additive metric are divided by, from the judgements that are kept.

Each function is called once, with the full rank table, the cut-offs and the metric's settings, and returns one that is
called for every subset of the judgements with ``KeptCounts`` and returns users x cut-offs, 0 where a user is undefined.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from truerank.metrics._core.gains import Gain, discount, gains
from truerank.metrics._core.judged import JudgedRanks


class KeptCounts(NamedTuple):
    """A mask over the rows of the rank table, in its order, None for all; and what is left: counts per user."""

    mask: np.ndarray | None
    n_relevant: np.ndarray
    n_other: np.ndarray


OfKept = Callable[[KeptCounts], np.ndarray]
Norm = Callable[..., OfKept]  # of the rank table, the cut-offs and the settings


def whole(judged: JudgedRanks) -> KeptCounts:
    """Return all judgements of a rank table as kept."""
    return KeptCounts(None, judged.n_relevant, judged.n_judged - judged.n_relevant)


def everywhere(per_user: np.ndarray, k: np.ndarray) -> np.ndarray:
    return np.broadcast_to(per_user[:, None], (len(per_user), len(k)))


def places(judged: JudgedRanks, k: np.ndarray) -> np.ndarray:
    """Return the cut-offs, users x cut-offs; without one it is the number of candidates."""
    return np.where(np.isinf(k), judged.candidates[:, None], k)


def any_judged(judged: JudgedRanks, k: np.ndarray, **settings: Any) -> OfKept:
    """1 for a user with a judgement: the sum itself."""
    return lambda kept: everywhere(kept.n_relevant + kept.n_other > 0, k)


def any_relevant(judged: JudgedRanks, k: np.ndarray, **settings: Any) -> OfKept:
    """1 for a user with a relevant item: the sum itself."""
    return lambda kept: everywhere(kept.n_relevant > 0, k)


def n_relevant(judged: JudgedRanks, k: np.ndarray, **settings: Any) -> OfKept:
    """The user's relevant items."""
    return lambda kept: everywhere(kept.n_relevant, k)


def n_relevant_within(judged: JudgedRanks, k: np.ndarray, **settings: Any) -> OfKept:
    """The relevant items that k places can hold."""
    return lambda kept: np.minimum(kept.n_relevant[:, None], k)


def n_places(judged: JudgedRanks, k: np.ndarray, **settings: Any) -> OfKept:
    """The places within the cut-off."""
    length = places(judged, k)
    return lambda kept: length * (kept.n_relevant > 0)[:, None]


def mean_of_places_and_relevant(judged: JudgedRanks, k: np.ndarray, **settings: Any) -> OfKept:
    """Half the sum of the norms of precision and recall: hits over it are the harmonic mean of both."""
    length = places(judged, k)
    return lambda kept: (length + kept.n_relevant[:, None]) / 2 * (kept.n_relevant > 0)[:, None]


def n_pairs(judged: JudgedRanks, k: np.ndarray, **settings: Any) -> OfKept:
    """The pairs of a relevant item and a candidate that is not, unjudged ones included."""
    return lambda kept: everywhere(kept.n_relevant * (judged.candidates - kept.n_relevant), k)


def ideal(judged: JudgedRanks, k: np.ndarray, *, gain: Gain, jarvelin_base: float | None, **settings: Any) -> OfKept:
    """The best discounted gain within each cut-off; rows are sorted by gain once, for all subsets."""
    gained = gains(judged, gain).astype(float)
    place = judged.place_by(gained)

    @cache
    def by_gain() -> np.ndarray:
        rows = np.empty(len(place), int)
        rows[judged.first[judged.row] + place - 1] = np.arange(len(place))
        return rows

    def best(kept: KeptCounts) -> np.ndarray:
        if kept.mask is None:
            return judged.sum_within(gained / discount(place, jarvelin_base), k, place)
        from truerank.metrics.compiled.best_sums import best_sums

        most = np.arange(1, 1 + judged.n_judged.max(initial=0))
        discounts, band = discount(most, jarvelin_base), np.searchsorted(k, most)
        return best_sums(by_gain(), judged.row, gained, kept.mask, discounts, band, len(judged.users), len(k))

    return best


def ideal_of_all(judged: JudgedRanks, k: np.ndarray, **settings: Any) -> OfKept:
    """The best discounted gain of all judged items, whatever the cut-off."""
    best = ideal(judged, np.array([np.inf]), **settings)
    return lambda kept: everywhere(best(kept)[:, 0], k)
