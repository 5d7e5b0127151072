"""The stage that evaluates metrics, on rank tables small enough to check by hand."""

import numpy as np
import pandas as pd
import pytest
from truerank.stages.evaluate_metrics import evaluate_metrics, read_judged
from truerank.stages.files import read_table, write_table

METRICS = {"recall": {"kind": "recall"}, "auc": {"kind": "auc"}, "ndcg_binary": {"kind": "ndcg", "gain": "binary"}}


def rank_table(path, rows, implicit=False):
    """Write rows (user, rating, above, tied, before) with 10 candidates each, as rank_items does."""
    frame = pd.DataFrame(rows, columns=["user", "rating", "above", "tied", "before"])
    frame.insert(1, "item", np.arange(len(frame)))
    frame["candidates"] = np.int32(10)
    if implicit:
        frame["rating"] = np.float32(np.nan)
    write_table(path, frame)
    return path


@pytest.fixture
def evaluated(tmp_path):
    good = [(2, 5.0, 0, 0, 0), (2, 2.0, 3, 0, 0), (4, 4.0, 1, 3, 2), (9, 1.0, 5, 0, 0)]
    bad = [(2, 5.0, 9, 0, 0), (2, 2.0, 3, 0, 0), (4, 4.0, 8, 0, 0), (9, 1.0, 0, 0, 0)]
    ranks = {"good": rank_table(tmp_path / "good.parquet", good), "bad": rank_table(tmp_path / "bad.parquet", bad)}

    def run(undefined_users="zero", threshold=4):
        paths = {"per_user": tmp_path / "per_user.parquet", "summary": tmp_path / "summary.parquet"}
        evaluate_metrics(ranks, METRICS, ["all", 3], {"threshold": threshold}, undefined_users, **paths)
        return read_table(paths["per_user"]), read_table(paths["summary"])

    return run


def test_per_user_values_by_hand(evaluated):
    per_user, _ = evaluated()
    assert list(per_user) == ["model", "user", "recall@3", "recall@all", "auc@all", "ndcg_binary@3", "ndcg_binary@all"]
    assert per_user["model"].tolist() == ["good"] * 3 + ["bad"] * 3
    assert per_user["user"].tolist() == [2, 4, 9] * 2
    np.testing.assert_array_equal(per_user["recall@3"], [1, 0, np.nan, 0, 0, np.nan])
    np.testing.assert_allclose(per_user["auc@all"], [1, 6 / 9, np.nan, 0, 1 / 9, np.nan])
    np.testing.assert_allclose(per_user["ndcg_binary@all"][:2], [1, 1 / np.log2(5)])


def test_the_rank_is_1_and_those_above_and_those_tied_but_before(evaluated):
    """User 4: one above, three tied, two of them before: rank 4."""
    per_user, _ = evaluated()
    assert per_user["ndcg_binary@all"][1] == pytest.approx(1 / np.log2(1 + 4))


def test_the_summary_has_a_row_per_model_metric_and_cutoff(evaluated):
    _, summary = evaluated()
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


def test_undefined_users_can_be_dropped(evaluated):
    _, summary = evaluated("drop")
    assert summary["value"][0] == 0.5
    assert summary["users"].tolist() == [2] * 10
    assert summary["undefined"].tolist() == [1] * 10


def test_the_threshold_decides_what_is_relevant(evaluated):
    per_user, summary = evaluated(threshold=1)
    assert not per_user.isna().any().any()
    assert summary["undefined"].tolist() == [0] * 10
    per_user, _ = evaluated(threshold=5)
    assert per_user["recall@all"].isna().tolist() == [False, True, True] * 2


def test_without_ratings_every_test_item_is_relevant(tmp_path):
    path = rank_table(tmp_path / "a.parquet", [(1, 0.0, 2, 0, 0), (1, 0.0, 0, 0, 0)], implicit=True)
    judged = read_judged(path, {"threshold": 4})
    assert judged.relevant.all()
    assert judged.rank.tolist() == [1, 3]
    assert judged.rating.tolist() == [1, 1]


def test_the_same_tables_give_the_same_bytes(evaluated, tmp_path):
    evaluated()
    before = (tmp_path / "per_user.parquet").read_bytes(), (tmp_path / "summary.parquet").read_bytes()
    evaluated()
    assert ((tmp_path / "per_user.parquet").read_bytes(), (tmp_path / "summary.parquet").read_bytes()) == before
