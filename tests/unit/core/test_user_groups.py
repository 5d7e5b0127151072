"""Groups of users and items: who is in which, and what is measured in them."""

import numpy as np
import pandas as pd
import pytest
from truerank.core.comparing import Scores
from truerank.core.user_groups import bands, group_rows, groupings, levels
from truerank.metrics._core.evaluation import mean_over_users
from truerank.stages.measure_groups import measure_groups

from tests.support import ROOT, run_stage

RESULTS = ROOT / "tests" / "fixture" / "results"


def test_bands_are_of_about_equal_size_and_equal_numbers_stay_together():
    found = bands("rows", np.array([1.0, 2, 3, 4, 5, 6, np.nan]))
    assert found.labels == ["up to 2", "more than 2, up to 4", "more than 4"]
    assert found.group.tolist() == [0, 0, 1, 1, 2, 2, -1]
    tied = bands("rows", np.array([1.0, 1, 1, 1, 1, 9]))
    assert tied.labels == ["up to 1", "more than 1"]
    assert bands("rows", np.ones(4)).labels == ["all"]
    assert bands("rows", np.full(3, np.nan)).labels == []
    rng = np.random.default_rng(1)
    for _ in range(30):
        values = rng.integers(0, 9, 40).astype(float)
        own = bands("rows", values)
        for number, label in enumerate(own.labels):
            inside = values[own.group == number]
            top = float(label.rpartition(" ")[2]) if label != "all" else np.inf
            low = label.startswith("more") and "up to" not in label
            assert (inside > top).all() if low else (inside <= top).all()
        assert (own.group >= 0).all()


def test_levels_are_texts_of_which_there_are_few():
    found = levels("gender", np.array(["F", "M", None, "F"], object))
    assert (found.labels, found.group.tolist()) == (["F", "M"], [0, 1, -1, 0])
    assert levels("one", np.array(["F", "F"], object)) is None
    assert levels("zip", np.array(list("abcdefghi"), object)) is None
    attributes = {"age": np.arange(9.0), "zip": np.array(list("abcdefghi"), object)}
    assert [own.by for own in groupings(np.arange(9), attributes)] == ["training rows of the user", "age"]


def test_values_and_differences_are_those_of_the_group():
    rng = np.random.default_rng(2)
    values = rng.random((50, 2)) + np.array([0, 0.5])
    found, pairs = group_rows(["a", "b"], Scores(values, "ndcg", "10"), "age", "up to 30", 1, ("toy", "holdout"))
    assert found["value"].tolist() == pytest.approx(values.mean(axis=0).tolist())
    assert found["users"].tolist() == [50, 50]
    assert pairs["difference"].item() == pytest.approx((values[:, 0] - values[:, 1]).mean())
    assert pairs["p_holm"].item() < 0.01
    assert set(found["by"]) == set(pairs["by"]) == {"age"}


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The groups of the fixture's users, who have an attribute here."""
    folder = tmp_path_factory.mktemp("groups")
    users = pd.read_parquet(RESULTS / "datasets/toy/users.parquet")
    users.assign(sex=["F" if code % 2 else "M" for code in range(len(users))]).to_parquet(folder / "users.parquet")
    inputs = {"user_table": folder / "users.parquet", "item_table": RESULTS / "datasets/toy/items.parquet"}
    inputs |= {"train": RESULTS / "splits/toy/holdout/train.parquet", "facts": RESULTS / "datasets/toy/summary.json"}
    inputs |= {"verdict": RESULTS / "verdict/toy.json", "per_user": RESULTS / "metrics/toy/holdout/per_user.parquet"}
    models = ["item_cf", "popularity", "random"]
    inputs |= {"ranks": [RESULTS / f"ranks/toy/holdout/{model}.parquet" for model in models]}
    outputs = {name: folder / f"{name}.parquet" for name in ("groups", "group_pairs")}
    rules = {"metrics": {"recall": {"kind": "recall"}}, "model_names": models, "seed": 1}
    rules |= {"evaluation": {"undefined_users": "zero", "relevance": {"threshold": 4}}}

    def run(headline):
        run_stage(measure_groups, inputs, outputs, ("toy", "holdout"), headline=headline, **rules)
        return pd.read_parquet(outputs["groups"]), pd.read_parquet(outputs["group_pairs"])

    return run


def test_groups_of_a_study_equal_means_by_hand(measured):
    groups, pairs = measured({"metric": "recall", "k": 10})
    per_user = pd.read_parquet(RESULTS / "metrics/toy/holdout/per_user.parquet")
    assert groups["by"].unique().tolist()[:1] != []
    assert "sex" in set(groups["by"])
    for sex, odd in (("F", 1), ("M", 0)):
        for model in ("item_cf", "random"):
            own = per_user[(per_user["model"] == model) & (per_user["user"] % 2 == odd)]["recall@10"]
            found = groups[(groups["by"] == "sex") & (groups["group"] == sex) & (groups["model"] == model)]
            assert found["value"].item() == pytest.approx(mean_over_users(own.to_numpy(float)).value)
    popularity = groups[groups["by"].str.startswith("popularity")]
    degree = pd.read_parquet(RESULTS / "splits/toy/holdout/train.parquet")["item"].value_counts()
    for group, own in popularity.groupby("group"):
        ranks = pd.read_parquet(RESULTS / "ranks/toy/holdout/item_cf.parquet")
        ranks = ranks[[in_words(degree.get(item, 0), group) for item in ranks["item"]]]
        liked = ranks[ranks["rating"] >= 4]
        hits = (liked["above"] + liked["before"] < 10).groupby(liked["user"]).mean()
        by_hand = hits.reindex(ranks["user"].unique()).fillna(0).mean()
        assert own.loc[own["model"] == "item_cf", "value"].item() == pytest.approx(by_hand), group
    assert set(pairs["by"]) == set(groups["by"])


def test_blocks_of_users_change_no_group(measured, monkeypatch):
    whole = measured({"metric": "recall", "k": 10})
    monkeypatch.setattr("truerank.stages.measure_groups.USERS_PER_BLOCK", 7)
    monkeypatch.setattr("truerank.stages.ranked_users.USERS_PER_BLOCK", 7)
    for one, other in zip(whole, measured({"metric": "recall", "k": 10}), strict=True):
        pd.testing.assert_frame_equal(one, other)


def in_words(number, label):
    words = label.split()
    low = float(words[2].rstrip(",")) if words[0] == "more" else -1
    high = float(words[-1]) if "up" in words else np.inf
    return low < number <= high


def test_without_a_metric_that_speaks_for_the_study_there_is_nothing(measured, monkeypatch):
    monkeypatch.setattr("truerank.stages.measure_groups.read_json", lambda path: {"metrics": None})
    groups, pairs = measured(None)
    assert groups.empty
    assert pairs.columns.tolist()[:2] == ["by", "group"]
