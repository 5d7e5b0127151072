"""Tuning as a stage: settings are chosen on held-out training rows, and a killed search goes on with the same bytes."""

import json

import numpy as np
import pandas as pd
import pytest
from truerank.artefacts.files import read_arrays, write_json, write_table
from truerank.artefacts.models import load_model
from truerank.core import tuning as measuring
from truerank.core.training import restored
from truerank.errors import UserError
from truerank.stages.split_interactions import split_interactions
from truerank.stages.train_model import train_model
from truerank.stages.tune_model import trial_table, tune_model
from truerank.tuning.search import Trial

from tests.support import noisy_train, run_stage

NAMES = ("toy", "holdout", "mine")
EVALUATION = {"ties": "random", "candidates": "unseen", "relevance": {"threshold": 3}, "undefined_users": "zero"}
TUNE = {"l2": {"low": 0.01, "high": 1000, "log": True}}
TUNING = {
    "trials": 6,
    "metrics": {"ndcg": {"kind": "ndcg"}},
    "k": 5,
    "validation": {"kind": "user_fraction", "test": 0.3},
}


@pytest.fixture
def data(tmp_path):
    """Paths of the training rows and the catalogue of toy ratings."""
    train = noisy_train(60, 30, rating=True)
    rows = {"user": train.user, "item": train.item, "rating": train.rating}
    paths = {name: tmp_path / f"{name}.parquet" for name in ("train", "user_table", "item_table")}
    write_table(paths["train"], rows | {"timestamp": np.arange(len(train.user))})
    for name, n in (("user_table", train.n_users), ("item_table", train.n_items)):
        write_table(paths[name], {"code": np.arange(n), "id": np.arange(n).astype(str)})
    write_json(tmp_path / "summary.json", {"rating_scale": [1, 5]})
    return paths | {"facts": tmp_path / "summary.json"}


def tune(data, folder, seed=1, code="code", tune=None, definition=None, **tuning):
    definition = definition or {"kind": "ease", "calibration": "linear", "tune": tune or TUNE}
    outputs = {"tuning": folder / "mine.json", "trials": folder / "mine.parquet"}
    settings = {"evaluation": EVALUATION, "tuning": TUNING | tuning, "seed": seed, "code": code}
    run_stage(tune_model, data, outputs, NAMES, model=definition, **settings)
    return json.loads(outputs["tuning"].read_text()), pd.read_parquet(outputs["trials"])


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def kill(data, folder, monkeypatch, after):
    """Begin a search that ends in the middle, after some trials."""
    with monkeypatch.context() as patch:
        count_values(patch, limit=after)
        with pytest.raises(KeyboardInterrupt):
            tune(data, folder)
    assert not (folder / "mine.json").exists()


def killed(*_):
    raise KeyboardInterrupt


def count_values(monkeypatch, limit=None):
    """Return the definitions that are measured from now on; the search is killed when it asks for more than a limit."""
    asked, real = [], measuring.HeldOut.value

    def value(self, definition):
        if len(asked) == limit:
            raise KeyboardInterrupt
        asked.append(definition)
        return real(self, definition)

    monkeypatch.setattr(measuring.HeldOut, "value", value)
    return asked


def test_the_best_trial_is_chosen_and_all_are_in_the_table(data, tmp_path):
    chosen, trials = tune(data, tmp_path / "out")
    assert trials.columns.tolist() == ["trial", "l2", "value"]
    assert trials["trial"].tolist() == [1, 2, 3, 4, 5, 6]
    row = trials.iloc[trials["value"].argmax()]
    assert chosen["settings"] == {"l2": row["l2"]}
    assert (chosen["value"], chosen["trial"], chosen["trials"]) == (row["value"], row["trial"], 6)
    assert chosen["metric"] == "ndcg@5"
    assert sorted(contents(tmp_path / "out")) == ["mine.json", "mine.parquet"], "nothing else is left"


def test_the_value_is_that_of_the_stages_on_the_held_out_rows(data, tmp_path):
    """Held out by hand, trained and measured by hand: recall at all items is the share of relevant rows, so 1."""
    chosen, trials = tune(data, tmp_path / "out", metrics={"recall": {"kind": "recall"}}, k="all")
    split = [tmp_path / name for name in ("one.parquet", "two.parquet", "split.json")]
    outputs = dict(zip(("train", "test", "split_facts"), split, strict=True))
    names = ("toy", "holdout/validation")
    inputs = {"interactions": data["train"], "facts": data["facts"]}
    rules = {"split": TUNING["validation"], "seed": 1, "relevance": {"threshold": 3}, "relevance_key": "relevance"}
    run_stage(split_interactions, inputs, outputs, names, split_rows=names[1], **rules)
    tests = pd.read_parquet(split[1])
    has_relevant = (tests["rating"] >= 3).groupby(tests["user"]).any()
    assert chosen["metric"] == "recall@all"
    assert trials["value"].to_numpy() == pytest.approx(has_relevant.mean())


def test_where_less_is_better_the_lowest_value_is_chosen(data, tmp_path):
    chosen, trials = tune(data, tmp_path / "out", metrics={"mae": {"kind": "mae"}})
    assert trials["value"].nunique() > 1
    assert chosen["value"] == trials["value"].min()


@pytest.mark.parametrize("n_done", [0, 1, 4])
def test_a_killed_search_goes_on_and_ends_with_the_same_bytes(data, tmp_path, monkeypatch, n_done):
    tune(data, tmp_path / "undisturbed")
    kill(data, tmp_path / "killed", monkeypatch, after=n_done)
    asked = count_values(monkeypatch)
    tune(data, tmp_path / "killed")
    assert len(asked) == 6 - n_done
    assert contents(tmp_path / "killed") == contents(tmp_path / "undisturbed")


CHANGES = {
    "seed": {"seed": 2},
    "code": {"code": "other"},
    "cut-off": {"k": 3},
    "space": {"tune": {"l2": {"low": 1, "high": 2}}},
}


@pytest.mark.parametrize("change", [*CHANGES, "data"])
def test_trials_of_another_search_are_not_used(data, tmp_path, monkeypatch, change):
    kill(data, tmp_path / "out", monkeypatch, after=3)
    if change == "data":
        rows = pd.read_parquet(data["train"])
        rows["rating"] = 5
        write_table(data["train"], rows)
    asked = count_values(monkeypatch)
    tune(data, tmp_path / "out", **CHANGES.get(change, {}))
    assert len(asked) == 6


@pytest.mark.parametrize("content", [None, "", "{}", "[]", "null", "3", '{"trials": {}}', '{"trials": [{"a": 1}]}'])
def test_a_damaged_journal_is_begun_anew(data, tmp_path, monkeypatch, content):
    kill(data, tmp_path / "out", monkeypatch, after=3)
    (journal,) = (tmp_path / "out").glob(".*/trials.json")
    journal.write_text(journal.read_text()[:-20] if content is None else content)
    asked = count_values(monkeypatch)
    tune(data, tmp_path / "out")
    assert len(asked) == 6


def test_settings_that_cannot_be_trained_have_no_value(data, tmp_path, monkeypatch):
    real = measuring.HeldOut.value

    def value(self, definition):
        if definition["l2"] == 1:
            raise UserError("l2 of 1 is not for today")
        return real(self, definition)

    monkeypatch.setattr(measuring.HeldOut, "value", value)
    chosen, trials = tune(data, tmp_path / "out", tune={"l2": [1, 50]})
    assert chosen["settings"] == {"l2": 50}
    assert trials["value"].isna().equals(trials["l2"] == 1)
    with pytest.raises(UserError, match="not for today"):
        tune(data, tmp_path / "none", tune={"l2": [1]})
    assert list((tmp_path / "none").iterdir()) == []


def test_the_reason_of_failures_survives_a_killed_search(data, tmp_path, monkeypatch):
    """All trials had failed when the search was killed, just before it said so."""

    def fails(self, definition):
        raise UserError("not for today")

    monkeypatch.setattr(measuring.HeldOut, "value", fails)
    with monkeypatch.context() as patch:
        patch.setattr("truerank.stages.tune_model.best", killed)
        with pytest.raises(KeyboardInterrupt):
            tune(data, tmp_path / "out")
    asked = count_values(monkeypatch)
    with pytest.raises(UserError, match="not for today"):
        tune(data, tmp_path / "out")
    assert not asked


def test_trials_are_kept_until_the_result_is_written(data, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("truerank.stages.tune_model.trial_table", killed)
        with pytest.raises(KeyboardInterrupt):
            tune(data, tmp_path / "out")
    asked = count_values(monkeypatch)
    tune(data, tmp_path / "out")
    assert not asked
    assert sorted(contents(tmp_path / "out")) == ["mine.json", "mine.parquet"]


def test_a_trial_that_diverges_has_no_value_and_the_search_goes_on(data, tmp_path):
    definition = {"kind": "svd", "factors": 4, "epochs": 3, "tune": {"rate": [0.01, 1000.0]}}
    chosen, trials = tune(data, tmp_path / "out", definition=definition)
    assert chosen["settings"] == {"rate": 0.01}
    assert trials["value"].isna().equals(trials["rate"] == 1000)
    assert trials["value"].isna().any()


def test_a_metric_that_the_data_cannot_give_is_told(data, tmp_path):
    rows = pd.read_parquet(data["train"])
    rows["rating"] = np.nan
    write_table(data["train"], rows)
    with pytest.raises(UserError, match=r"^model 'mine' has no mae@all on the held-out rows of toy/holdout"):
        tune(data, tmp_path / "out", metrics={"mae": {"kind": "mae"}})


def test_rows_that_cannot_be_held_out_are_told(data, tmp_path):
    rows = pd.read_parquet(data["train"])
    rows["timestamp"] = pd.array([None] * len(rows), "Int64")
    write_table(data["train"], rows)
    with pytest.raises(UserError, match=r"^tuning.validation cannot be used on toy/holdout: the split leave_last_out"):
        tune(data, tmp_path / "out", validation={"kind": "leave_last_out"})


def test_memory_that_lacks_ends_the_search(data, tmp_path, monkeypatch):
    """A trial that memory is too short for would make the choice depend on the machine."""
    monkeypatch.setattr("truerank.models.ease.Ease.bytes_needed", lambda self, train: 10**18)
    with pytest.raises(UserError, match=r"needs about 1000000000\.00 GB of memory"):
        tune(data, tmp_path / "out")


def test_a_model_without_spaces_is_refused(data, tmp_path):
    with pytest.raises(UserError, match="nothing to tune"):
        tune(data, tmp_path / "out", definition={"kind": "ease"})


def test_training_and_loading_use_what_was_chosen(data, tmp_path):
    definition = {"kind": "ease", "l2": 7.0, "calibration": "linear", "tune": TUNE}
    write_json(tmp_path / "chosen.json", {"settings": {"l2": 33.0}})

    def train(definition, path, chosen=()):
        outputs = {"model": path, "training": tmp_path / "training.parquet"}
        run_stage(train_model, data | {"tuning": chosen}, outputs, NAMES, model=definition, seed=1)
        model = restored(definition, *load_model(path))
        return model.recommender, model.learnt

    tuned, learnt = train(definition, tmp_path / "tuned.npz", tmp_path / "chosen.json")
    assert tuned.l2 == 33.0
    plain, plainly_learnt = train({"kind": "ease", "l2": 33.0, "calibration": "linear"}, tmp_path / "plain.npz")
    assert plain.l2 == 33.0
    assert learnt.keys() == plainly_learnt.keys() == read_arrays(tmp_path / "plain.npz").keys()
    for name in learnt:
        np.testing.assert_array_equal(learnt[name], plainly_learnt[name])


def test_settings_of_several_types_are_text():
    trials = [Trial({"n": n, "q": q}, 0.5) for n, q in ((1, "all"), (None, 2), (3, 2))]
    table = trial_table(trials)
    assert table["n"] == [1, None, 3]
    assert table["q"] == ["all", "2", "2"]
