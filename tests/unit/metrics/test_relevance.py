"""Rules of relevance, each on ratings small enough to judge by eye."""

import numpy as np
import pytest
from truerank.metrics._core.relevance import in_words, is_relevant, judged_by

RATING = np.array([1.0, 3.0, 4.0, 5.0])
TABLE = {
    "user": np.zeros(4, int),
    "rank": np.arange(1, 5),
    "candidates": np.full(4, 9),
    "rating": RATING,
    "prediction": np.array([4.5, 3.25, 2.0, 1.0]),
    "mean_rating": np.full(4, 4.0),
    "scale": (1, 5),
}


@pytest.mark.parametrize(
    ("threshold", "relevant"),
    [
        (4, [False, False, True, True]),
        (3.5, [False, False, True, True]),
        ("user_mean", [False, False, False, True]),
        ("low_high", [True, True, True, True]),
        ("medium_high", [False, True, True, True]),
        ("high", [False, False, True, True]),
    ],
)
def test_what_is_relevant(threshold, relevant):
    judged = judged_by({"threshold": threshold}, **TABLE)
    assert judged.relevant.tolist() == relevant
    assert judged.rating.tolist() == RATING.tolist()
    assert judged.prediction.tolist() == TABLE["prediction"].tolist()
    assert judged.scale == (1, 5)


def test_levels_stand_as_far_up_other_scales():
    """On 1 to 10, high begins at 7.75."""
    table = TABLE | {"rating": np.array([5.0, 6.0, 7.0, 8.0]), "scale": (1, 10)}
    assert judged_by({"threshold": "medium_high"}, **table).relevant.tolist() == [False, True, True, True]
    assert judged_by({"threshold": "high"}, **table).relevant.tolist() == [False, False, False, True]


def test_the_implicit_version_forgets_ratings_and_predictions_alike():
    judged = judged_by({"threshold": 4, "binary": True}, **TABLE)
    assert judged.rating.tolist() == [0, 0, 1, 1]
    assert judged.prediction.tolist() == [1, 0, 0, 0]
    assert judged.relevant.tolist() == [False, False, True, True]
    assert judged.scale == (0, 1)


def test_without_ratings_every_test_item_is_relevant_and_nothing_is_predicted():
    for rule in ({"threshold": 4}, {"threshold": "user_mean", "binary": True}):
        judged = judged_by(rule, **TABLE | {"rating": None})
        assert judged.relevant.all()
        assert judged.prediction is None
    nobody = np.full(4, np.nan)
    assert is_relevant({"threshold": 4}, nobody, rated=False).all()
    assert not is_relevant({"threshold": 4}, nobody).any(), "others rated"


def test_rules_in_words():
    assert in_words({"threshold": 4}) == "each test item rated 4 or more"
    assert in_words({"threshold": "user_mean"}) == "each test item rated above the mean of all that its user rated"
    assert in_words({"threshold": "high"}) == "each test item rated at least 75% of the way up the rating scale"
