"""Turn the scores of any recommender into ratings, by a curve fitted on training ratings.

The curve never falls, so it changes no ranking, and it stays on the scale of the training ratings. It is fitted on the
scores that the model gives to training pairs, whose ratings the model may have learnt from: where a model scores its
training pairs higher than unseen ones, predictions for unseen items come out low. The kinds ``.._held_out`` avoid that:
the model is trained without a tenth of the rows, and the curve is fitted on these.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from truerank.registry import MODELS, Definition

if TYPE_CHECKING:
    from truerank.models._core.base import Learnt, Train

SHARE_HELD_OUT = 0.1  # of the training rows, for a curve on rows that the model did not see
MOST_PAIRS = 1_000_000
CELLS_PER_BLOCK = 1 << 22


def calibrate(
    kind: str,
    scores: Callable[[np.ndarray], np.ndarray],
    train: "Train",
    rng: np.random.Generator,
    rows: "Train | None" = None,
) -> "Learnt":
    """Fit a curve from score to rating; return its knots as the arrays that are saved with the model.

    kind : ``linear``, least squares with a slope of at least 0, cut off at the ends of the rating scale, or
    ``isotonic``, the best curve that never falls. scores : function from a block of users to users x items. rows : the
    pairs to fit it on, those of training if not given. Empty if training has no ratings that differ, or the pairs no
    scores above minus infinity: there is nothing to learn from.
    """
    if train.rating is None or train.rating.min() == train.rating.max():
        return {}
    score, rating = training_scores(scores, train if rows is None else rows, rng)
    if not len(score):
        return {}
    x, y = (linear if kind == "linear" else isotonic)(score, rating, train.rating.min(), train.rating.max())
    return {"calibration_score": x, "calibration_rating": y}


def parted(train: "Train", rng: np.random.Generator) -> tuple["Train", "Train"]:
    """Return training rows in two parts, the second a random tenth; every user with a row keeps one in the first."""
    held_out = rng.random(len(train.user)) < SHARE_HELD_OUT
    left = np.bincount(train.user[~held_out], minlength=train.n_users)
    held_out &= left[train.user] > 0

    def part(rows: np.ndarray) -> "Train":
        rating = None if train.rating is None else train.rating[rows]
        return replace(train, user=train.user[rows], item=train.item[rows], rating=rating)

    return part(~held_out), part(held_out)


def predict(learnt: "Learnt", score: np.ndarray, train: "Train", predicts_ratings: bool) -> np.ndarray:
    """Return the ratings that a model predicts, float32, NaN where it predicts none.

    A model with a calibration follows its curve; one that predicts ratings is cut off at the ends of their scale. What
    is not recommended at all, minus infinity, has no prediction.
    """
    if "calibration_score" in learnt:
        predicted = np.interp(score, learnt["calibration_score"], learnt["calibration_rating"])
    elif predicts_ratings and train.rating is not None:
        predicted = np.clip(score, train.rating.min(), train.rating.max())
    else:
        predicted = np.full(len(score), np.nan)
    return np.where(np.isneginf(score), np.nan, predicted).astype(np.float32)


def gives_ratings(definition: Definition) -> bool:
    """Tell whether the scores of a model, defined as in the config, are predicted ratings; a run says so itself."""
    return definition.get("ratings", MODELS.of(definition).facts.predicts_ratings)


def training_scores(
    scores: Callable[[np.ndarray], np.ndarray], train: "Train", rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return score and rating of training pairs; of a sample of users who have about a million, if there are more."""
    assert train.rating is not None
    n_pairs = np.bincount(train.user, minlength=train.n_users)
    users = rng.permutation(np.flatnonzero(n_pairs))
    users = np.sort(users[np.cumsum(n_pairs[users]) - n_pairs[users] < MOST_PAIRS])
    pairs = np.argsort(train.user, kind="stable")
    pairs = pairs[np.isin(train.user[pairs], users)]
    start = np.append(0, np.cumsum(n_pairs[users]))
    score = np.empty(len(pairs))
    size = max(CELLS_PER_BLOCK // train.n_items, 1)
    for first in range(0, len(users), size):
        block = users[first : first + size]
        cut = slice(start[first], start[first + len(block)])
        of_user = np.searchsorted(block, train.user[pairs[cut]])
        score[cut] = scores(block)[of_user, train.item[pairs[cut]]]
    finite = np.isfinite(score)
    return score[finite], train.rating[pairs][finite].astype(float)


def linear(score: np.ndarray, rating: np.ndarray, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the two knots at which the line reaches the ends of the scale, or one if it is level."""
    spread = score - score.mean()
    slope = max((spread @ rating) / max(spread @ spread, np.finfo(float).tiny), 0)
    if slope * (score.max() - score.min()) < np.finfo(np.float32).eps:
        return np.array([score.mean()]), np.array([rating.mean()])
    ends = np.array([low, high], float)
    return score.mean() + (ends - rating.mean()) / slope, ends


def isotonic(score: np.ndarray, rating: np.ndarray, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the first and last score of every level stretch of the isotonic regression."""
    from scipy.optimize import isotonic_regression

    x, place, weight = np.unique(score, return_inverse=True, return_counts=True)
    fit = isotonic_regression(np.bincount(place, rating) / weight, weights=weight)
    ends = np.unique(np.concatenate([fit.blocks[:-1], fit.blocks[1:] - 1]))
    return x[ends], fit.x[ends]
