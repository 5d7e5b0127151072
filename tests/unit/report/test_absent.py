"""A metric that a model cannot have is absent, and the report says why."""

import shutil

import numpy as np
import pytest
from truerank.artefacts.files import write_arrays
from truerank.report import leaderboard, open_study
from truerank.report.standings import absent_sentences, unknown_sentences, why_absent

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


def test_unknown_items_and_users_of_a_run_are_counted(config, tmp_path):
    results = shutil.copytree(FIXTURE / "results", tmp_path / "results")
    config["models"]["random"] = {"kind": "run", "path": "run.txt"}
    study = open_study(results, "toy", config, {})
    part = study.parts[0]
    arrays = {"item": np.arange(15), "unknown_item": np.arange(5), "left_out": np.array(1200)}
    paths = [results / "models/toy" / each.split / "random/model.npz" for each in study.parts]
    for path in paths:
        write_arrays(path, arrays)
    items, users = unknown_sentences(part)
    assert items == (
        "5 of 20 items that random recommends (25\u00a0%) are not in the dataset: each keeps its position as a miss."
    )
    assert users == "1,200 rows of random have a user who is not in the dataset; they are left out."
    assert items in leaderboard(study).html
    write_arrays(paths[0], arrays | {"unknown_item": np.arange(0), "left_out": np.array(0)})
    assert list(unknown_sentences(part)) == []


@pytest.mark.parametrize(
    ("model", "metric", "reason"),
    [
        ({"kind": "ease"}, {"kind": "rmse"}, "only orders items"),
        ({"kind": "ease", "calibration": "linear"}, {"kind": "rmse"}, "no ratings"),
        ({"kind": "ease"}, {"kind": "intra_list", "similarity": "attributes"}, "no attributes"),
        ({"kind": "ease"}, {"kind": "unified"}, "computed from"),
    ],
)
def test_reasons(model, metric, reason):
    assert reason in why_absent(model, metric)
