"""The stage that evaluates metrics, on tables small enough to check by hand."""

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from truerank.artefacts.files import read_table, write_json, write_table
from truerank.artefacts.rank_table import mean_ratings
from truerank.models._core.base import Train
from truerank.stages.evaluate_metrics import evaluate_metrics
from truerank.stages.evaluate_shard import evaluate_shard

from tests.support import run_stage

METRICS = {"recall": {"kind": "recall"}, "auc": {"kind": "auc"}, "ndcg_binary": {"kind": "ndcg", "gain": "binary"}}
GOOD = [(2, 5.0, 0, 0, 0), (2, 2.0, 3, 0, 0), (4, 4.0, 1, 3, 2), (9, 1.0, 5, 0, 0)]
BAD = [(2, 5.0, 9, 0, 0), (2, 2.0, 3, 0, 0), (4, 4.0, 8, 0, 0), (9, 1.0, 0, 0, 0)]
TRAIN = [(2, 0, 1.0), (2, 1, 4.0), (4, 0, 3.0), (9, 2, 1.0)]  # user, item, rating


class Files:
    """A split with ten users and ten items, and the tables of models."""

    def __init__(self, folder, genres=True):
        self.folder = folder
        self.models = {}
        write_table(folder / "train", pd.DataFrame(TRAIN, columns=["user", "item", "rating"]))
        write_table(folder / "user_table", {"code": np.arange(10)})
        labels = ["a|b", "a", "b", None, "", *["a|b"] * 5]
        write_table(folder / "item_table", {"code": np.arange(10)} | ({"genres": labels} if genres else {}))
        write_json(folder / "facts", {"rating_scale": [1, 5]})

    def add(self, name, rows, prediction=np.nan, implicit=False):
        """Write rows (user, rating, above, tied, before) with 10 candidates each, and 0, 1, 2 as every user's list."""
        frame = pd.DataFrame(rows, columns=["user", "rating", "above", "tied", "before"])
        frame["candidates"], frame["prediction"] = np.int32(10), np.float32(prediction)
        if implicit:
            frame["rating"] = np.float32(np.nan)
        write_table(self.folder / f"{name}.ranks", frame)
        user = np.repeat(frame["user"].unique(), 3)
        lists = {"user": user, "position": np.tile([1, 2, 3], len(user) // 3), "item": np.arange(len(user)) % 3}
        write_table(self.folder / f"{name}.lists", lists)
        self.models[name] = rows

    def evaluate(self, metrics=METRICS, cutoffs=("all", 3), relevance=4, undefined_users="zero"):
        tables = {kind: [self.folder / f"{m}.{kind}" for m in self.models] for kind in ("ranks", "lists")}
        inputs = {name: self.folder / name for name in ("train", "user_table", "item_table", "facts")} | tables
        outputs = {name: self.folder / f"{name}.parquet" for name in ("per_user", "summary")}
        rule = relevance if isinstance(relevance, dict) else {"threshold": relevance}
        settings = {"model_names": list(self.models), "metrics": metrics, "cutoffs": cutoffs, "relevance": rule}
        shard = self.folder / "shard.parquet"
        run_stage(evaluate_shard, inputs, {"metric_shards": shard}, ("toy", "holdout", "0"), shards=1, **settings)
        inputs["metric_shards"] = [shard]
        run_stage(evaluate_metrics, inputs, outputs, undefined_users=undefined_users, **settings)
        return read_table(outputs["per_user"]), read_table(outputs["summary"])


@pytest.fixture
def files(tmp_path):
    made = Files(tmp_path)
    made.add("good", GOOD)
    made.add("bad", BAD)
    return made


def plain(*names):
    return {name: {"kind": name} for name in names}


def test_per_user_values_by_hand(files):
    per_user, _ = files.evaluate()
    assert list(per_user) == ["model", "user", "recall@3", "recall@all", "auc@all", "ndcg_binary@3", "ndcg_binary@all"]
    assert per_user["model"].tolist() == ["good"] * 3 + ["bad"] * 3
    assert per_user["user"].tolist() == [2, 4, 9] * 2
    np.testing.assert_array_equal(per_user["recall@3"], [1, 0, np.nan, 0, 0, np.nan])
    np.testing.assert_allclose(per_user["auc@all"], [1, 6 / 9, np.nan, 0, 1 / 9, np.nan])
    np.testing.assert_allclose(per_user["ndcg_binary@all"][:2], [1, 1 / np.log2(5)])


def test_the_rank_is_1_and_those_above_and_those_tied_but_before(files):
    """User 4: one above, three tied, two of them before: rank 4."""
    per_user, _ = files.evaluate()
    assert per_user["ndcg_binary@all"][1] == pytest.approx(1 / np.log2(1 + 4))


def test_the_summary_has_a_row_per_model_metric_and_cutoff(files):
    _, summary = files.evaluate()
    assert list(summary) == ["model", "metric", "k", "value", "ci_low", "ci_high", "users", "undefined"]
    rows = summary[summary["model"] == "good"]
    assert list(zip(rows["metric"], rows["k"], strict=True)) == [
        ("recall", "3"),
        ("recall", "all"),
        ("auc", "all"),
        ("ndcg_binary", "3"),
        ("ndcg_binary", "all"),
    ]
    assert summary["users"].tolist() == [3] * 10
    assert summary["undefined"].tolist() == [1] * 10
    assert rows["value"].iloc[0] == pytest.approx(1 / 3)


def test_undefined_users_can_be_dropped(files):
    _, summary = files.evaluate(undefined_users="drop")
    assert summary["value"][0] == 0.5
    assert summary["users"].tolist() == [2] * 10
    assert summary["undefined"].tolist() == [1] * 10


def test_where_less_is_better_undefined_users_are_never_counted_as_zero(files):
    for policy in ("zero", "drop"):
        _, summary = files.evaluate(plain("recovery"), undefined_users=policy)
        assert summary["value"].tolist() == pytest.approx([(0.1 + 0.4) / 2, (1 + 0.9) / 2])
        assert summary["users"].tolist() == [2, 2]
        assert summary["undefined"].tolist() == [1, 1]


def test_the_threshold_decides_what_is_relevant(files):
    per_user, summary = files.evaluate(relevance=1)
    assert not per_user.isna().any().any()
    assert summary["undefined"].tolist() == [0] * 10
    per_user, _ = files.evaluate(relevance=5)
    assert per_user["recall@all"].isna().tolist() == [False, True, True] * 2


def test_a_variant_may_have_a_rule_of_its_own(files):
    """Means of all ratings: user 2 has 3, user 4 has 3.5, user 9 has 1."""
    own = {"kind": "recall", "relevance": {"threshold": "user_mean"}}
    low = {"kind": "recall", "relevance": {"threshold": "low_high"}}
    per_user, summary = files.evaluate({"own": own, "recall": {"kind": "recall"}, "low": low}, cutoffs=[3])
    assert list(per_user) == ["model", "user", "own@3", "recall@3", "low@3"]
    np.testing.assert_array_equal(per_user["own@3"][:3], [1, 0, np.nan])
    np.testing.assert_array_equal(per_user["low@3"], [0.5, 0, 0, 0, 0, 1])
    assert summary["metric"].tolist() == ["own", "recall", "low"] * 2


def test_half_life_is_neutral_at_the_mean_of_training_and_test(files):
    per_user, _ = files.evaluate(plain("half_life"), cutoffs=["all"])
    np.testing.assert_allclose(per_user["half_life@all"][:3], [2, 0.5 * 0.5 ** (3 / 4), 0])


def test_the_implicit_version_has_binary_gains(files):
    graded, _ = files.evaluate(plain("ndcg"))
    binary, _ = files.evaluate(METRICS)
    implicit, _ = files.evaluate(plain("ndcg"), relevance={"threshold": 4, "binary": True})
    np.testing.assert_array_equal(implicit["ndcg@3"], binary["ndcg_binary@3"])
    assert (implicit["ndcg@3"] != graded["ndcg@3"]).any()


def test_without_ratings_every_test_item_is_relevant_and_errors_are_absent(tmp_path):
    files = Files(tmp_path)
    files.add("mine", GOOD, prediction=3, implicit=True)
    per_user, summary = files.evaluate(plain("recall", "mae"))
    assert per_user["recall@all"].tolist() == [1, 1, 1]
    assert per_user["mae@all"].isna().all()
    assert set(summary["metric"]) == {"recall"}


def test_metrics_of_predictions_are_absent_for_models_without_any(files):
    files.add("predicts", GOOD, prediction=[4, 3, 4, 3])
    per_user, summary = files.evaluate(plain("mae", "recall", "sdcse"))
    assert summary[summary["metric"].isin(["mae", "sdcse"])]["model"].unique().tolist() == ["predicts"]
    assert per_user["mae@all"].isna().tolist() == [True] * 6 + [False] * 3
    assert per_user["mae@all"][6:].tolist() == [1, 0, 2]
    assert list(per_user) == ["model", "user", "mae@all", "recall@3", "recall@all", "sdcse@3", "sdcse@all"]


def test_values_of_a_system_have_no_users_and_no_column(files):
    per_user, summary = files.evaluate(plain("coverage", "popularity", "inter_user"), cutoffs=[2, "all"])
    assert list(per_user) == ["model", "user", "popularity@2", "popularity@all"]
    system = summary[summary["metric"] == "coverage"]
    assert system["value"].tolist() == [0.2, 0.3] * 2
    assert system[["ci_low", "ci_high", "users", "undefined"]].isna().all().all()
    assert (summary[summary["metric"] == "inter_user"]["value"] == 0).all()
    assert per_user["popularity@2"].tolist() == [1.5] * 6
    schema = pq.read_schema(files.folder / "summary.parquet")
    assert [str(schema.field(name).type) for name in ("users", "undefined")] == ["int64", "int64"]


def test_similarity_of_genres_where_there_are_any(tmp_path):
    """Items 0, 1 and 2 are a|b, a and b: cosines .7071, .7071 and 0."""
    metrics = {"genres": {"kind": "intra_list", "similarity": "attributes"}}
    files = Files(tmp_path)
    files.add("mine", GOOD)
    per_user, _ = files.evaluate(metrics, cutoffs=[2, 3])
    np.testing.assert_allclose(per_user["genres@2"], np.sqrt(0.5))
    np.testing.assert_allclose(per_user["genres@3"], 2 * np.sqrt(0.5) / 3)
    (tmp_path / "bare").mkdir()
    bare = Files(tmp_path / "bare", genres=False)
    bare.add("mine", GOOD)
    per_user, summary = bare.evaluate(metrics | plain("recall"), cutoffs=[2])
    assert per_user["genres@2"].isna().all()
    assert set(summary["metric"]) == {"recall"}


def test_the_same_tables_give_the_same_bytes(files, tmp_path):
    def contents():
        files.evaluate()
        return (tmp_path / "per_user.parquet").read_bytes(), (tmp_path / "summary.parquet").read_bytes()

    assert contents() == contents()


def test_negative_ratings_have_gains_from_the_scales_minimum(files):
    """User 2 has 10 at rank 1 and -10 at rank 4; user 4 has -5 alone at rank 4, a gain of 5."""
    write_json(files.folder / "facts", {"rating_scale": [-10, 10]})
    files.add("good", [(2, 10.0, 0, 0, 0), (2, -10.0, 3, 0, 0), (4, -5.0, 1, 3, 2), (9, -10.0, 5, 0, 0)])
    files.models = {"good": None}
    per_user, summary = files.evaluate(plain("ndcg"), relevance=0)
    np.testing.assert_allclose(per_user["ndcg@all"], [1, 1 / np.log2(5), np.nan])
    assert summary["ci_low"].min() >= 0
    assert summary["ci_high"].max() <= 1


def test_intervals_do_not_depend_on_which_other_metrics_are_selected(files):
    """Novelty is bounded by log2 of the users of training, whether or not a metric of the whole system is there."""
    alone, together = (files.evaluate(plain(*names))[1] for names in (["sibn"], ["sibn", "coverage"]))
    together = together[together["metric"] == "sibn"].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, together, check_dtype=False)
    assert alone["ci_high"].max() <= np.log2(10)


def test_the_mean_rating_of_a_user_is_over_own_rows_whoever_else_is_in_the_history():
    """Users 4 to 7 in no order; 5 has no row, 6 has no training row, and others than these have rated too."""
    user, rating = np.array([7, 4, 6, 4]), np.array([1.0, 2.0, 3.0, 5.0])
    rated = pd.DataFrame([(0, 1, 5.0), (4, 0, 2.0), (4, 3, 3.0), (7, 2, 4.0), (9, 1, 1.0)], columns=["u", "i", "r"])
    history = Train(rated.u.to_numpy(), rated.i.to_numpy(), 10, 4, rated.r.to_numpy())
    np.testing.assert_array_equal(mean_ratings(user, rating, history), [2.5, 3.0, 3.0, 3.0])
    np.testing.assert_array_equal(mean_ratings(user, rating, Train(rated.u, rated.i, 10, 4)), [1.0, 3.5, 3.0, 3.5])
    assert mean_ratings(user[:0], rating[:0], history).shape == (0,)
