"""The stages of the meta-evaluation against what can be seen from their small inputs."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from truerank.artefacts.files import read_json, read_table, write_json, write_table
from truerank.artefacts.rank_table import same_lists
from truerank.core import verdict as judging
from truerank.core.comparing import Scores, compare_paired
from truerank.core.correlation import METRICS, correlations
from truerank.core.measured import Users, measured
from truerank.core.power import POWER, criteria_of_resamples, power_of
from truerank.core.significance import compare_all
from truerank.core.verdict_words import sentences
from truerank.provenance import generator
from truerank.stages.measure_migration import measure_migration
from truerank.stages.measure_robustness import measure_robustness
from truerank.stages.sweep_shard import sweep_shard
from truerank.stages.test_significance import SIGNIFICANCE
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


def significance_of(table, alike=(), **changes):
    settings = SETTINGS | changes
    users, tables = measured(table, settings["metrics"], settings["undefined_users"])
    rng = generator(settings["seed"], *settings["names"])
    of_users, threads = Users.of(tables, users), settings["threads"]
    pairs, p_values = compare_all(of_users, settings["draws"], rng, threads)
    again = criteria_of_resamples(of_users, rng, slice(0, 10), threads)
    return pairs, power_of(of_users, p_values, alike, again, rng, threads).power


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
    assert power["separated"].tolist() == [2, 0]
    assert (pairs["ci_low"] < pairs["difference"]).all()
    assert (pairs["ci_high"] > pairs["difference"]).all()
    assert list(pairs) == list(SIGNIFICANCE)
    assert list(power) == list(POWER)


def test_intervals_and_effects_are_those_of_compare(per_user):
    """One piece of code for the workflow and for ``truerank compare``."""
    pairs, _ = significance_of(per_user)
    models = {model: own["ndcg@5"].to_numpy() for model, own in per_user.groupby("model", sort=False)}
    scores = Scores(np.column_stack(list(models.values())), "ndcg", "5", 0.0, 1.0)
    expected = compare_paired(list(models), [scores], generator(1, "toy", "holdout"), draws=999).pairs
    pd.testing.assert_frame_equal(pairs.iloc[:3], expected.drop(columns="detectable"))


def test_one_system_twice_is_told_and_left_out_of_dp(per_user):
    table = per_user.copy()
    twice = table["model"] == "same"
    table.loc[twice, "ndcg@5"] = table.loc[table["model"] == "good", "ndcg@5"]
    alike = {frozenset(("good", "same"))}
    pairs, power = significance_of(table, alike)
    ndcg, rmse = power.to_dict("records")
    assert ndcg["same_pairs"] == 1
    assert rmse["same_pairs"] == 0, "their lists are the same, and their errors are not"
    p_values = pairs[pairs["metric"] == "ndcg"]["p_value"]
    assert p_values.iloc[0] == 1
    assert ndcg["dp"] == pytest.approx(p_values.iloc[1:].sum())
    assert ndcg["dp_ordered"] == pytest.approx(2 * p_values.sum())
    assert significance_of(table)[1].loc[0, "same_pairs"] == 0, "equal values may come from lists that differ"


def test_the_criterion_is_of_metrics_of_rankings(per_user):
    _, power = significance_of(per_user)
    ndcg, rmse = power.to_dict("records")
    assert ndcg["criterion"] == pytest.approx(slow_criterion(per_user, "ndcg@5"))
    assert ndcg["criterion_se"] > 0
    assert ndcg["in_best_set"] is True
    assert rmse["in_best_set"] is None
    assert np.isnan([rmse["criterion"], rmse["criterion_se"]]).all()


def slow_criterion(per_user, column):
    models = [own[column].to_numpy() for _, own in per_user.groupby("model", sort=False)]
    found = []
    for a, b in combinations(models, 2):
        found.append(min(abs((a - b).sum()) / np.sqrt(((a - b) ** 2).sum()), 5))
    return np.mean(found)


def test_a_metric_without_values_has_no_power(per_user):
    """No pair is tested, and a sum of nothing would be the least, hence the best of all."""
    pairs, power = significance_of(per_user.assign(**{"rmse@all": np.nan}))
    assert set(pairs["metric"]) == {"ndcg"}
    assert power.set_index("metric").loc["rmse", ["dp", "dp_ordered", "criterion", "dp_low"]].isna().all()


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
    assert list(pairs) == list(SIGNIFICANCE)
    assert list(power) == list(POWER)


def test_one_model_has_no_pairs(per_user):
    pairs, power = significance_of(per_user[per_user["model"] == "good"])
    assert pairs.empty
    assert power["dp"].isna().all()
    assert power["in_best_set"].isna().all()


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
    outputs = {"robustness": folder / "tau.parquet", "robustness_summary": folder / "summary.parquet"}
    shard, names = {"sweep_shards": folder / "sweep.npz"}, ("toy", "holdout")
    run_stage(sweep_shard, split | {"ranks": ranks}, shard, (*names, "0"), threads=2, shards=1, **rules)
    run_stage(measure_robustness, {"sweep_shards": [shard["sweep_shards"]]}, outputs, names, **rules)
    return read_table(outputs["robustness"])


def migrated(split, folder, margin=0.5, **ranks):
    """Run the stage on rank tables by model."""
    settings = {"model_names": list(ranks), "migration": {"margin": margin, "top": 10}}
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
    summary = read_table(tmp_path / "summary.parquet").set_index(["bias", "k"])
    assert summary.loc[("popularity", "1"), "tau"] == -1
    assert summary.loc[("popularity", "9"), "tau"] == 0, "an order that is lost counts as 0"
    kept = sparsity[(sparsity["k"] == "1") & (sparsity["fraction"] < 1)]["tau"].fillna(0).mean()
    assert summary.loc[("sparsity", "1"), "tau"] == kept
    assert (summary["tau_se"] >= 0).all()


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
    table = migrated(split, tmp_path, "auto", **ranks).set_index("level")
    spread = np.std([5, 4, 3, 1])
    gaps = np.array([5.0, 4, 3, 1]) - rating
    expected = [(gaps > spread).mean(), (gaps < -spread).mean(), (np.abs(gaps) <= spread).mean()]
    assert table.loc["low_high", ["up_sold", "down_sold", "accurate"]].tolist() == expected
    del ranks["rated"]
    empty = migrated(split, tmp_path, **ranks)
    assert list(empty.columns) == ["model", "level", "up_sold", "down_sold", "accurate"]
    assert empty.empty


def judged(*rows):
    """Tables of power and of the best set: metric, k, judges, criterion, in the best set, separated pairs."""
    columns = ["metric", "k", "judges", "criterion", "in_best_set", "separated"]
    table = pd.DataFrame(rows, columns=columns).assign(dp=0.5, dp_low=0.1, dp_high=1.0, criterion_se=0.1)
    best = table[["metric", "k", "judges"]].assign(distance=0.5, critical=2.0, stability=0.9)
    return table.drop(columns="judges"), best


def significance_rows(*metrics, p_holm=(0.01, 0.01, 0.9), difference=(0.1, 0.1, 0.1)):
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    effect = [x or np.nan for x in difference]
    rows = [
        (*metric, *pair, d, e, p)
        for metric in metrics
        for pair, d, e, p in zip(pairs, difference, effect, p_holm, strict=True)
    ]
    return pd.DataFrame(rows, columns=["metric", "k", "model_a", "model_b", "difference", "effect_size", "p_holm"])


FOUR = [("ndcg", "5"), ("ndcg", "10"), ("rr", "5"), ("auc", "all")]


def verdict_of(inside, separated=2, **tests):
    rows = [
        (*m, "whole" if m[0] == "auc" else "cut_off", c, i, separated)
        for m, c, i in zip(FOUR, (2, 3, 4, 5), inside, strict=True)
    ]
    return judging.on_metrics(significance_rows(*FOUR, **tests), *judged(*rows), 40, ["rr", "ndcg", "auc"])


def test_verdict_follows_the_written_rules():
    found = verdict_of((True, True, False, True))
    assert (found["metric"], found["k"], found["set"], found["of"]) == ("ndcg", "10", ["ndcg@5", "ndcg@10"], 3)
    assert found["stability"] == 0.9
    assert found["whole"]["set"] == ["auc@all"], "a set of its own"
    assert found["inseparable"] == [["b", "c"]]
    assert found["pairs"] == 3
    assert found["robust"] == {}
    assert verdict_of((False, False, True, True))["metric"] == "rr", "the convention names within the set"


@pytest.mark.parametrize(
    ("case", "inside", "separated", "tests"),
    [
        ("some", (True, False, False, True), 2, {}),
        ("half", (True, True, False, True), 2, {}),
        ("none", (True, True, True, True), 2, {}),
        ("all", (True, True, True, True), 3, {"p_holm": (0.01, 0.01, 0.01)}),
        ("same", (True, True, True, True), 0, {"p_holm": (1, 1, 1), "difference": (0, 0, 0)}),
    ],
)
def test_the_case_of_a_verdict(case, inside, separated, tests):
    found = verdict_of(inside, separated, **tests)
    assert found["case"] == case
    assert (len(found["same_pairs"]) == 3) == (case == "same")
    assert list(sentences(found))


def test_metrics_of_whole_rankings_alone_have_a_verdict_and_lists_alone_have_none():
    power, best = judged(("auc", "all", "whole", 2.0, True, 1))
    found = judging.on_metrics(significance_rows(("auc", "all")), power, best, 40, ["auc"])
    assert (found["metric"], found["whole"]) == ("auc", None)
    assert judging.on_metrics(significance_rows(("coverage", "5")), power, best.iloc[:0], 40, []) is None


def test_verdict_on_robustness():
    rows = [("sparsity", "ndcg", "10", 0.9, 0.01, True), ("sparsity", "rr", "5", 0.95, 0.02, True)]
    rows += [("sparsity", "auc", "all", 0.99, 0.01, None), ("popularity", "ndcg", "10", 0.0, 0.0, None)]
    table = pd.DataFrame(rows, columns=["bias", "metric", "k", "tau", "tau_se", "in_best_set"])
    found = judging.on_robustness(table, {"metric": "ndcg", "k": "10"})
    best = {"metric": "rr", "k": "5", "tau": 0.95, "tau_se": 0.02}
    own = {"tau": 0.9, "tau_se": 0.01}
    assert found["sparsity"] == {"best": best, "named": own, "in_set": True, "set": 2, "of": 2}
    assert found["popularity"] is None, "all models are equal"


def verdict_on(folder, **tables):
    names = ("significance", "discriminative_power", "best_set", "robustness_summary", "correlation")
    names += ("split_facts", "order")
    outputs = {"verdict": folder / "verdict.json"}
    inputs = dict.fromkeys(names, ()) | tables
    rules = {"ranking_metrics": ["ndcg", "rr"], "ranking_definitions": {"ndcg": {"kind": "ndcg"}}}
    run_stage(verdict, inputs, outputs, ("toy",), samplers_of_hundred=[], **rules)
    return read_json(outputs["verdict"])


def test_verdict_is_on_the_metrics_of_the_ranking_part(tmp_path):
    power, best = judged(("ndcg", "5", "cut_off", 2.0, True, 1), ("recall", "5", "cut_off", 2.0, True, 1))
    tables = {"significance": significance_rows(("ndcg", "5"), ("recall", "5")), "discriminative_power": power}
    swept = pd.DataFrame({"bias": ["sparsity"], "metric": "ndcg", "k": "5", "tau": 0.5, "tau_se": 0.1})
    tables |= {"best_set": best, "robustness_summary": swept.assign(in_best_set=True)}
    tables |= {"correlation": pd.DataFrame(columns=["metric_a", "k_a", "metric_b", "k_b", "tau"], dtype=object)}
    paths = {name: [tmp_path / f"{name}.parquet"] for name in tables}
    for name, table in tables.items():
        write_table(paths[name][0], table)
    write_json(tmp_path / "facts.json", {"test_users": 40})
    whole = verdict_on(tmp_path, **paths, split_facts=[tmp_path / "facts.json"])
    assert [piece["source"].split()[0] for piece in whole["advice"]] == [*["Valcarce"] * 3, "Li", "Krichene", "Aftab"]
    found = whole["metrics"]
    assert found["set"] == ["ndcg@5"]
    assert found["robust"]["sparsity"]["named"]["tau"] == 0.5


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


def test_verdict_without_parts(tmp_path):
    assert verdict_on(tmp_path) == {"metrics": None, "sampling": None}


def test_lists_that_are_the_same_for_everybody(tmp_path):
    rows = {"user": [0, 0, 1], "position": [1, 2, 1]}
    items = {"a": [3, 4, 5], "b": [3, 4, 5], "c": [3, 4, 6], "d": [3, 4, 5]}
    for model, item in items.items():
        write_table(tmp_path / model, {name: np.array(v) for name, v in (rows | {"item": item}).items()})
    found = same_lists({model: tmp_path / model for model in items})
    assert found == {frozenset(pair) for pair in ("ab", "ad", "bd")}
