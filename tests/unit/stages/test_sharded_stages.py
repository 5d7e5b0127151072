"""Cutting the work by users changes no byte, however many shards there are, and empty ones are no trouble."""

from types import SimpleNamespace

import numpy as np
import pytest
from truerank.ranking import exact
from truerank.sampling import draw
from truerank.stages import evaluate_shard as evaluation
from truerank.stages.draw_shard import draw_shard
from truerank.stages.evaluate_metrics import evaluate_metrics
from truerank.stages.evaluate_shard import evaluate_shard
from truerank.stages.rank_items import rank_items
from truerank.stages.rank_shard import rank_shard
from truerank.stages.sample_ranks import sample_ranks
from truerank.stages.train_model import train_model

from tests.support import ROOT

RESULTS = ROOT / "tests" / "fixture" / "results"
TABLES = {"users": RESULTS / "datasets/toy/users.parquet", "items": RESULTS / "datasets/toy/items.parquet"}
SPLIT = {part: RESULTS / f"splits/toy/holdout/{part}.parquet" for part in ("train", "test")} | TABLES
MODELS = {
    "ials": {"kind": "ials", "factors": 4, "iterations": 2, "calibration": "linear"},
    "random": {"kind": "random"},
}
METRICS = {
    name: {"kind": name} for name in ("ndcg", "half_life", "mae", "intra_list", "coverage", "popularity", "unified")
}
METRICS["unified"]["of"] = ["ndcg", "coverage"]
METRICS["own"] = {"kind": "recall", "relevance": {"threshold": "user_mean"}}
COUNTS = pytest.mark.parametrize("count", [1, 2, 3, 50])
SEED = 4


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Cut the 40 users of the fixture into blocks as large data would be."""
    monkeypatch.setattr(exact, "MOST_ROWS", 8)
    monkeypatch.setattr(evaluation, "USERS_PER_BLOCK", 7)
    monkeypatch.setattr(draw, "CELLS_PER_BLOCK", 21 * 6)


@pytest.fixture
def ranked(tmp_path):
    """Two trained and ranked models in a folder."""
    for name, definition in MODELS.items():
        names = ("toy", "holdout", name)
        inputs = SPLIT["train"], SPLIT["users"], SPLIT["items"]
        outputs = tmp_path / f"{name}.npz", tmp_path / f"{name}.training"
        train_model(*inputs, definition, names, SEED, *outputs)
        rank_items(*ranking(tmp_path, name), tmp_path / f"{name}.ranks", tmp_path / f"{name}.lists")
    return tmp_path


def ranking(folder, name, ties="random"):
    """Return the arguments of ``rank_items`` up to its outputs."""
    return *SPLIT.values(), folder / f"{name}.npz", MODELS[name], ("toy", "holdout", name), ties, SEED, 1


@COUNTS
@pytest.mark.parametrize("name", list(MODELS))
@pytest.mark.parametrize("ties", ["random", "optimistic"])
def test_ranks_and_lists(ranked, name, ties, count):
    shards = {kind: [ranked / f"{kind}.{number}" for number in range(count)] for kind in ("ranks", "lists")}
    for number in range(count):
        paths = (shards[kind][number] for kind in ("ranks", "lists"))
        rank_shard(*ranking(ranked, name, ties), *paths, (number, count))
    rank_items(*ranking(ranked, name, ties), ranked / "whole.ranks", ranked / "whole.lists")
    joined = {"rank_shards": shards["ranks"], "list_shards": shards["lists"]}
    rank_items(*ranking(ranked, name, ties), ranked / "joined.ranks", ranked / "joined.lists", **joined)
    for kind in ("ranks", "lists"):
        assert (ranked / f"joined.{kind}").read_bytes() == (ranked / f"whole.{kind}").read_bytes()


@COUNTS
def test_metrics(ranked, count):
    tables = {kind: {name: ranked / f"{name}.{kind}" for name in MODELS} for kind in ("ranks", "lists")}
    facts = RESULTS / "datasets/toy/summary.json"
    choices = {"metrics": METRICS, "cutoffs": [1, 5, "all"], "relevance": {"threshold": 4}}
    shards = []
    for name in MODELS:
        for number in range(count):
            shards.append(ranked / f"{name}.{number}")
            evidence = tables["ranks"][name], tables["lists"][name], (SPLIT["train"], *TABLES.values()), facts
            evaluate_shard(*evidence, **choices, shard=(number, count), per_user=shards[-1])
    found = []
    for parts in ((), shards):
        outputs = {"per_user": ranked / "per_user", "summary": ranked / "summary"}
        inputs = {"train": SPLIT["train"], **TABLES, "facts": facts, "undefined_users": "zero"}
        evaluate_metrics(**tables, **inputs, **choices, **outputs, shards=parts)
        found.append([path.read_bytes() for path in outputs.values()])
    assert found[0] == found[1]


@COUNTS
def test_drawn_negatives(ranked, count):
    inputs = SimpleNamespace(
        models=[ranked / f"{name}.npz" for name in MODELS],
        **{part: [SPLIT[part]] for part in ("train", "test")},
        user_table=[TABLES["users"]],
        item_table=[TABLES["items"]],
    )
    settings = {"kind": "draw", "negatives": 5, "repeats": 4}
    choices = {"relevance": {"threshold": 4}, "ties": "random", "seed": SEED}
    arguments = inputs, MODELS, settings, ("toy", "holdout", "drawn")
    shards = [ranked / f"{number}.npz" for number in range(count)]
    for number, path in enumerate(shards):
        draw_shard(*arguments, **choices, shard=(number, count), samples=path)
    sample_ranks(*arguments, **choices, samples=ranked / "whole.npz")
    sample_ranks(*arguments, **choices, samples=ranked / "joined.npz", shards=shards)
    assert (ranked / "joined.npz").read_bytes() == (ranked / "whole.npz").read_bytes()


def test_blocks_of_instances_do_not_share_their_random_numbers(ranked):
    """Six instances to a block: without a stream of its own, each block would repeat the first one's choices."""
    rng = np.random.Generator(np.random.Philox(key=1))
    streams = [np.random.Generator(rng.bit_generator.jumped(block)).integers(1 << 60, size=4) for block in range(5)]
    assert len(np.unique(streams)) == 20
