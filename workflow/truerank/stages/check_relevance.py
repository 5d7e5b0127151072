"""Check that a split has something to find.

It is checked when the split is made, before any model is trained, and as a rule of its own before anything is
evaluated, since the rule of relevance may change without a new split or training.
"""

import json
import os

import numpy as np

from truerank.artefacts.files import is_null, read_columns, read_json
from truerank.errors import UserError
from truerank.metrics._core.relevance import USER_MEAN, is_relevant, lowest_relevant

SHARED = "TRUERANK_RELEVANCE"


def share_relevance(rules):
    """Let every job know the rule of relevance of each split, and the key of the config that sets it.

    They are no parameters of the job that splits: another rule makes no other split.
    """
    os.environ[SHARED] = json.dumps(rules)


def relevance_of(split):
    return json.loads(os.environ[SHARED])[split]


def check_relevance(train, test, facts, rule, key, names):
    """Refuse a split whose test has no relevant item; without ratings every test item is relevant.

    rule : the rule of relevance, which the config's ``key`` sets. names : dataset and split.
    """
    if is_null(test, "rating"):
        return
    user, rating = read_columns(test, "user", "rating")
    scale = read_json(facts)["rating_scale"]
    if not is_relevant(rule, rating, mean_ratings(train, test)[user], scale).any():
        raise UserError(nothing_relevant(rule, key, names, rating, scale))


def mean_ratings(*tables):
    """Return the mean of all ratings of each user, by code."""
    user, rating = map(np.concatenate, zip(*(read_columns(path, "user", "rating") for path in tables), strict=True))
    rated = ~np.isnan(rating)
    total, count = (np.bincount(user[rated], weights, user.max() + 1) for weights in (rating[rated], None))
    return total / np.maximum(count, 1)


def nothing_relevant(rule, key, names, rating, scale):
    """Say that no test item is relevant: the ratings, the threshold and what to set."""
    low, high = np.nanmin(rating), np.nanmax(rating)
    found = f"from {low:g} to {high:g}" if low < high else f"all {high:g}"
    by_user = rule["threshold"] == USER_MEAN
    wanted = "none above its user's mean" if by_user else f"none of {lowest_relevant(rule, scale):g} or more"
    return (
        f"{key}.threshold is {rule['threshold']}, and the test ratings of dataset {names[0]!r}, split {names[1]!r} are "
        f"{found}, {wanted}: no test item is relevant; set it to a number up to {high:g}"
    )
