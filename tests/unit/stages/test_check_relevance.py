"""Every rule of relevance that no test item meets is told, with the ratings, the threshold and what to set."""

import numpy as np
import pandas as pd
import pytest
from truerank.artefacts.files import read_json, write_json, write_table
from truerank.errors import UserError
from truerank.stages.check_relevance import check_relevance

from tests.support import run_stage

RELEVANT = [
    ([1, 2], {"threshold": 2}),
    ([1, 2], {"threshold": "user_mean"}),
    ([1, 4], {"threshold": "high"}),
    ([3, 3], {"threshold": "medium_high", "binary": True}),
    ([np.nan, np.nan], {"threshold": 9}),
    ([-10, -2.5], {"threshold": -3}),
]
NOT = [
    ([0, 1], 4, "are from 0 to 1, none of 4 or more", "up to 1"),
    ([3, 3], 4, "are all 3, none of 4 or more", "up to 3"),
    ([3, 3], "user_mean", "are all 3, none above its user's mean", "up to 3"),
    ([2, 3.5], "high", "are from 2 to 3.5, none of 4 or more", "up to 3.5"),
]


@pytest.fixture
def checked(tmp_path):
    """Check the test ratings of two users, each of whom rated the lowest of them in training."""

    def check(ratings, rule):
        paths = [tmp_path / name for name in ("train.parquet", "test.parquet", "summary.json")]
        test = pd.DataFrame({"user": [0, 2], "item": [1, 1], "rating": np.array(ratings, np.float32)})
        write_table(paths[0], test.assign(item=0, rating=np.float32(min(ratings))))
        write_table(paths[1], test)
        write_json(paths[2], {"rating_scale": [1, 5]})
        inputs = dict(zip(("train", "test", "facts"), paths, strict=True))
        settings = {"relevance": rule, "relevance_key": "select.ranking.relevance"}
        run_stage(check_relevance, inputs, {"relevance": tmp_path / "relevance.json"}, ("toy", "holdout"), **settings)
        return read_json(tmp_path / "relevance.json")

    return check


@pytest.mark.parametrize(("ratings", "rule"), RELEVANT)
def test_one_relevant_item_is_enough(checked, ratings, rule):
    found = checked(ratings, rule)
    assert found["rows"] == 2
    assert found["relevant"] >= 1


@pytest.mark.parametrize(("ratings", "threshold", "found", "advice"), NOT)
def test_no_relevant_item_is_told(checked, ratings, threshold, found, advice):
    with pytest.raises(UserError) as caught:
        checked(ratings, {"threshold": threshold})
    assert str(caught.value) == (
        f"select.ranking.relevance.threshold is {threshold}, and the test ratings of dataset 'toy', split 'holdout' "
        f"{found}: no test item is relevant; set it to a number {advice}"
    )
