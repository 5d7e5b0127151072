"""The stages of the sampling part, on the fixture's ranks and on a model that is really asked for scores."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from truerank.artefacts import counted_ranks, counted_samples, test_instances
from truerank.artefacts.files import read_arrays, read_table, write_arrays
from truerank.artefacts.test_instances import read_exact_ranks
from truerank.core.exact_summary import exact_summary
from truerank.core.judging import leaders
from truerank.core.sampling_error import mean_relative_error
from truerank.errors import UserError
from truerank.estimators._core.dominance import recall_curve
from truerank.metrics._core.single import metric_of_rank
from truerank.provenance import generator
from truerank.sampling.uniform import uniform
from truerank.stages.draw_curves import draw_curves
from truerank.stages.draw_shard import draw_shard
from truerank.stages.estimate_metrics import estimate_metrics
from truerank.stages.fit_ranks import fit_ranks
from truerank.stages.judge_sampling import judge_sampling
from truerank.stages.sample_ranks import sample_ranks

from tests.support import ROOT, run_stage

RESULTS = ROOT / "tests" / "fixture" / "results"
MODELS = {"item_cf": {"kind": "item_cf"}, "popularity": {"kind": "popularity"}, "random": {"kind": "random"}}
METRICS = {"recall": {"kind": "recall"}, "auc": {"kind": "auc"}}
RANKS = [RESULTS / f"ranks/toy/last_one/{model}.parquet" for model in MODELS]
FACTS = RESULTS / "datasets/toy/summary.json"
RELEVANCE = {"threshold": 1}
EIGHT = {"kind": "uniform", "negatives": 8, "repeats": 20}
TABLES = ("accuracy", "error", "bounds", "order", "winner", "mapped", "cost", "effort", "user_sampling", "user_tests")


def sampled(folder, sampler, threshold=1, models=tuple(MODELS), ranks=RANKS):
    path = folder / f"{sampler['kind']}.npz"
    settings = {"relevance": {"threshold": threshold}, "seed": 1, "sampler": sampler, "model_names": models}
    inputs = {"ranks": ranks, "sample_shards": []}
    run_stage(sample_ranks, inputs, {"samples": path}, ("toy", "last_one", "s"), **settings)
    return path


def fitted(samples, path, definition, prior=()):
    run_stage(fit_ranks, {"samples": samples, "fit": prior}, {"fit": path}, estimator=definition)
    return read_arrays(path)["p"]


def estimated(folder, samples, name, definition, fit=()):
    path = folder / f"{samples.stem}_{name}.parquet"
    settings = {"estimator": definition, "metrics": METRICS, "cutoffs": [1, 5]}
    run_stage(estimate_metrics, {"samples": samples, "fit": fit}, {"estimates": path}, **settings)
    return path


def judge(outputs, samples, estimates, samplers, models=tuple(MODELS), ranks=RANKS, cutoffs=(1, 5)):
    settings = {"samplers": samplers, "estimated": list(estimates), "model_names": models, "metrics": METRICS}
    inputs = {"ranks": ranks, "samples": list(samples.values()), "estimates": list(estimates.values()), "facts": FACTS}
    run_stage(judge_sampling, inputs, outputs, cutoffs=cutoffs, relevance=RELEVANCE, **settings)


def curves(folder, estimators, negatives):
    outputs = {name: folder / f"{name}.parquet" for name in ("expected", "mapping", "known", "crossings")}
    settings = {"estimators": estimators, "negatives": negatives, "model_names": list(MODELS), "metrics": METRICS}
    run_stage(draw_curves, {"ranks": RANKS, "facts": FACTS}, outputs, cutoffs=[5], relevance=RELEVANCE, **settings)
    return [read_table(path) for path in outputs.values()]


@pytest.fixture
def judged(tmp_path):
    """All tables that judge_sampling writes, for one sampler of each kind that starts from ranks."""
    samplers = {
        "uniform": EIGHT,
        "adaptive": {"kind": "adaptive", "start": 4, "limit": 100, "repeats": 20},
        "users": {"kind": "users", "users": 10, "repeats": 20},
    }
    uniform, adaptive, users = (sampled(tmp_path, definition) for definition in samplers.values())
    fitted(uniform, tmp_path / "mle.npz", {"kind": "mle"})
    mn = {"kind": "multinomial", "prior": "mle", "pooled": True}
    estimates = {
        ("uniform", "uncorrected"): estimated(tmp_path, uniform, "uncorrected", {"kind": "uncorrected"}),
        ("uniform", "mn_mle"): estimated(tmp_path, uniform, "mn_mle", mn, tmp_path / "mle.npz"),
        ("adaptive", "adaptive_mle"): estimated(tmp_path, adaptive, "adaptive_mle", {"kind": "adaptive_mle"}),
    }
    outputs = {name: tmp_path / f"{name}.parquet" for name in TABLES}
    samples = {"uniform": uniform, "adaptive": adaptive, "users": users}
    judge(outputs, samples, estimates, samplers)
    return SimpleNamespace(**{name: read_table(path) for name, path in outputs.items()}, folder=tmp_path)


def test_tables_have_the_columns_that_others_read(judged):
    about = ["sampler", "estimator", "metric", "k"]
    figures = ["exact", "mean", "sd", "relative_error"]
    assert list(judged.accuracy) == ["sampler", "estimator", "model", "metric", "k", *figures]
    about_error = ["sampler", "estimator", "model", "metric", "cutoffs", "error", "error_sd"]
    assert list(judged.error) == about_error
    assert list(judged.order) == [*about, "model_a", "model_b", "right", "repeats"]
    assert list(judged.winner) == [*about, "right_top1", "right_top2", "repeats"]
    assert list(judged.mapped) == ["sampler", "mapping", "k", "f", "winner", "right", "repeats"]
    assert list(judged.cost) == ["sampler", "model", "scores", "per_instance", "expected", "share"]
    efforts = ["waiting", "scored", "resolved", "cost"]
    assert list(judged.effort) == ["sampler", "model", "size", *efforts, *(f"expected_{name}" for name in efforts)]
    assert list(judged.user_sampling)[:8] == ["sampler", "model", "metric", "k", *figures]
    tests = ["sampler", "metric", "k", "model_a", "model_b", "one_sided", "two_sided", "wrong", "repeats"]
    assert list(judged.user_tests) == tests
    assert set(judged.accuracy.k) == {"1", "5", "all"}
    assert list(read_table(judged.folder / "uniform_mn_mle.parquet")) == ["model", "repeat", "metric", "k", "estimate"]


def test_errors_and_counts_are_what_a_reader_would_count(judged):
    ranked = read_exact_ranks(RANKS, RELEVANCE)
    rows = judged.accuracy.set_index(["sampler", "estimator", "model", "metric", "k"])
    row = rows.loc[("uniform", "uncorrected", "item_cf", "recall", "5")]
    assert row.exact == pytest.approx((ranked.rank[0] <= 5).mean())
    drawn = (read_arrays(judged.folder / "uniform.npz")["rank"][0] <= 5).mean(axis=1)
    assert row["mean"] == pytest.approx(drawn.mean())
    assert row.sd == pytest.approx(drawn.std(ddof=1))
    assert row.relative_error == pytest.approx(np.abs(drawn - row.exact).mean() / row.exact)
    assert len(judged.order) == 3 * 3 * 3  # pairs of models x columns x estimates
    cost = judged.cost.set_index(["sampler", "model"]).per_instance
    assert cost[("uniform", "random")] == 9
    assert cost[("adaptive", "item_cf")] > cost[("adaptive", "random")] > 4
    assert (judged.user_sampling.hoeffding_covered >= judged.user_sampling.normal_covered).all()


def test_error_averages_cutoffs_within_a_repeat_and_then_repeats(judged):
    ranked = read_exact_ranks(RANKS, RELEVANCE)
    rows = judged.error.set_index(["sampler", "estimator", "model", "metric"])
    rank, chosen = (read_arrays(judged.folder / f"{name}.npz") for name in ("uniform", "users"))
    for place, model in enumerate(MODELS):
        exact = {k: (ranked.rank[place] <= k).mean() for k in (1, 5)}
        drawn = {
            ("uniform", "uncorrected"): rank["rank"][place],
            ("users", "user_mean"): ranked.rank[place][chosen["chosen"]],
        }
        for pair, ranks in drawn.items():
            of_repeats = []
            for of_repeat in ranks:
                errors = [abs((of_repeat <= k).mean() - exact[k]) / exact[k] if exact[k] else 0 for k in exact]
                of_repeats.append(sum(errors) / 2)
            row = rows.loc[(*pair, model, "recall")]
            assert row.cutoffs == 2
            assert row.error == pytest.approx(np.mean(of_repeats))
            assert row.error_sd == pytest.approx(np.std(of_repeats, ddof=1))
    assert set(judged.error[judged.error.metric == "auc"].cutoffs) == {1}


def test_a_cutoff_whose_exact_value_is_0_adds_no_error_and_is_counted():
    found = np.array([[0.5, 0.1, 0.0], [0.0, 0.3, 0.0]])
    assert mean_relative_error(found, np.array([0.0, 0.2, 0.0])).tolist() == pytest.approx([0.5 / 3, 0.5 / 3])


def test_expected_cost_is_near_the_realised_one(judged):
    cost = judged.cost.set_index(["sampler", "model"])
    assert (cost.loc["uniform"].expected == 9).all()
    np.testing.assert_allclose(cost.loc["users"].per_instance, cost.loc["users"].expected, rtol=0.1)
    np.testing.assert_allclose(cost.loc["adaptive"].per_instance, cost.loc["adaptive"].expected, rtol=0.1)
    effort = judged.effort.set_index(["model", "size"])
    assert list(effort.loc["random"].index) == [4, 8, 16, 32, 64, 100]
    total = effort.groupby("model", sort=False).scored.sum() / 40
    np.testing.assert_allclose(total, cost.loc["adaptive"].per_instance)
    row = effort.loc[("random", 8)]
    assert row.cost == pytest.approx(row.waiting * 4 / row.resolved), "eq. 44, where everybody has enough candidates"
    assert effort.cost.isna().any(), "nobody has 64 candidates"


def test_winners_of_mapped_recall_are_what_a_reader_would_count(judged):
    ranked = read_exact_ranks(RANKS, RELEVANCE)
    rank = read_arrays(judged.folder / "uniform.npz")["rank"]
    assert set(judged.mapped.sampler) == {"uniform"}
    assert len(judged.mapped) == 4 * 3  # mappings x k of 1, 2, 5; ten is more than the negatives
    for row in judged.mapped.itertuples():
        exact = [(of_model <= row.f).mean() for of_model in ranked.rank]
        best = {name for name, recall in zip(MODELS, exact, strict=True) if recall == max(exact)}
        assert set(row.winner.split(" = ")) == best
        right = 0
        for repeat in range(20):
            recalls = [(of_model[repeat] <= int(row.k)).mean() for of_model in rank]
            right += {name for name, recall in zip(MODELS, recalls, strict=True) if recall == max(recalls)} <= best
        assert (row.right, row.repeats) == (right, 20)


def test_orders_and_winners_are_what_a_reader_would_count(judged):
    exact = judged.accuracy.set_index(["sampler", "estimator", "metric", "k", "model"]).exact.sort_index()
    paths = {("uniform", "uncorrected"): "uniform_uncorrected", ("uniform", "mn_mle"): "uniform_mn_mle"}
    for about, name in paths.items():
        table = read_table(judged.folder / f"{name}.parquet")
        for (metric, k), rows in table.groupby(["metric", "k"]):
            found = {repeat: of.set_index("model").estimate for repeat, of in rows.groupby("repeat")}
            true = exact[(*about, metric, k)]
            of_pairs = judged.order.set_index(["sampler", "estimator", "metric", "k"]).sort_index()
            for row in of_pairs.loc[(*about, metric, k)].itertuples():
                a, b = row.model_a, row.model_b
                if true[a] == true[b]:
                    assert np.isnan(row.right)
                else:
                    right = [np.sign(of[a] - of[b]) == np.sign(true[a] - true[b]) for of in found.values()]
                    assert row.right == sum(right)
            winner = judged.winner.set_index(["sampler", "estimator", "metric", "k"]).loc[(*about, metric, k)]
            right = [(true[of.index[of == of.max()]] == true.max()).all() for of in found.values()]
            assert winner.right_top1 == sum(right)


def test_leaders_by_hand():
    found = np.array([[3, 2, 1], [2, 3, 1], [1, 3, 2.0]])
    assert leaders(found, np.array([3, 2, 1.0])) == (1, 2)


def test_of_equal_models_any_may_lead():
    assert leaders(np.array([[1.0, 2, 0], [2, 1, 0]]), np.array([1.0, 1, 0])) == (2, 2)
    assert leaders(np.array([[3.0, 1, 2], [3, 2, 1], [1, 3, 2]]), np.array([3.0, 2, 2])) == (2, 2)


def test_a_tied_estimate_finds_nobody():
    assert leaders(np.array([[1.0, 1, 0]]), np.array([1.0, 0.5, 0])) == (0, 1)
    assert leaders(np.array([[1.0, 1, 1]]), np.array([1.0, 0.5, 0])) == (0, 0)


def test_models_that_are_exactly_equal_have_no_right_order(tmp_path):
    """The same model twice: whatever is sampled, no order of the two is right or wrong."""
    twins, ranks = ["one", "other", "item_cf"], [RANKS[2], RANKS[2], RANKS[0]]
    sampler = {"kind": "uniform", "negatives": 8, "repeats": 20}
    samples = sampled(tmp_path, sampler, models=twins, ranks=ranks)
    path = estimated(tmp_path, samples, "uncorrected", {"kind": "uncorrected"})
    outputs = {name: tmp_path / f"{name}.parquet" for name in TABLES}
    estimates = {("u", "uncorrected"): path}
    judge(outputs, {"u": samples}, estimates, {"u": sampler}, twins, ranks)
    order = read_table(outputs["order"]).set_index(["model_a", "model_b"])
    assert order.loc[("one", "other"), "right"].isna().all()
    assert order.loc[("one", "item_cf"), "right"].notna().all()


def test_tables_keep_their_columns_and_types_without_a_row(judged, tmp_path):
    """Only users are sampled, so nothing is estimated, mapped or adaptive."""
    sampler = {"kind": "users", "users": 10, "repeats": 2}
    full = {name: pq.read_schema(judged.folder / f"{name}.parquet") for name in TABLES}
    outputs = {name: tmp_path / f"empty_{name}.parquet" for name in TABLES}
    samples = {"users": sampled(tmp_path, sampler)}
    judge(outputs, samples, {}, {"users": sampler}, cutoffs=[5])
    assert {name: pq.read_schema(path) for name, path in outputs.items()} == full


def test_no_relevant_item_is_told(tmp_path):
    with pytest.raises(UserError, match="toy/last_one has no relevant test item to sample for"):
        sampled(tmp_path, {"kind": "uniform", "negatives": 8}, threshold=6)


def test_too_many_negatives_are_told_with_the_samplers_name(tmp_path):
    with pytest.raises(UserError, match="sampler 's' on toy/last_one: negatives asks for 500 different negatives"):
        sampled(tmp_path, {"kind": "uniform", "negatives": 500})


def test_drawing_reads_models_and_no_ranks(tmp_path):
    item_table = RESULTS / "datasets/toy/items.parquet"
    n_items = len(read_table(item_table))
    write_arrays(tmp_path / "model.npz", {"degree": np.arange(n_items, dtype=np.float32)})
    inputs = {part: RESULTS / f"splits/toy/last_one/{part}.parquet" for part in ("train", "test")}
    inputs |= {"user_table": RESULTS / "datasets/toy/users.parquet", "item_table": item_table}
    inputs |= {"model": [tmp_path / "model.npz"]}
    settings = {"sampler": {"kind": "draw", "negatives": 5, "repeats": 4}, "relevance": RELEVANCE, "ties": "random"}
    settings["candidates"] = "unseen"
    settings |= {"models": {"popularity": {"kind": "popularity"}}, "seed": 1, "shards": 1}
    run_stage(draw_shard, inputs, {"sample_shards": tmp_path / "draw.npz"}, ("toy", "last_one", "d", "0"), **settings)
    found = read_arrays(tmp_path / "draw.npz")
    assert found["rank"].shape == (1, 4, 40)
    highest = read_table(inputs["test"]).item.to_numpy() == n_items - 1
    assert (found["rank"][0][:, highest] == 1).all()


@pytest.mark.parametrize("definition", [{"gamma": 0.01}, {"prior": "mle"}, {"prior": "mle", "pooled": True}])
def test_the_ranks_that_weights_imply_are_a_fit(tmp_path, definition):
    """Li et al. 2024, eq. 28: the sum of P(R) up to k is the estimate of recall@k."""
    samples, definition = sampled(tmp_path, EIGHT), {"kind": "bias_variance"} | definition
    fitted(samples, tmp_path / "mle.npz", {"kind": "mle"})
    prior = tmp_path / "mle.npz" if "prior" in definition else ()
    p = fitted(samples, tmp_path / "bv.npz", definition, prior)
    assert p.shape == read_arrays(tmp_path / "mle.npz")["p"].shape
    table = read_table(estimated(tmp_path, samples, "bv", definition, prior))
    for k in (1, 5):
        rows = table[(table.metric == "recall") & (table.k == str(k))]
        recall = rows.pivot(index="model", columns="repeat", values="estimate")
        np.testing.assert_allclose(p[..., :k].sum(axis=-1), recall.loc[list(MODELS)], rtol=1e-6, atol=1e-9)


def test_curves(tmp_path):
    estimators = {"uncorrected": {"kind": "uncorrected"}, "cls": {"kind": "cls"}, "mle": {"kind": "mle"}}
    expected, mapping, _, crossings = curves(tmp_path, estimators, [8])
    assert list(expected) == ["estimator", "negatives", "model", "metric", "k", "value"]
    assert set(expected.estimator) == {"uncorrected", "cls"}
    auc = expected[(expected.estimator == "uncorrected") & (expected.metric == "auc")]
    assert auc.groupby("model").value.agg(np.ptp).max() < 1e-9, "expected auc does not depend on the sample"
    assert list(mapping) == ["mapping", "negatives", "k", "f", "model", "sampled", "exact"]
    assert set(mapping.k) == {str(k) for k in range(1, 10)}
    assert len(crossings) == 3


def test_curves_without_an_estimator_that_can_be_drawn(tmp_path):
    expected, mapping, _, crossings = curves(tmp_path, {"mle": {"kind": "mle"}}, [])
    assert list(expected) == ["estimator", "negatives", "model", "metric", "k", "value"]
    assert (len(expected), len(mapping), len(crossings)) == (0, 0, 3)


def test_curves_follow_the_law_that_an_estimator_states(tmp_path):
    laws = {law: {"kind": "bias_variance", "law": law} for law in ("binomial", "hypergeometric")}
    table, *_ = curves(tmp_path, laws, [8])
    one, other = (table[table.estimator == law].value.to_numpy() for law in laws)
    assert np.abs(one - other).max() > 1e-3


def test_other_test_items_leave_the_ranks_and_the_candidates_of_an_instance():
    """Against a loop over the rank tables; users have several test items, some of them not relevant."""
    paths = [RESULTS / f"ranks/toy/holdout/{model}.parquet" for model in MODELS]
    ranked = read_exact_ranks(paths, {"threshold": 4})
    found = ranked.without_test_items()
    for model, path in enumerate(paths):
        table = read_table(path).assign(rank=lambda rows: 1 + rows["above"] + rows["before"])
        for place, (user, item) in enumerate(zip(ranked.user, ranked.item, strict=True)):
            own = table[table["user"] == user]
            rank = int(own.loc[own["item"] == item, "rank"].iloc[0])
            assert found.rank[model, place] == rank - (own["rank"] < rank).sum()
            assert found.candidates[place] == ranked.candidates[place] - len(own) + 1
    assert (found.rank < ranked.rank).any()


def test_a_sampler_that_excludes_test_items_samples_from_what_is_left(tmp_path):
    paths = [RESULTS / f"ranks/toy/holdout/{model}.parquet" for model in MODELS]
    sampler = {"kind": "uniform", "negatives": 4, "repeats": 3, "exclude_test_items": True}
    few = read_arrays(sampled(tmp_path, sampler, ranks=paths))
    whole = read_exact_ranks(paths, RELEVANCE).without_test_items()
    np.testing.assert_array_equal(few["candidates"], whole.candidates)
    assert (few["rank"] <= whole.rank[:, None]).all()


def test_bounds_hold_the_exact_metric_and_say_what_is_identified(judged):
    exact = judged.accuracy.set_index(["sampler", "estimator", "model", "metric", "k"])["exact"]
    bounds = judged.bounds
    assert list(bounds)[5:] == ["estimate", "interval", "bound_low", "bound_high", "identified"]
    assert set(bounds.sampler) == {"uniform"}, "adaptive sets ran out of candidates, and users are ranked exactly"
    assert set(zip(bounds.metric, bounds.k, strict=True)) == {("recall", "1"), ("auc", "all")}
    keys = [tuple(row) for row in bounds[["sampler", "estimator", "model", "metric", "k"]].to_numpy()]
    inside = (bounds.bound_low <= exact[keys].to_numpy()) & (exact[keys].to_numpy() <= bounds.bound_high)
    assert inside.mean() > 0.9
    of_one = bounds.groupby(["model", "metric"])[["bound_low", "bound_high"]].nunique()
    assert (of_one == 1).all(axis=None), "bounds are those of the sample, whatever the estimator"


def test_what_samples_would_tell_of_recall_narrows_with_their_size(tmp_path):
    curves(tmp_path, {"mle": {"kind": "mle"}}, [5])
    known = read_table(tmp_path / "known.parquet")
    assert list(known) == ["negatives", "model", "k", "exact", "low", "high"]
    assert set(known.negatives) == {19}
    assert ((known.low <= known.exact + 1e-9) & (known.exact <= known.high + 1e-9)).all()
    assert known.iloc[-1][["low", "high"]].tolist() == pytest.approx([1, 1])


@pytest.fixture
def along_popularity(tmp_path):
    """Two models of scores that are known, asked in the order of popularity, in three shards and in one."""
    item_table = RESULTS / "datasets/toy/items.parquet"
    n_items = len(read_table(item_table))
    rng = np.random.default_rng(2)
    models = {name: {"kind": "popularity"} for name in ("one", "other")}
    for name in models:
        write_arrays(tmp_path / f"{name}.npz", {"degree": rng.permutation(n_items).astype(np.float32)})
    inputs = {part: RESULTS / f"splits/toy/last_one/{part}.parquet" for part in ("train", "test")}
    inputs |= {"user_table": RESULTS / "datasets/toy/users.parquet", "item_table": item_table}
    inputs |= {"model": [tmp_path / f"{name}.npz" for name in models]}

    def samples(sampler, shards=1):
        settings = {"sampler": sampler, "relevance": RELEVANCE, "ties": "random", "candidates": "unseen"}
        settings |= {"models": models, "seed": 1, "shards": shards}
        paths = [tmp_path / f"{shards}_{shard}.npz" for shard in range(shards)]
        for shard, path in enumerate(paths):
            names = ("toy", "last_one", "along", str(shard))
            run_stage(draw_shard, inputs, {"sample_shards": path}, names, **settings)
        out = tmp_path / f"samples_{shards}.npz"
        settings = {"relevance": RELEVANCE, "seed": 1, "sampler": sampler, "model_names": list(models)}
        given = {"ranks": [], "sample_shards": paths}
        run_stage(sample_ranks, given, {"samples": out}, ("toy", "last_one", "along"), **settings)
        return out

    scores = {name: read_arrays(tmp_path / f"{name}.npz")["degree"] for name in models}
    return SimpleNamespace(samples=samples, folder=tmp_path, scores=scores, inputs=inputs)


def exact_recall(given, scores, k):
    """The share of test items with fewer than k unseen items above, by loops; no two scores are equal."""
    train, test = (read_table(given.inputs[name]) for name in ("train", "test"))
    hits = []
    for row in test.itertuples():
        barred = set(train.item[train.user == row.user])
        hits.append(sum(scores[item] > scores[row.item] for item in range(len(scores)) if item not in barred) < k)
    return np.mean(hits)


def test_exact_informed_samples_estimate_without_an_error(along_popularity):
    sampler = {"kind": "informed", "k": 5, "exact": True}
    samples = along_popularity.samples(sampler)
    fit, posterior = along_popularity.folder / "p.npz", {"kind": "informed"}
    fitted(samples, fit, posterior)
    table = read_table(estimated(along_popularity.folder, samples, "informed", posterior, fit))
    assert set(table.metric + "@" + table.k) == {"recall@1", "recall@5"}, "auc looks beyond k"
    for row in table.itertuples():
        wanted = exact_recall(along_popularity, along_popularity.scores[row.model], int(row.k))
        assert row.estimate == pytest.approx(wanted)


def test_informed_samples_are_the_same_in_any_number_of_shards(along_popularity, monkeypatch):
    sampler = {"kind": "informed", "k": 2, "budget": 12, "audit": 0.2, "repeats": 3}
    one = along_popularity.samples(sampler, 1).read_bytes()
    assert along_popularity.samples(sampler, 2).read_bytes() == one, "a single block, so that one shard is empty"
    monkeypatch.setattr("truerank.core.lining_up.CELLS_AT_ONCE", 200)
    assert along_popularity.samples(sampler, 3).read_bytes() == one


def test_a_proxy_that_a_dataset_cannot_have_is_told(along_popularity):
    with pytest.raises(UserError, match="sampler 'along' has the proxy 'ease', and the dataset 'toy' cannot have"):
        along_popularity.samples({"kind": "informed", "proxy": "ease"})


def test_rows_come_some_at_a_time_and_change_no_curve(tmp_path, monkeypatch):
    estimators = {"uncorrected": {"kind": "uncorrected"}, "bias_variance": {"kind": "bias_variance"}}
    whole = curves(tmp_path, estimators, [8])
    monkeypatch.setattr(counted_ranks, "ROWS_AT_A_TIME", 3)
    for table, own in zip(whole, curves(tmp_path, estimators, [8]), strict=True):
        pd.testing.assert_frame_equal(own, table, check_exact=True)


def test_counted_ranks_are_those_of_all_instances(monkeypatch):
    monkeypatch.setattr(counted_ranks, "ROWS_AT_A_TIME", 3)
    exact, found = read_exact_ranks(RANKS, RELEVANCE), counted_ranks.read_counted_ranks(RANKS, RELEVANCE)
    in_memory = counted_ranks.CountedRanks.of(exact)
    assert (found.n_items, found.most, found.several) == (in_memory.n_items, in_memory.most, in_memory.several)
    for place, rank in enumerate(exact.rank):
        both = np.repeat([found.rank(place), found.candidates(place)], found.ranks[place].n, axis=1)
        assert sorted(zip(*both, strict=True)) == sorted(zip(rank, exact.candidates, strict=True))
        np.testing.assert_array_equal(found.recall(place), recall_curve(rank, exact.candidates.max()))


def test_rows_come_some_at_a_time_and_change_no_sample(tmp_path, monkeypatch):
    """The users of the fixture's second split have several test items, some of them not relevant."""
    paths = [RESULTS / f"ranks/toy/holdout/{model}.parquet" for model in MODELS]
    sampler = {"kind": "uniform", "negatives": 8, "repeats": 3, "exclude_test_items": True}
    whole = sampled(tmp_path, sampler, threshold=3, ranks=paths).read_bytes()
    monkeypatch.setattr(test_instances, "ROWS_AT_A_TIME", 3)
    assert sampled(tmp_path, sampler, threshold=3, ranks=paths).read_bytes() == whole


def test_each_block_of_instances_has_a_stream_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(test_instances, "INSTANCES_PER_BLOCK", 16)
    found = read_arrays(sampled(tmp_path, {"kind": "uniform", "negatives": 8, "repeats": 3}))
    ranked = read_exact_ranks(RANKS, RELEVANCE)
    for block, start in enumerate(range(0, 40, 16)):
        rows = slice(start, start + 16)
        stream = generator(1, "sample_ranks", "toy", "last_one", "s").bit_generator.jumped(block)
        wanted = uniform(
            ranked.rank[:, rows], ranked.candidates[rows], np.random.Generator(stream), negatives=8, repeats=3
        )
        np.testing.assert_array_equal(found["rank"][..., rows], wanted.rank)


def test_samples_are_counted_some_at_a_time(tmp_path, monkeypatch):
    """Adaptive sets of unlike size, some of them complete, and estimates of ranks."""
    path = sampled(tmp_path, {"kind": "adaptive", "start": 4, "limit": 100, "repeats": 5})
    arrays = read_arrays(path)
    arrays["rank_estimate"] = (arrays["rank"] * 7.5).astype(np.float32)
    write_arrays(path, arrays)
    whole = counted_samples.CountedSamples.of(arrays)
    monkeypatch.setattr(counted_samples, "CELLS_AT_A_TIME", 3 * 5 * 7)
    found = counted_samples.read_samples(path)
    assert (found.n_items, found.complete) == (whole.n_items, whole.complete)
    for name in ("seen", "sizes", "estimated"):
        for field, wanted in vars(getattr(whole, name)).items():
            np.testing.assert_array_equal(getattr(getattr(found, name), field), wanted)
    np.testing.assert_array_equal(found.n_scores, (arrays["negatives"] + 1).sum(axis=-1))
    own = [np.histogram(row, np.arange(1, 102))[0] for row in arrays["rank"].reshape(15, -1)]
    first = found.seen.counts.reshape(15, -1) @ (found.seen.rank[:, None] == np.arange(1, 101))
    np.testing.assert_array_equal(first, own)


def test_sums_of_blocks_are_those_of_all_instances(monkeypatch):
    ranked = read_exact_ranks(RANKS, RELEVANCE)
    monkeypatch.setattr(test_instances, "INSTANCES_PER_BLOCK", 7)
    blocks = lambda: test_instances.read_some_ranks(RANKS, RELEVANCE)  # noqa: E731
    found = exact_summary(blocks, METRICS, [1, 5])
    values = [metric_of_rank(METRICS, [1, 5], rank, ranked.candidates) for rank in ranked.rank]
    values = np.array([list(of_model.values()) for of_model in values])
    np.testing.assert_allclose(found.mean, values.mean(axis=2))
    np.testing.assert_allclose(found.variance, values.var(axis=2))
    np.testing.assert_allclose(found.span, np.ptp(values, axis=(0, 2)))
    wanted = [recall_curve(rank, ranked.candidates.max()) for rank in ranked.rank]
    np.testing.assert_allclose(found.curves, wanted)
    assert (found.n, found.candidates, found.several) == (40, ranked.candidates.sum(), False)


def test_blocks_of_instances_change_no_judgement(tmp_path, judged, monkeypatch):
    samplers = {"users": {"kind": "users", "users": 10, "repeats": 20}}
    samplers["adaptive"] = {"kind": "adaptive", "start": 4, "limit": 100, "repeats": 20}
    samples = {name: judged.folder / f"{name}.npz" for name in samplers}
    tables = []
    for size in (40, 7):
        monkeypatch.setattr(test_instances, "INSTANCES_PER_BLOCK", size)
        outputs = {name: tmp_path / f"{name}_{size}.parquet" for name in TABLES}
        judge(outputs, samples, {}, samplers)
        tables.append([read_table(path) for path in outputs.values()])
    for one, other in zip(*tables, strict=True):
        pd.testing.assert_frame_equal(one, other, rtol=1e-12)
