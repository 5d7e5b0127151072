"""The stages of the meta-evaluation against what can be seen from their small inputs."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from truerank.artefacts.files import read_json, read_table, write_json, write_table
from truerank.core import verdict as judging
from truerank.core.correlation import METRICS, correlations
from truerank.core.significance import pairs_and_power
from truerank.stages.measure_migration import measure_migration
from truerank.stages.measure_robustness import measure_robustness
from truerank.stages.verdict import verdict

from tests.support import run_stage

SETTINGS = {"undefined_users": "zero", "draws": 999, "names": ("toy", "holdout"), "seed": 1, "threads": 1}
SETTINGS |= {"metrics": {name: {"kind": name} for name in ("ndcg", "rmse")}}


@pytest.fixture
def per_user():
    """Three models of forty users; ``rmse`` is known for two of them only."""
    rng = np.random.default_rng(0)
    frames = []
    for model, skill in (("good", 0.5), ("same", 0.5), ("bad", 0.0)):
        rmse = np.full(40, np.nan) if model == "bad" else rng.random(40)
        frames.append(pd.DataFrame({"model": model, "user": np.arange(40), "ndcg@5": skill + 0.1 * rng.random(40)}))
        frames[-1]["rmse@all"] = rmse
    return pd.concat(frames)


def significance_of(table, **changes):
    return pairs_and_power(table, **(SETTINGS | changes))


def test_pairs_of_models_that_have_the_metric(per_user):
    pairs, power = significance_of(per_user)
    assert pairs[["metric", "k", "model_a", "model_b"]].values.tolist() == [
        ["ndcg", "5", "good", "same"],
        ["ndcg", "5", "good", "bad"],
        ["ndcg", "5", "same", "bad"],
        ["rmse", "all", "good", "same"],
    ]
    assert pairs["p_value"].between(0.001, 1).all()
    assert pairs["p_value"][[1, 2]].tolist() == [0.001, 0.001]
    np.testing.assert_allclose(pairs["p_holm"][1], 0.003)
    np.testing.assert_allclose(power["dp"], pairs.groupby("metric")["p_value"].sum())
    np.testing.assert_allclose(power["dp_ordered"], 2 * power["dp"])


def test_a_metric_without_values_has_no_power(per_user):
    """No pair is tested, and a sum of nothing would be the least, hence the best of all."""
    pairs, power = significance_of(per_user.assign(**{"rmse@all": np.nan}))
    assert set(pairs["metric"]) == {"ndcg"}
    assert power.set_index("metric").loc["rmse", ["dp", "dp_ordered"]].isna().all()


def test_rows_in_another_order_and_two_cores_give_the_same(per_user):
    expected, _ = significance_of(per_user)
    found, _ = significance_of(per_user.sort_values(["model", "user"], ascending=False), threads=2)
    key = frozenset
    p_values = [
        {(row.metric, key((row.model_a, row.model_b))): row.p_value for row in table.itertuples()}
        for table in (expected, found)
    ]
    assert p_values[0] == p_values[1]


def test_undefined_users_are_left_out_where_less_is_better(per_user):
    """Two models err alike wherever both predict; were a missing error 0, the one that predicts less would win."""
    table = per_user.assign(**{"rmse@all": 0.8})
    table.loc[(table["model"] == "same") & (table["user"] < 30), "rmse@all"] = np.nan
    table.loc[table["model"] == "bad", "rmse@all"] = np.nan
    table.loc[(table["model"] == "same") & (table["user"] < 30), "ndcg@5"] = np.nan
    pairs, _ = significance_of(table)
    pairs = pairs.set_index(["metric", "model_a", "model_b"])
    assert pairs.loc[("rmse", "good", "same"), ["difference", "p_value"]].tolist() == [0, 1]
    assert pairs.loc[("ndcg", "good", "same"), "p_value"] == 0.001, "there a missing value counts as 0"


def test_a_study_of_whole_systems_alone_has_no_pairs(per_user):
    pairs, power = significance_of(per_user[["model", "user"]])
    assert pairs.empty
    assert power.empty
    assert list(pairs) == ["metric", "k", "model_a", "model_b", "difference", "p_value", "p_holm"]


def test_one_model_has_no_pairs(per_user):
    pairs, power = significance_of(per_user[per_user["model"] == "good"])
    assert pairs.empty
    assert list(power["dp"]) == [0, 0]


def rank_table(path, above, rating, prediction=np.nan):
    n = len(above)
    columns = {"user": np.repeat(np.arange(n // 2), 2), "item": np.tile([0, 1], n // 2), "rating": rating}
    columns |= {"above": np.array(above), "before": np.zeros(n, int), "candidates": np.full(n, 9)}
    write_table(path, columns | {"prediction": np.broadcast_to(prediction, n).astype(float)})
    return path


@pytest.fixture
def split(tmp_path):
    """Training rows in which item 0 is popular, ten users, two items; with the dataset's summary."""
    paths = {name: tmp_path / f"{name}.parquet" for name in ("train", "user_table", "item_table")}
    rows = {"user": np.array([0, 1, 2, 3]), "item": np.array([0, 0, 0, 1]), "rating": np.full(4, np.nan, np.float32)}
    write_table(paths["train"], rows)
    write_table(paths["user_table"], {"code": np.arange(10)})
    write_table(paths["item_table"], {"code": np.arange(2)})
    write_json(tmp_path / "facts.json", {"rating_scale": [1, 5]})
    return paths | {"facts": tmp_path / "facts.json"}


def swept(split, folder, ranks, metrics, cutoffs, **robustness):
    """Run the stage on rank tables."""
    rules = {"evaluation": {"relevance": {"threshold": 4}, "undefined_users": "zero"}, "seed": 1}
    rules |= {"metrics": {name: {"kind": name} for name in metrics}, "cutoffs": cutoffs, "robustness": robustness}
    outputs = {"robustness": folder / "tau.parquet"}
    run_stage(measure_robustness, split | {"ranks": ranks}, outputs, ("toy", "holdout"), threads=2, **rules)
    return read_table(outputs["robustness"])


def migrated(split, folder, **ranks):
    """Run the stage on rank tables by model."""
    settings = {"model_names": list(ranks), "migration": {"margin": 0.5, "top": 10}}
    outputs = {"migration": folder / "migration.parquet"}
    run_stage(measure_migration, split | {"ranks": list(ranks.values())}, outputs, ("toy", "holdout"), **settings)
    return read_table(outputs["migration"])


def test_robustness_of_models_whose_order_hangs_on_one_item(tmp_path, split):
    """Item 0 is popular; one model finds it and the other finds item 1, so without item 0 their order turns round."""
    rating = np.full(20, 5.0)
    rating[1:8:2] = 1
    ranks = [
        rank_table(tmp_path / "a.parquet", [0, 5] * 10, rating),
        rank_table(tmp_path / "b.parquet", [5, 0] * 10, rating),
    ]
    settings = {"sparsity": [1, 0.5], "popularity": [1, 0.5], "samples": 4}
    table = swept(split, tmp_path, ranks, ["precision"], [1, 9], **settings)
    popularity = table[table["bias"] == "popularity"].set_index(["k", "fraction"])["tau"]
    assert popularity["1", 1.0] == 1
    assert popularity["1", 0.5] == -1
    assert np.isnan(popularity["9", 1.0])  # both find everything: no order
    sparsity = table[table["bias"] == "sparsity"]
    assert sparsity.groupby("fraction")["sample"].nunique().to_dict() == {0.5: 4, 1.0: 1}


def test_metrics_of_predictions_are_swept_where_they_are_named(tmp_path, split):
    """One model errs on the popular item above, the other on the one below; without the popular item b is right."""
    rating = np.tile([5.0, 1.0], 10)
    ranks = [
        rank_table(tmp_path / "a.parquet", [0, 1] * 10, rating, np.tile([5.0, 3.0], 10)),
        rank_table(tmp_path / "b.parquet", [0, 1] * 10, rating, np.tile([3.0, 1.0], 10)),
    ]
    metrics = ["precision", "sdcse", "rmse"]
    settings = {"sparsity": [1], "popularity": [1, 0.5], "samples": 1}
    assert set(swept(split, tmp_path, ranks, metrics, [2], **settings)["metric"]) == {"precision"}
    table = swept(split, tmp_path, ranks, metrics, [2], **settings, predictions=["sdcse"])
    assert set(table["metric"]) == {"precision", "sdcse"}
    popularity = table[(table["bias"] == "popularity") & (table["metric"] == "sdcse")].set_index("fraction")["tau"]
    assert popularity[1.0] == 1
    assert popularity[0.5] == -1
    empty = swept(split, tmp_path, ranks, ["rmse"], [2], **settings)
    assert empty.empty
    assert list(empty) == list(table), "nothing is swept, and the table says so"


def test_correlation_turns_metrics_where_less_is_better(monkeypatch):
    rows = [
        (m, metric, "5", v)
        for metric, values in (("ndcg", (3, 2, 1)), ("recall", (1, 2, 3)))
        for m, v in zip("abc", values, strict=True)
    ]
    summary = pd.DataFrame(rows, columns=["model", "metric", "k", "value"])
    metrics = {name: {"kind": name} for name in ("ndcg", "recall")}
    assert correlations(summary, metrics)["tau"].tolist() == [1, -1, -1, 1]
    lower = replace(METRICS["recall"], facts=replace(METRICS["recall"].facts, higher_is_better=False))
    monkeypatch.setitem(METRICS.entries, "recall", lower)
    assert correlations(summary, metrics)["tau"].tolist() == [1, 1, 1, 1]


def test_migration_is_of_models_that_predict(tmp_path, split):
    rating = np.array([5.0, 1.0, 3.0, 4.0])
    ranks = {
        "plain": rank_table(tmp_path / "plain.parquet", [0, 1, 2, 3], rating),
        "rated": rank_table(tmp_path / "rated.parquet", [0, 1, 2, 3], rating, np.array([5.0, 4, 3, 1])),
    }
    table = migrated(split, tmp_path, **ranks).set_index("level")
    assert set(table["model"]) == {"rated"}
    assert table.loc["low_high", ["up_sold", "down_sold", "accurate"]].tolist() == [0.25, 0.25, 0.5]
    assert table.loc["high", ["up_sold", "down_sold", "accurate"]].tolist() == [0, 0.5, 0.5]
    half = rank_table(tmp_path / "half.parquet", [0, 1, 2, 3], rating, np.array([5.0, np.nan, 3, 1]))
    table = migrated(split, tmp_path, half=half).set_index("level")
    shares = table.loc["low_high", ["up_sold", "down_sold", "accurate"]]
    assert shares.tolist() == [0, 0.5, 0.5], "a user without some prediction is left out"
    del ranks["rated"]
    empty = migrated(split, tmp_path, **ranks)
    assert list(empty.columns) == ["model", "level", "up_sold", "down_sold", "accurate"]
    assert empty.empty


def pairs_of(**p_holm):
    rows = [(metric, "5", "a", b, p) for metric, values in p_holm.items() for b, p in zip("bc", values, strict=True)]
    return pd.DataFrame(rows, columns=["metric", "k", "model_a", "model_b", "p_holm"])


def test_verdict_follows_the_written_rules():
    power = pd.DataFrame(
        {"metric": ["auc", "ndcg", "rr", "coverage"], "k": ["all", "5", "5", "5"], "dp": [0.1, 0.3, 0.3, 0.0]}
    )
    robustness = pd.DataFrame(
        [("sparsity", m, "5", f, s, t) for m, t in (("ndcg", 0.5), ("rr", 0.9)) for f in (1, 0.5) for s in (0, 1)]
        + [("sparsity", "auc", "all", 0.5, 0, -1.0)],
        columns=["bias", "metric", "k", "fraction", "sample", "tau"],
    )
    robustness.loc[7, "tau"] = np.nan  # counts as 0, so that rr has 0.45
    significance = pairs_of(ndcg=(0.01, 0.5), rr=(0.04, 0.06))
    on_auc = significance[significance["metric"] == "ndcg"].assign(metric="auc", k="all")
    found = judging.on_metrics(pd.concat([significance, on_auc]), power, robustness)
    assert found["discriminates"]["overall"] == {"metric": "auc", "k": "all", "dp": 0.1, "separated": 1, "equals": 0}
    assert found["discriminates"]["cut_off"] == {"metric": "ndcg", "k": "5", "dp": 0.3, "separated": 1, "equals": 1}
    best = {"metric": "ndcg", "k": "5", "tau": 0.5, "undefined": 0, "equals": 0}
    assert found["robust"]["sparsity"]["overall"] == best
    assert found["inseparable"] == [["a", "c"]]


def test_a_metric_that_separates_nothing_is_not_recommended():
    power = pd.DataFrame({"metric": ["ndcg", "rr"], "k": "5", "dp": [0.2, 0.3]})
    robustness = pd.DataFrame({"metric": ["ndcg", "rr"], "k": "5", "bias": "sparsity", "fraction": 0.5, "tau": np.nan})
    found = judging.on_metrics(pairs_of(ndcg=(0.06, 0.06), rr=(0.01, 0.9)), power, robustness)
    best = {"metric": "rr", "k": "5", "dp": 0.3, "separated": 1, "equals": 0}
    assert found["discriminates"] == {"overall": best, "cut_off": best}, "not that of least dp, which separates none"
    found = judging.on_metrics(pairs_of(ndcg=(0.06, 0.06), rr=(0.9, 0.9)), power, robustness)
    assert found["discriminates"] == {"overall": None, "cut_off": None}
    assert found["robust"] == {"sparsity": {"overall": None, "cut_off": None}}
    assert found["pairs"] == len(found["inseparable"]) == 2


def verdict_on(folder, beside, **tables):
    inputs = dict.fromkeys(("significance", "discriminative_power", "robustness", "order"), ()) | tables
    outputs = {"verdict": folder / "verdict.json"}
    run_stage(verdict, inputs, outputs, ("toy",), samplers_of_hundred=[], not_of_rankings=beside)
    return read_json(outputs["verdict"])


def test_verdict_leaves_out_what_is_swept_beside_the_metrics_of_rankings(tmp_path):
    tables = {
        "significance": pairs_of(ndcg=(0.01, 0.5), sdcse=(0.01, 0.01)),
        "discriminative_power": pd.DataFrame({"metric": ["ndcg", "sdcse"], "k": "5", "dp": [0.3, 0.1]}),
        "robustness": pd.DataFrame(
            {"metric": ["ndcg", "sdcse"], "k": "5", "bias": "sparsity", "fraction": 0.5, "tau": [0.5, 0.9]}
        ),
    }
    paths = {name: [tmp_path / f"{name}.parquet"] for name in tables}
    for name, table in tables.items():
        write_table(paths[name][0], table)
    for beside, best in (((), "sdcse"), (["sdcse"], "ndcg")):
        found = verdict_on(tmp_path, beside, **paths)["metrics"]
        assert found["discriminates"]["overall"]["metric"] == best
        assert found["robust"]["sparsity"]["overall"]["metric"] == best


def test_verdict_on_sampling():
    rows = [("u", "uncorrected", 40), ("u", "uncorrected", 90), ("u", "mle", 80), ("u", "mle", 70), ("v", "mle", 0)]
    rows += [("u", "uncorrected", None), ("u", "mle", None)]  # a pair that is exactly equal
    order = pd.DataFrame(rows, columns=["sampler", "estimator", "right"]).assign(repeats=100)
    found = judging.on_sampling(order, ["u"])
    assert found["samplers"] == {"u": {"orders": 2, "reversed": 1, "right": pytest.approx(0.65)}}
    assert found["estimator"] == {"name": "mle", "right": pytest.approx(0.75), "equals": 0}
    equal = order.assign(right=50)
    assert judging.on_sampling(equal, ["u"])["estimator"] == {"name": "uncorrected", "right": 0.5, "equals": 1}
    assert judging.on_sampling(order, []) is None


def test_verdict_without_parts_or_pairs(tmp_path):
    assert verdict_on(tmp_path, ()) == {"metrics": None, "sampling": None}
    nothing = pd.DataFrame(columns=["metric"])
    assert judging.on_metrics(pairs_of(), nothing, nothing) is None
