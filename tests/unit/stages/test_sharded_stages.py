"""Cutting the work by users changes no byte, however many shards there are, and empty ones are no trouble."""

import shutil

import numpy as np
import pandas as pd
import pytest
from truerank.core.measured import Users, measured
from truerank.core.significance import compare_all
from truerank.meta import flips
from truerank.provenance import generator
from truerank.ranking import exact
from truerank.sampling._core import scoring
from truerank.stages import evaluate_shard as evaluation
from truerank.stages import measured_users, ranked_users
from truerank.stages.draw_shard import draw_shard
from truerank.stages.evaluate_metrics import evaluate_metrics
from truerank.stages.flip_shard import flip_shard
from truerank.stages.measure_migration import measure_migration
from truerank.stages.measure_robustness import measure_robustness
from truerank.stages.rank_items import rank_items
from truerank.stages.rank_shard import rank_shard
from truerank.stages.sample_ranks import sample_ranks
from truerank.stages.sweep_shard import sweep_shard
from truerank.stages.test_significance import test_significance as write_tests
from truerank.stages.train_model import train_model

from tests.support import ROOT, run_stage

RESULTS = ROOT / "tests" / "fixture" / "results"
SPLIT = {part: RESULTS / f"splits/toy/holdout/{part}.parquet" for part in ("train", "test")}
SPLIT |= {f"{noun}_table": RESULTS / f"datasets/toy/{noun}s.parquet" for noun in ("user", "item")}
SPLIT |= {"facts": RESULTS / "datasets/toy/summary.json"}
MODELS = {
    "ials": {"kind": "ials", "factors": 4, "iterations": 2, "calibration": "linear"},
    "random": {"kind": "random"},
}
METRICS = {
    name: {"kind": name}
    for name in ("ndcg", "half_life", "mae", "rmse_micro", "intra_list", "coverage", "popularity", "unified")
}
METRICS["unified"]["of"] = ["ndcg", "coverage"]
METRICS["own"] = {"kind": "recall", "relevance": {"threshold": "user_mean"}}
COUNTS = (2, 3, 7)  # the 40 users are five or six blocks, so that one of seven shards has nobody
SEED = 4


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Cut the 40 users of the fixture into blocks as large data would be."""
    monkeypatch.setattr(exact, "MOST_ROWS", 8)
    monkeypatch.setattr(evaluation, "USERS_PER_BLOCK", 7)
    monkeypatch.setattr(measured_users, "USERS_PER_BLOCK", 7)
    monkeypatch.setattr(scoring, "CELLS_PER_BLOCK", 21 * 6)


@pytest.fixture(scope="module")
def trained_once(tmp_path_factory):
    """Two trained models in a folder."""
    folder = tmp_path_factory.mktemp("trained")
    for name, definition in MODELS.items():
        outputs = {"model": folder / f"{name}.npz", "training": folder / f"{name}.training"}
        run_stage(train_model, SPLIT | {"tuning": []}, outputs, ("toy", "holdout", name), model=definition, seed=SEED)
    return folder


@pytest.fixture
def trained(trained_once, tmp_path):
    """A copy of that folder, for what is made of the models."""
    return shutil.copytree(trained_once, tmp_path / "trained")


def ranked(folder, name, count, ties="random", candidates="unseen"):
    """Rank the users of a model by shards; return the paths of the joined ranks and lists."""
    settings = {"model": MODELS[name], "ties": ties, "depth": 100, "seed": SEED, "shards": count}
    settings["candidates"] = candidates
    shards = {kind: [folder / f"{name}.{kind}.{number}" for number in range(count)] for kind in ("rank", "list")}
    for number in range(count):
        outputs = {f"{kind}_shards": shards[kind][number] for kind in shards}
        names = ("toy", "holdout", name, str(number))
        run_stage(rank_shard, SPLIT | {"model": folder / f"{name}.npz"}, outputs, names, **settings)
    joined = {kind: folder / f"{name}.{kind}.{ties}.{candidates}.{count}" for kind in ("ranks", "lists")}
    run_stage(rank_items, {f"{kind}_shards": paths for kind, paths in shards.items()}, joined)
    return joined


@pytest.mark.slow
def test_ranks_and_lists(trained):
    for name in MODELS:
        for rules in (("random", "unseen"), ("optimistic", "unseen"), ("random", "tested"), ("random", "all")):
            whole = ranked(trained, name, 1, *rules)
            for count in COUNTS:
                joined = ranked(trained, name, count, *rules)
                for kind in whole:
                    assert joined[kind].read_bytes() == whole[kind].read_bytes(), (name, rules, kind, count)


def evaluated(folder, tables, count):
    """Evaluate by shards; return the bytes of both tables."""
    settings = {
        "metrics": METRICS,
        "cutoffs": [1, 5, "all"],
        "relevance": {"threshold": 4},
        "model_names": list(MODELS),
    }
    inputs, shards = SPLIT | tables, [folder / f"metrics.{number}" for number in range(count)]
    for number, path in enumerate(shards):
        names = ("toy", "holdout", str(number))
        run_stage(evaluation.evaluate_shard, inputs, {"metric_shards": path}, names, shards=count, **settings)
    outputs = {"per_user": folder / "per_user", "summary": folder / "summary"}
    run_stage(evaluate_metrics, inputs | {"metric_shards": shards}, outputs, undefined_users="zero", **settings)
    return [path.read_bytes() for path in outputs.values()]


@pytest.mark.slow
def test_metrics(trained):
    found = [ranked(trained, name, 1) for name in MODELS]
    tables = {kind: [paths[kind] for paths in found] for kind in ("ranks", "lists")}
    whole = evaluated(trained, tables, 1)
    for count in COUNTS:
        assert evaluated(trained, tables, count) == whole, count


def compared(folder, tables, count):
    """Test by shards what was evaluated; return the bytes of all tables."""
    evaluated(folder, tables, 1)
    settings = {"metrics": METRICS, "model_names": list(MODELS), "undefined_users": "zero", "seed": SEED}
    settings["significance"] = {"draws": 1000}
    inputs = SPLIT | tables | {"per_user": folder / "per_user"}
    shards = [folder / f"flips.{number}" for number in range(count)]
    for number, path in enumerate(shards):
        run_stage(flip_shard, inputs, {"flip_shards": path}, ("toy", "holdout", str(number)), shards=count, **settings)
    outputs = {name: folder / name for name in ("significance", "discriminative_power", "best_set")}
    run_stage(write_tests, inputs | {"flip_shards": shards}, outputs, ("toy", "holdout"), **settings)
    return [path.read_bytes() for path in outputs.values()]


@pytest.mark.slow
def test_tests_of_pairs(trained, monkeypatch):
    """16 tiles of draws are shared out; users come in blocks, or are kept, or are in one table as for ``tr.trial``."""
    monkeypatch.setattr(flips, "DRAWS_PER_TILE", 64)
    found = [ranked(trained, name, 1) for name in MODELS]
    tables = {kind: [paths[kind] for paths in found] for kind in ("ranks", "lists")}
    kept = compared(trained, tables, 1)
    monkeypatch.setattr(measured_users, "KEPT", 0)
    for count in (2, 17):
        assert compared(trained, tables, count) == kept, count
    per_user, ratings = pd.read_parquet(trained / "per_user"), pd.read_parquet(SPLIT["test"])["user"].value_counts()
    users, values = measured(per_user, METRICS, "zero", ratings)
    pairs, _ = compare_all(Users.of(values, users), 1000, generator(SEED, "test_significance", "toy", "holdout"))
    pd.testing.assert_frame_equal(pairs, pd.read_parquet(trained / "significance"), rtol=1e-12)


def swept(folder, ranks, count):
    """Sweep by shards; return the bytes of both tables."""
    settings = {"metrics": METRICS, "cutoffs": [1, 5, "all"], "seed": SEED}
    settings["evaluation"] = {"relevance": {"threshold": 4}, "undefined_users": "zero"}
    settings["robustness"] = {"sparsity": [1, 0.5, 0.3], "popularity": [0.9, 0.8], "samples": 4}
    settings["robustness"]["predictions"] = ["mae", "rmse_micro"]
    shards = [folder / f"sweep.{number}" for number in range(count)]
    for number, path in enumerate(shards):
        names = ("toy", "holdout", str(number))
        run_stage(sweep_shard, SPLIT | {"ranks": ranks}, {"sweep_shards": path}, names, shards=count, **settings)
    outputs = {name: folder / name for name in ("robustness", "robustness_summary")}
    run_stage(measure_robustness, {"sweep_shards": shards}, outputs, ("toy", "holdout"), **settings)
    return [path.read_bytes() for path in outputs.values()]


@pytest.mark.slow
@pytest.mark.parametrize("size", [7, 40])
def test_robustness(trained, size, monkeypatch):
    """Thinned sets are shared out, and users come in blocks of ``size``."""
    monkeypatch.setattr(ranked_users, "USERS_PER_BLOCK", size)
    ranks = [ranked(trained, name, 1)["ranks"] for name in MODELS]
    whole = swept(trained, ranks, 1)
    for count in (2, 5):
        assert swept(trained, ranks, count) == whole, count


def test_blocks_of_users_change_no_tau_of_sets_that_are_not_drawn(trained, monkeypatch):
    ranks = [ranked(trained, name, 1)["ranks"] for name in MODELS]
    found = []
    for size in (7, 40):
        monkeypatch.setattr(ranked_users, "USERS_PER_BLOCK", size)
        swept(trained, ranks, 1)
        tau = pd.read_parquet(trained / "robustness")
        found.append(tau[(tau["bias"] == "popularity") | (tau["fraction"] == 1)])
    pd.testing.assert_frame_equal(*found)


@pytest.mark.parametrize("margin", [0.5, "auto"])
def test_blocks_of_users_change_no_migration(trained, margin, monkeypatch):
    ranks, found = [ranked(trained, name, 1)["ranks"] for name in MODELS], []
    for size in (7, 40):
        monkeypatch.setattr(ranked_users, "USERS_PER_BLOCK", size)
        settings = {"model_names": list(MODELS), "migration": {"margin": margin, "top": 5}}
        run_stage(measure_migration, SPLIT | {"ranks": ranks}, {"migration": trained / "migration"}, **settings)
        found.append(pd.read_parquet(trained / "migration"))
    assert set(found[0]["model"]) == {"ials"}, "the other one predicts no ratings"
    pd.testing.assert_frame_equal(*found, rtol=1e-12)


def drawn(folder, count, candidates="unseen"):
    """Draw by shards; return the bytes of all samples."""
    settings = {"sampler": {"kind": "draw", "negatives": 5, "repeats": 4}, "relevance": {"threshold": 4}, "seed": SEED}
    inputs = SPLIT | {"model": [folder / f"{name}.npz" for name in MODELS]}
    shards = [folder / f"{number}.npz" for number in range(count)]
    for number, path in enumerate(shards):
        names, more = ("toy", "holdout", "drawn", str(number)), {"models": MODELS, "ties": "random", "shards": count}
        more["candidates"] = candidates
        run_stage(draw_shard, inputs, {"sample_shards": path}, names, **settings, **more)
    outputs = {"samples": folder / "joined.npz"}
    run_stage(sample_ranks, {"sample_shards": shards}, outputs, model_names=list(MODELS), **settings)
    return outputs["samples"].read_bytes()


@pytest.mark.slow
def test_drawn_negatives(trained):
    for candidates in ("unseen", "tested", "all"):
        whole = drawn(trained, 1, candidates)
        for count in (3, 50):
            assert drawn(trained, count, candidates) == whole, (candidates, count)


def test_blocks_of_instances_do_not_share_their_random_numbers():
    """Six instances to a block: without a stream of its own, each block would repeat the first one's choices."""
    rng = np.random.Generator(np.random.Philox(key=1))
    streams = [np.random.Generator(rng.bit_generator.jumped(block)).integers(1 << 60, size=4) for block in range(5)]
    assert len(np.unique(streams)) == 20
