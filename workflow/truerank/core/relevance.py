"""Whether a split has something to find."""

import numpy as np

from truerank.artefacts.split import TestRows
from truerank.errors import UserError
from truerank.metrics._core.judged import Scale
from truerank.metrics._core.relevance import USER_MEAN, is_relevant, lowest_relevant
from truerank.registry import Definition


def relevant_rows(test: TestRows, train: TestRows, rule: Definition, scale: Scale | None) -> np.ndarray:
    """Tell which test rows are relevant, of users with all their rows. Where no row of anybody is rated, all are."""
    return is_relevant(rule, test.rating, mean_ratings(train, test)[test.user], scale)


def mean_ratings(*tables: TestRows) -> np.ndarray:
    """Return the mean of all ratings of each user, by code."""
    user, rating = (np.concatenate([getattr(table, name) for table in tables]) for name in ("user", "rating"))
    rated = ~np.isnan(rating)
    total, count = (np.bincount(user[rated], weights, user.max() + 1) for weights in (rating[rated], None))
    return total / np.maximum(count, 1)


def nothing_relevant(
    rule: Definition, key: str, names: tuple[str, ...], rating: np.ndarray, scale: Scale | None
) -> UserError:
    """Say that no test item is relevant: the ratings, the threshold and what to set.

    rule : the rule of relevance, which the config's ``key`` sets. names : dataset and split.
    """
    low, high = np.nanmin(rating), np.nanmax(rating)
    found = f"from {low:g} to {high:g}" if low < high else f"all {high:g}"
    by_user = rule["threshold"] == USER_MEAN
    wanted = "none above its user's mean" if by_user else f"none of {lowest_relevant(rule, scale):g} or more"
    return UserError(
        f"{key}.threshold is {rule['threshold']}, and the test ratings of dataset {names[0]!r}, split {names[1]!r} are "
        f"{found}, {wanted}: no test item is relevant; set it to a number up to {high:g}"
    )
