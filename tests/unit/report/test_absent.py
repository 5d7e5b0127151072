"""A metric that a model cannot have is absent, and the report says why."""

import pytest
from truerank.report import leaderboard, open_study
from truerank.report.standings import absent_sentences, why_absent

from tests.unit.report.conftest import FIXTURE


def test_nothing_is_said_where_nothing_is_absent(ranking):
    assert list(absent_sentences(ranking)) == []


def test_models_with_the_same_reason_share_a_sentence(config):
    config["select"]["ranking"]["metrics"] += ["mae", "sdcse"]
    config["models"]["item_cf"]["calibration"] = "linear"
    study = open_study(FIXTURE / "results", "toy", config, {})
    first, second = absent_sentences(study.parts[0])
    assert first.startswith("Absent for random, popularity: mae, sdcse. The reason: a score that only orders items")
    assert second.startswith("Absent for item_cf: mae, sdcse. The reason: the data has no ratings")
    assert "Absent for random, popularity" in leaderboard(study).html


def test_models_that_the_dataset_cannot_have_are_named_once(config):
    for name in ("lc_nn", "ncf"):
        config["models"][name] = {"kind": name}
        config["select"]["ranking"]["models"].append(name)
    study = open_study(FIXTURE / "results", "toy", config, {})
    (sentence,) = absent_sentences(study.parts[0])
    assert sentence.startswith(
        "Not on this dataset: lc_nn, ncf. The reason for each: it learns from attributes of users"
    )
    assert sentence in leaderboard(study).html


@pytest.mark.parametrize(
    ("model", "metric", "reason"),
    [
        ({"kind": "ease"}, {"kind": "rmse"}, "only orders items"),
        ({"kind": "ease", "calibration": "linear"}, {"kind": "rmse"}, "no ratings"),
        ({"kind": "ease"}, {"kind": "intra_list", "similarity": "attributes"}, "no attributes"),
        ({"kind": "ease"}, {"kind": "unified"}, "made of"),
    ],
)
def test_reasons(model, metric, reason):
    assert reason in why_absent(model, metric)
