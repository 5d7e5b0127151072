"""The study once more with other seeds: what is gathered, and whose lead is measured."""

import numpy as np
import pandas as pd
import pytest
from truerank.config.checks import check_config
from truerank.config.replicates import ordinary, replicates_of, rows_of
from truerank.config.study import Study
from truerank.core.replicates import gathered, variance_rows
from truerank.errors import UserError

from tests.support import default_study

NUMBERS = [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_names_tell_which_rows_a_replicate_has():
    found = replicates_of("holdout", {"splits": 2, "training": 2})
    assert list(found.values()) == NUMBERS
    assert list(found) == ["holdout", *(f"holdout/replicates/{own}" for own in ("1-2", "2-1", "2-2"))]
    assert [rows_of(name) for name in found] == ["holdout", "holdout", *["holdout/replicates/2-1"] * 2]
    assert {ordinary(name) for name in found} == {"holdout"}


def test_values_of_all_replicates_are_gathered_and_what_one_lacks_is_left_out():
    summary = pd.DataFrame({"model": ["a", "b"], "metric": "ndcg", "k": "10", "value": [0.1, 0.2], "users": 3})
    more = pd.DataFrame({"model": ["a"], "metric": "mae", "k": "all", "value": [1.0], "users": 3})
    found = gathered([(1, 1), (2, 1)], [pd.concat([summary, more]), summary.assign(value=[0.3, 0.1])])
    assert found.columns.tolist() == ["model", "metric", "k", "split_seed", "training_seed", "value"]
    assert found.to_numpy().tolist() == [
        ["a", "ndcg", "10", 1, 1, 0.1],
        ["b", "ndcg", "10", 1, 1, 0.2],
        ["a", "ndcg", "10", 2, 1, 0.3],
        ["b", "ndcg", "10", 2, 1, 0.1],
    ]


def test_the_lead_is_that_of_the_first_run_and_undefined_users_follow_the_rule():
    rng = np.random.default_rng(1)
    values = {"a": rng.random((4, 30)), "b": rng.random((4, 30)) + 1}
    rows = list(variance_rows("ndcg@10", NUMBERS, values, True, "zero"))
    assert [row[:4] for row in rows] == [
        ("a", None, "ndcg", "10"),
        ("b", None, "ndcg", "10"),
        ("b", "a", "ndcg", "10"),
    ]
    assert rows[2][4] == pytest.approx((values["b"] - values["a"]).mean())
    assert list(variance_rows("mae@all", NUMBERS, values, False, "zero"))[2][:2] == ("a", "b")
    some = {model: np.where(np.arange(30) == 3, np.nan, own) for model, own in values.items()}
    zero, drop = (next(variance_rows("ndcg@10", NUMBERS, some, True, rule))[4] for rule in ("zero", "drop"))
    assert zero == pytest.approx(np.delete(values["a"], 3, 1).sum() / 120)
    assert drop == pytest.approx(np.delete(values["a"], 3, 1).mean())


def test_a_study_has_replicates_where_it_asks_for_them():
    config = default_study()
    study = Study(config)
    assert study.replicate_numbers == [(1, 1), (2, 1), (3, 1)], "the default study asks for three splits"
    name = "holdout/replicates/2-1"
    assert study.split(name) == study.split("holdout")
    assert study.model_names(name, "ml-100k") == config["select"]["ranking"]["models"]
    assert "ndcg" in study.metrics(name)
    assert not {"mae", "coverage", "intra_list"} & set(study.metrics(name)), "replicates are of rankings"
    assert "calibration" in study.trained_model("ease", "holdout")
    assert "calibration" not in study.trained_model("ease", name)
    jobs = study.jobs(["dataset", "split"], "replicates", dataset="ml-100k", split="holdout")
    assert [job["split"] for job in jobs] == list(study.replicates)
    del config["select"]["ranking"]["replicates"]
    assert Study(config).replicates == {}
    assert Study(config).jobs(["dataset", "split"], "replicated") == []


def test_replicates_that_could_not_differ_are_refused():
    config = default_study()
    config["select"]["ranking"]["split"] = "time_cut"
    with pytest.raises(UserError, match="'time_cut' has the same rows whatever the seed; set it to 1"):
        check_config(config)
    config["select"]["ranking"]["replicates"] = {"training": 2}
    check_config(config)
    config["select"]["ranking"]["replicates"] = {"seeds": 2}
    with pytest.raises(UserError, match="replicates"):
        check_config(config)


def test_a_split_by_time_has_the_models_that_are_named():
    config = default_study()
    config["select"]["ranking"]["by_time"] = {"split": "time_cut", "models": ["popularity", "ease"]}
    check_config(config)
    study = Study(config)
    assert study.split("holdout/by_time") == config["splits"]["time_cut"]
    assert study.model_names("holdout/by_time", "ml-100k") == ["popularity", "ease"]
    both = study.jobs(["dataset", "split"], "both_splits", dataset="ml-100k", split="holdout")
    assert [job["split"] for job in both] == ["holdout", "holdout/by_time"]
    for wrong, told in (
        ({"split": "holdout", "models": ["ease"]}, "expected a split of kind global_time"),
        ({"split": "time_cut", "models": ["plsa"]}, "plsa"),
    ):
        config["select"]["ranking"]["by_time"] = wrong
        with pytest.raises(UserError, match=told):
            check_config(config)
