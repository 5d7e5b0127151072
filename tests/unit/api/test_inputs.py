"""Files, frames, dictionaries and matrices of the same rows give the same numbers; mistakes are one sentence."""

import gzip
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import truerank as tr
from scipy import sparse
from truerank.api.inputs import ids as ids_module
from truerank.api.inputs import sources
from truerank.api.inputs.ids import Ids

from tests.support import for_each

METRICS = ["ndcg@2", "recall@2", "map"]
LISTS = {1: [10, 20, 30], 2: [40, 10], 3: [50]}
SCORES = {u: {i: 9.5 - place for place, i in enumerate(own)} for u, own in LISTS.items()}
TEST = {1: {20: 5, 30: 4, 50: 1}, 2: {10: 4}, 4: {10: 5}}
LIST_ROWS = [(u, i, place, 9.5 - place) for u, own in LISTS.items() for place, i in enumerate(own, start=1)]
TEST_ROWS = [(u, i, rating) for u, own in TEST.items() for i, rating in own.items()]
LIST_FRAME = pd.DataFrame(LIST_ROWS, columns=["user", "item", "rank", "score"])
TEST_FRAME = pd.DataFrame(TEST_ROWS, columns=["user", "item", "rating"])


class Capsule:
    """A frame of another library: nothing but the Arrow PyCapsule interface."""

    def __init__(self, frame):
        self.table = pa.Table.from_pandas(frame)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def text(rows, header, separator=",", end="\n"):
    return end.join([separator.join(header), *(separator.join(map(str, row)) for row in rows)]) + end


def written(folder, name, content):
    path = folder / name
    content = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return path


@pytest.fixture
def forms(tmp_path):
    """Lists and test in every form that is taken."""
    heads = ["user", "item", "rank"]
    ranks = [row[:3] for row in LIST_ROWS]
    pq.write_table(pa.Table.from_pandas(LIST_FRAME), tmp_path / "run.parquet", row_group_size=2)
    pq.write_table(pa.Table.from_pandas(TEST_FRAME), tmp_path / "test.parquet")
    records = [dict(zip(heads, row, strict=True)) for row in ranks]
    matrix = sparse.dok_array((5, 60))
    truth = sparse.dok_array((5, 60))
    for u, i, _, score in LIST_ROWS:
        matrix[u, i] = score
    for u, i, rating in TEST_ROWS:
        truth[u, i] = rating
    trec = "".join(f"{u} Q0 {i} {place} {score} tag\n" for u, i, place, score in LIST_ROWS)
    lists = {
        "dict of lists": LISTS,
        "dict of dicts": SCORES,
        "dict of text": {str(u): [str(i) for i in own] for u, own in LISTS.items()},
        "frame": LIST_FRAME,
        "frame, floats": LIST_FRAME.astype({"user": float, "item": float}),
        "frame, mixed ids": LIST_FRAME.assign(user=[1, "1", 1.0, 2, "2", 3]).drop(columns="score"),
        "capsule": Capsule(LIST_FRAME),
        "matrix": matrix.tocsr(),
        "csv": written(tmp_path, "run.csv", text(ranks, heads)),
        "csv, BOM and CRLF": written(tmp_path, "bom.csv", "\ufeff" + text(ranks, heads, end="\r\n")),
        "csv of floats": written(tmp_path, "f.csv", text([(f"{u}.0", f"{i}.0", r) for u, i, r in ranks], heads)),
        "csv.gz": written(tmp_path, "run.csv.gz", text(ranks, heads)),
        "tsv": written(tmp_path, "run.tsv", text(ranks, heads, "\t")),
        "parquet": tmp_path / "run.parquet",
        "parquet.gz": written(tmp_path, "run.parquet.gz", (tmp_path / "run.parquet").read_bytes()),
        "json of lists": written(tmp_path, "lists.json", json.dumps(LISTS)),
        "json of scores": written(tmp_path, "scores.json", json.dumps(SCORES)),
        "json records": written(tmp_path, "records.json", json.dumps(records)),
        "jsonl": written(tmp_path, "run.jsonl", "".join(json.dumps(record) + "\n" for record in records)),
        "jsonl.gz": written(tmp_path, "run.jsonl.gz", "".join(json.dumps(record) + "\n" for record in records)),
        "trec": written(tmp_path, "run.txt", trec),
        "trec.gz": written(tmp_path, "run.trec.gz", trec),
        "scattered": LIST_FRAME.sort_values("rank", kind="stable"),
    }
    tests = {
        "dict": TEST,
        "frame": TEST_FRAME,
        "capsule": Capsule(TEST_FRAME),
        "matrix": truth.tocoo(),
        "csv": written(tmp_path, "test.csv", text(TEST_ROWS, TEST_FRAME.columns)),
        "parquet": tmp_path / "test.parquet",
        "qrels": written(tmp_path, "test.txt", "".join(f"{u} 0 {i} {rating}\n" for u, i, rating in TEST_ROWS)),
        "json": written(tmp_path, "test.json", json.dumps(TEST)),
    }
    return lists, tests


def test_every_form_gives_the_same_numbers(forms):
    lists, tests = forms
    expected = tr.evaluate(LISTS, TEST, METRICS)
    np.testing.assert_allclose(expected.per_user["recall@2"], [0.5, 1, 0])
    np.testing.assert_allclose(expected.per_user["ap@all"], [(1 / 2 + 2 / 3) / 2, 1 / 2, 0])
    for name, run in lists.items():
        found = tr.evaluate(run, TEST, METRICS)
        pd.testing.assert_frame_equal(found.per_user, expected.per_user, obj=name)
    for name, test in tests.items():
        found = tr.evaluate(LISTS, test, METRICS)
        pd.testing.assert_frame_equal(found.per_user, expected.per_user, obj=name)


def test_columns_are_named(tmp_path):
    renamed = LIST_FRAME.rename(columns={"user": "customer", "item": "sku", "rank": "place"})
    columns = {"user": "customer", "item": "sku", "rank": "place"}
    expected = tr.evaluate(LISTS, TEST, METRICS)
    bare = text(LIST_ROWS, [], "|").lstrip("\n")
    for run, test in ((renamed.drop(columns="score"), TEST_FRAME), (LISTS, TEST_FRAME.rename(columns=columns))):
        pd.testing.assert_frame_equal(tr.evaluate(run, test, METRICS, columns=columns).per_user, expected.per_user)
    found = tr.evaluate(
        written(tmp_path, "bare.txt", bare), TEST, METRICS, columns={"user": 0, "item": 1, "rank": 2, "score": 3}
    )
    pd.testing.assert_frame_equal(found.per_user, expected.per_user)


def test_lists_across_batches_are_whole(monkeypatch):
    expected = tr.evaluate(LISTS, TEST, METRICS).per_user
    for most in (1, 2, 4, 5):
        monkeypatch.setattr(sources, "MOST_ROWS", most)
        pd.testing.assert_frame_equal(tr.evaluate(LIST_FRAME, TEST, METRICS).per_user, expected)
        shuffled = LIST_FRAME.sample(frac=1, random_state=most)
        pd.testing.assert_frame_equal(tr.evaluate(shuffled, TEST, METRICS).per_user, expected)


@for_each("span", [1 << 26, 4])
def test_ids_are_compared_with_care(monkeypatch, span):
    """With a table and, where the span is too wide for one, with a dictionary."""
    monkeypatch.setattr(ids_module, "MOST_SPAN", span)
    found = Ids()
    assert found.encode(pa.array([7, 9, 7])).tolist() == [0, 1, 0]
    assert found.encode(pa.array([9.0, 8.0])).tolist() == [1, 2]
    assert found.encode(pa.array(["8", "9.0", "007"])).tolist() == [2, 1, 3]
    assert found.encode(pa.array([7, 100], pa.int8()), add=False).tolist() == [0, -1]
    assert found.encode(pa.array(["x", "7.5"]), add=False).tolist() == [-1, -1]
    assert found.encode(pa.array([7.5])).tolist() == [4]
    assert found.encode(pa.array(["7.5", "7"]).dictionary_encode()).tolist() == [4, 0]
    assert found.texts == ["7", "9", "8", "007", "7.5"]


def test_codes_follow_the_order_of_ids():
    numbers, texts = Ids(), Ids()
    for number in (30, 4, 100):
        numbers.encode(pa.array([number]))
    texts.encode(pa.array(["30", "4", "b", "100"]))
    assert numbers.sort().tolist() == [1, 0, 2]
    assert numbers.encode(pa.array([4, 30, 100])).tolist() == [0, 1, 2]
    assert texts.sort()[texts.n - 2] == 3
    assert texts.values() == ["100", "30", "4", "b"]


MISTAKES = [
    ({"run": {1: {20: 1.0, 30: np.nan}}}, "run, row 2: found no score|found the score nan"),
    ({"run": pd.DataFrame({"user": [1, 1], "item": [20, 30], "rank": [1, 1]})}, "two items at place 1 of the user 1"),
    ({"run": pd.DataFrame({"user": [1, 1], "item": [20, 20], "rank": [1, 2]})}, "the item 20 twice for the user 1"),
    ({"run": {1: [20, 20]}}, "the item 20 twice for the user 1"),
    ({"run": pd.DataFrame({"user": [1, 1], "item": [20, 30], "rank": [0, 1]})}, "found the rank 0 in column 'rank'"),
    ({"run": pd.DataFrame({"user": [1], "item": [20], "rank": [1.5]})}, "found the rank 1.5"),
    (
        {"run": pd.DataFrame({"user": [1, 1], "item": [20, 30], "rank": [1, 2], "score": [0.1, 0.2]})},
        "ranks and scores of the user 1 disagree: the item 30 at place 2 has a higher score",
    ),
    ({"run": {77: [20]}}, "run and test have no user in common, such as '77' and '1'"),
    (
        {"run": {"01": [20]}},
        "no user in common, but '01' there and '1' here would match if they were written in the same way",
    ),
    ({"run": {1: [77]}}, "run and test have no item in common, such as '77' and '"),
    ({"run": {1: ["020"]}}, "no item in common, but '020' there and '20' here would match"),
    ({"run": {}}, "no user in common, since it has no rows"),
    ({"run": pd.DataFrame({"usr": [1], "item": [2]})}, "column of user: unknown column 'user', did you mean 'usr'?"),
    ({"run": pd.DataFrame({"a": [1], "item": [2]})}, "unknown column 'user'; expected one of: a, item"),
    ({"run": pd.DataFrame({"user": [1], "item": [2]})}, r"neither rank nor score \(columns found: user, item\)"),
    (
        {"columns": {"item": "itme"}, "run": LIST_FRAME, "test": TEST_FRAME},
        "columns, item: unknown column 'itme', did you mean 'item'?",
    ),
    ({"columns": {"usr": "a"}}, "columns is {'usr': 'a'}, expected names of columns by user, item"),
    ({"metrics": "ndcg"}, "metric 'ndcg' cannot be read, expected ndcg@10 or ndcg@all"),
    ({"metrics": []}, "metrics is empty"),
    ({"metrics": "auc"}, "metric 'auc' needs the number of candidates"),
    ({"metrics": "recovery"}, "metric 'recovery' needs the number of candidates"),
    ({"metrics": "precision@all"}, "metric 'precision@all' needs the number of candidates"),
    ({"test": {}}, "test has no rows"),
    (
        {"test": pd.DataFrame({"user": [1, 1], "item": [20, 20]})},
        "the item 20 twice for the user 1, expected each pair",
    ),
    ({"test": {1: {20: 1, 30: 10}}}, "ratings of test go from 1 to 10, and only a scale from 1 to 5 has a default"),
    ({"test": {1: {20: 0.5, 30: 5}}}, "ratings of test go from 0.5 to 5"),
    ({"relevant_from": 6}, "relevant_from is 6, and the ratings of test go from 1 to 5"),
    ({"test": {1: [20]}, "relevant_from": 4}, "relevant_from is 4, but test has no column of ratings"),
    ({"train": {1: [20, 10]}}, "test and train both have the item 20 of the user 1, and 1 such pair"),
    ({"items": 3}, "items is 3, but test, training and lists have 4 different items"),
    ({"items": 0}, "items is 0, expected the number of items"),
    ({"items": [20, 30, 50]}, "1 of 4 items of test and train, such as 10, are not among the 3 ids in items"),
    ({"items": 2.5}, "items is 2.5, expected a number, ids, or a file of ids"),
    ({"unknown": "error", "items": [10, 20, 30, 50]}, r"1 of 5 rows of run \(20 %\) have an item that is not in the"),
    ({"unknown": "drop"}, "unknown is 'drop', expected one of: miss, error"),
    ({"ties": "fair"}, "ties is 'fair', expected one of"),
    ({"undefined_users": "keep"}, "undefined_users is 'keep'"),
    ({"confidence": 95}, "confidence is 95, expected more than 0"),
    ({"run": [1, 2]}, "run is of type list, expected a path, a data frame"),
    ({"run": {1: 20}}, r"run\[1\] is of type int, expected a dictionary or a list of items"),
    ({"run": {1: [20], 2: {20: 1}}}, "run has dictionaries and lists"),
    ({"run": "nowhere.csv"}, "nowhere.csv does not exist"),
    ({"run": "nowhere.parquet"}, "nowhere.parquet does not exist"),
    ({"run": pd.DataFrame({"user": [1, None], "item": [2, 3], "rank": [1, 2]})}, "run, row 2: found no user"),
    ({"run": pd.DataFrame({"user": [1], "item": [2], "rank": ["x"]})}, "the column of rank cannot be read as numbers"),
]


@for_each(("changed", "sentence"), MISTAKES)
def test_mistakes_are_told_in_one_sentence(tmp_path, monkeypatch, changed, sentence):
    monkeypatch.chdir(tmp_path)
    lists = {1: [10, 20, 30], 2: [60, 10]}
    arguments = {"run": lists, "test": TEST, "metrics": METRICS} | changed
    with pytest.raises(tr.UserError, match=sentence) as told:
        tr.evaluate(**arguments)
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 400


@for_each(
    ("content", "sentence"),
    [
        ("user,item,rank\n1,10,1\n1,20,0\n", "line 3: found the rank '0', expected a whole number from 1 on"),
        ("user,item,rank\n1,10,1\n1,20,x\n", "line 3: found the rank 'x'"),
        ("user,item,rank\n1,10,1\n1,,2\n", "line 3: found an empty item id"),
        ("user,item,rank\n1,10,1\n1,20\n", "line 3: found 2 fields, expected 3"),
        ("user,item,rank\n1,20,1\n1,10,2\n1,20,3\n", "lines 2 and 4: found the item 20 twice for the user 1"),
        ("user,item,score\n1,20,inf\n", "found the score 'inf', expected a finite number"),
        ("user,item,rank\n", "no rows"),
        ("", "is empty"),
        ("a,b,c\n1,2,3\n", "column of user: unknown column 'user'; expected one of: a, b, c"),
    ],
)
def test_mistakes_in_text_name_the_line(tmp_path, content, sentence):
    path = written(tmp_path, "run.csv", content)
    with pytest.raises(tr.UserError) as told:
        tr.evaluate(path, TEST, METRICS)
    assert sentence in str(told.value)
    assert str(told.value).startswith(str(path))


def test_a_user_who_is_in_json_twice(tmp_path):
    """Two lists of a user are a mistake; two objects are joined, and a pair that both have is told."""
    lists = written(tmp_path, "lists.json", '{"1": [20], "2": [10], "1": [30]}')
    with pytest.raises(tr.UserError, match=r"lists.json: found the user '1' twice, expected one list for each"):
        tr.evaluate(lists, TEST, METRICS)
    scores = written(tmp_path, "scores.json", '{"1": {"20": 2}, "2": {"10": 1}, "1": {"30": 3}}')
    expected = tr.evaluate({1: [30, 20], 2: [10]}, TEST, METRICS).per_user
    pd.testing.assert_frame_equal(tr.evaluate(scores, TEST, METRICS).per_user, expected)
    scores = written(tmp_path, "again.json", '{"1": {"20": 2}, "1": {"20": 3}}')
    with pytest.raises(tr.UserError, match="the item 20 twice for the user 1"):
        tr.evaluate(scores, TEST, METRICS)


def test_parquet_that_is_none_and_json_that_is_none(tmp_path):
    for name in ("run.parquet", "run.json", "run.jsonl"):
        with pytest.raises(tr.UserError, match=r"is not (a )?valid"):
            tr.evaluate(written(tmp_path, name, "what\n"), TEST, METRICS)


def test_a_file_of_items(tmp_path):
    path = written(tmp_path, "items.txt", "10\n20\n30\n40\n50\n60\n")
    by_file = tr.evaluate(LISTS, TEST, ["auc", "recovery"], items=path)
    by_ids = tr.evaluate(LISTS, TEST, ["auc", "recovery"], items=np.arange(10, 61, 10))
    by_number = tr.evaluate(LISTS, TEST, ["auc", "recovery"], items=6)
    pd.testing.assert_frame_equal(by_file.per_user, by_ids.per_user)
    pd.testing.assert_frame_equal(by_file.per_user, by_number.per_user)
