"""Which test items count as relevant: rules that a study, one of its parts or a metric variant may set.

``{threshold: 4}``, a rating of at least this; ``{threshold: user_mean}``, above the mean of all that the user rated;
``{threshold: high}``, a level of Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, which on a scale from 1 to 5
are ``low_high`` 1, ``medium_high`` 3 and ``high`` 4, and on other scales stand as far up. With ``binary: true`` ratings
are then forgotten: 1 if relevant and 0 if not, and predictions likewise, the implicit version of explicit data.
"""

import numpy as np

from truerank.metrics._core.judged import JudgedRanks, Scale
from truerank.registry import Definition

USER_MEAN = "user_mean"
LEVELS = {"low_high": 0.0, "medium_high": 0.5, "high": 0.75}  # how far up the rating scale


def judged_by(
    rule: Definition,
    *,
    user: np.ndarray,
    rank: np.ndarray,
    candidates: np.ndarray,
    rating: np.ndarray | None,
    prediction: np.ndarray | None = None,
    mean_rating: np.ndarray | None = None,
    scale: Scale | None = None,
) -> JudgedRanks:
    """Return the rows of a rank table judged by ``rule``; without ratings (None) every test item is relevant."""
    if rating is None:
        return JudgedRanks(user, rank, np.ones(len(user), bool), candidates, scale=scale_under(rule, None))
    relevant = is_relevant(rule, rating, mean_rating, scale)
    if rule.get("binary"):
        liked = None if prediction is None else like(prediction, is_relevant(rule, prediction, mean_rating, scale))
        return JudgedRanks(user, rank, relevant, candidates, relevant, liked, scale=scale_under(rule, scale))
    return JudgedRanks(user, rank, relevant, candidates, rating, prediction, mean_rating, scale)


def scale_under(rule: Definition, scale: Scale | None) -> Scale:
    """Return the lowest and highest rating that a rule leaves; without ratings (None) an item has 1 or is unknown."""
    return (0, 1) if scale is None or rule.get("binary") else scale


def like(prediction: np.ndarray, relevant: np.ndarray) -> np.ndarray:
    """Return predictions as 1 and 0, NaN where there is none."""
    return np.where(np.isnan(prediction), np.nan, relevant)


def is_relevant(
    rule: Definition,
    rating: np.ndarray,
    mean_rating: np.ndarray | None = None,
    scale: Scale | None = None,
    rated: bool = True,
) -> np.ndarray:
    """Tell which ratings are relevant.

    mean_rating : per row, of its user; for ``user_mean`` alone. scale : lowest and highest rating; for levels alone.
    rated : whether there are ratings at all; where nobody rated anything, every test item is relevant.
    """
    if not rated:
        return np.ones(len(rating), bool)
    if rule["threshold"] == USER_MEAN:
        return rating > mean_rating
    return rating >= lowest_relevant(rule, scale)


def lowest_relevant(rule: Definition, scale: Scale | None) -> float:
    """Return the lowest rating that a threshold or a level admits; ``scale`` counts for a level alone."""
    threshold = rule["threshold"]
    if threshold not in LEVELS:
        return threshold
    low, high = scale  # type: ignore[misc]  # ratings have a scale
    return low + LEVELS[threshold] * (high - low)


def in_words(rule: Definition) -> str:
    """Say which test items are relevant."""
    threshold = rule["threshold"]
    if threshold == USER_MEAN:
        return "each test item rated above the mean of all that its user rated"
    if threshold in LEVELS:
        return f"each test item rated at least {LEVELS[threshold]:.0%} of the way up the rating scale"
    return f"each test item rated {threshold:g} or more"
