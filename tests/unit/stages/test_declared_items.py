"""A catalogue that is declared: items that nobody touched are candidates like any other."""

import gzip
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from truerank.artefacts.files import read_table
from truerank.errors import UserError
from truerank.stages.fetch_dataset import fetch_dataset
from truerank.stages.rank_shard import rank_shard
from truerank.stages.split_interactions import split_interactions
from truerank.stages.train_model import train_model

from tests.support import run_stage

TRAIN = "user,item\nann,b\nann,c\nbob,c\n"
TEST = "user,item\nann,d\nbob,b\n"
FILES = {"source": "files", "train": "train.csv", "test": "test.csv", "columns": {"user": "user", "item": "item"}}
DATA = {name: Path(f"{name}.out") for name in ("interactions", "user_table", "item_table", "facts")}


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("train.csv").write_text(TRAIN)
    Path("test.csv").write_text(TEST)


def fetched(**settings):
    """Return the ids of items, and the summary."""
    run_stage(fetch_dataset, {}, DATA, ("mine",), dataset=FILES | settings, seed=1)
    return pq.read_table(DATA["item_table"])["id"].to_pylist(), json.loads(DATA["facts"].read_text())


def test_a_number_adds_items_after_those_with_rows():
    plain, before = fetched()
    rows = DATA["interactions"].read_bytes()
    ids, summary = fetched(items=6)
    assert plain == ["b", "c", "d"]
    assert ids == [*plain, "untouched-1", "untouched-2", "untouched-3"]
    assert (summary["items"], summary["items_declared"], summary["items_without_rows"]) == (6, 6, 3)
    assert summary["density"] == before["density"] / 2
    assert "items_declared" not in before
    assert DATA["interactions"].read_bytes() == rows
    assert summary["checksum"] == before["checksum"]


def test_names_that_the_data_has_are_not_made_up():
    Path("test.csv").write_text(TEST.replace("ann,d", "ann,untouched-1"))
    assert fetched(items=5)[0] == ["b", "c", "untouched-1", "untouched-2", "untouched-3"]


@pytest.mark.parametrize("name", ["items.txt", "items.txt.gz"])
def test_a_file_adds_its_ids_in_their_order(name):
    text = "\ufeffz\r\nd\n\n b\nc\na\n".encode()
    Path(name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    ids, summary = fetched(items=name)
    assert ids == ["b", "c", "d", "a", "z"]
    assert (summary["items_declared"], summary["items_without_rows"]) == (5, 2)


def test_a_catalogue_may_be_just_what_the_data_has():
    assert fetched(items=3)[0] == ["b", "c", "d"]


def test_filters_come_first():
    Path("all.csv").write_text("user,item,rating\nann,b,5\nann,c,1\n")
    own = {"source": "file", "path": "all.csv", "columns": {"user": "user", "item": "item", "rating": "rating"}}
    run_stage(fetch_dataset, {}, DATA, ("mine",), dataset=own | {"implicit_threshold": 4, "items": 2}, seed=1)
    assert pq.read_table(DATA["item_table"])["id"].to_pylist() == ["b", "untouched-1"]


def test_made_up_data_has_items_of_its_own():
    own = {"source": "synthetic", "users": 9, "items": 5, "interactions": 20}
    run_stage(fetch_dataset, {}, DATA, ("mine",), dataset=own, seed=1)
    summary = json.loads(DATA["facts"].read_text())
    assert summary["items"] == 5
    assert "items_declared" not in summary


@pytest.mark.parametrize(
    ("items", "text", "sentence"),
    [
        (2, "", "datasets.mine.items is 2, but found 3 items that have a row; raise it"),
        (
            "i.txt",
            "b\nz\n",
            "datasets.mine.items is 'i.txt', which lacks 2 of the 3 items that have a row, such as 'c': found 2 ids, "
            "expected all; add them",
        ),
        ("i.txt", "b\nc\nd\nc\n", "i.txt, lines 2 and 4: found the id 'c' twice, expected once; delete one"),
        ("i.txt", "", "found 0 ids, expected all"),
        ("no.txt", "", "no.txt does not exist"),
    ],
)
def test_mistakes_are_one_sentence(items, text, sentence):
    Path("i.txt").write_text(text)
    with pytest.raises(UserError) as told:
        fetched(items=items)
    assert sentence in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(("items", "ranks", "candidates"), [(None, [1, 1], [1, 2]), (6, [4, 1], [4, 5])])
def test_ranks_among_declared_items(items, ranks, candidates):
    """By popularity b has 1 and c 2, all else 0: ann's d ties with three that nobody touched, bob's b is ahead."""
    fetched(**({} if items is None else {"items": items}))
    split = {name: Path(f"{name}.out") for name in ("train", "test", "split_facts")}
    rule = {"split": {"kind": "given"}, "seed": 1, "relevance": {"threshold": 1}, "relevance_key": "relevance"}
    run_stage(split_interactions, DATA, split, ("mine", "given"), split_rows="given", **rule)
    names, model = ("mine", "given", "popularity"), {"kind": "popularity"}
    outputs = {"model": Path("model"), "training": Path("training")}
    run_stage(train_model, DATA | split | {"tuning": []}, outputs, names, model=model, seed=1)
    tables = {"rank_shards": Path("ranks"), "list_shards": Path("lists")}
    rule = {"model": model, "ties": "pessimistic", "candidates": "unseen", "depth": 100, "seed": 1, "shards": 1}
    run_stage(rank_shard, DATA | split | outputs, tables, (*names, "0"), **rule)
    table = read_table(tables["rank_shards"])
    assert (1 + table["above"] + table["before"]).tolist() == ranks
    assert table["candidates"].tolist() == candidates
