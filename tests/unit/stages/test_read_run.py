"""Runs of systems outside: every format gives the same rows, and every mistake has one sentence with its line."""

import json
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.artefacts.files import write_table
from truerank.errors import UserError
from truerank.models.run import Run
from truerank.stages.read_run import distinct, read_run

TREC = "ann Q0 10 1 2.5 mine\nann Q0 9 2 2.5 mine\nbob  Q0\t11 1 -1e-3 mine \n"
TABLE = pd.DataFrame(
    {"user": ["ann", "ann", "bob"], "item": [10, 9, 11], "score": [2.5, 2.5, -0.001], "rank": [1, 2, 1]}
)
NESTED = {"ann": {"10": 2.5, "9": 2.5}, "bob": {"11": -0.001}}
ROWS = [(0, 1, 2.5), (0, 0, 2.5), (1, 2, -0.001)]
RANKS = [(0, 1, -1), (0, 0, -2), (1, 2, -1)]


@pytest.fixture
def read(tmp_path):
    """A function from a file's name, content and settings to the rows that are read."""
    for name, ids in (("users", ["ann", "bob", "cleo"]), ("items", ["9", "10", "11", "x y"])):
        write_table(tmp_path / f"{name}.parquet", {"code": np.arange(len(ids)), "id": ids})

    def rows(name, content, **settings):
        path = tmp_path / name
        if isinstance(content, pd.DataFrame):
            content.to_parquet(path)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        run = Run(path=str(path), **settings)
        found = read_run(run, tmp_path / "users.parquet", tmp_path / "items.parquet", ("toy", "holdout", "theirs"))
        return list(zip(*(column.tolist() for column in found), strict=True))

    return rows


def close(found, expected):
    return [row[:2] for row in found] == [row[:2] for row in expected] and np.allclose(
        [row[2] for row in found], [row[2] for row in expected]
    )


@pytest.mark.parametrize(
    ("name", "content", "settings", "expected"),
    [
        ("run.txt", TREC, {}, ROWS),
        ("run.trec", TREC.replace("\n", "\r\n"), {}, ROWS),
        ("anything", TREC.replace(" mine", " my run"), {"format": "trec"}, ROWS),
        ("run.csv", TABLE.to_csv(index=False), {}, ROWS),
        ("run.csv", TABLE.drop(columns="score").to_csv(index=False), {}, RANKS),
        ("run.csv", TABLE.to_csv(index=False), {"columns": {"user": "user", "item": "item", "rank": "rank"}}, RANKS),
        ("run.tsv", TABLE.to_csv(index=False, sep="\t"), {}, ROWS),
        (
            "run.csv",
            TABLE.to_csv(index=False, header=False),
            {"header": False, "columns": {"user": 0, "item": 1, "score": 2}},
            ROWS,
        ),
        ("run.parquet", TABLE, {}, ROWS),
        ("run.csv", TABLE.rename(columns="{}_id".format).rename(columns={"score_id": "score"}).to_csv(), {}, ROWS),
        ("run.pq", TABLE.rename(columns={"user": "q_id", "item": "doc_id"}), {}, ROWS),
        ("run.json", json.dumps(NESTED), {}, ROWS),
        ("run.pq", TABLE.rename(columns={"user": "u"}), {"columns": {"user": "u", "item": "item"}}, ROWS),
    ],
    ids=[
        *("trec", "crlf", "tag of two words", "csv", "ranks", "ranks chosen", "tsv", "no header", "parquet"),
        *("LensKit", "ranx Parquet", "ranx JSON", "names"),
    ],
)
def test_every_format_gives_the_rows(read, name, content, settings, expected):
    assert close(read(name, content, **settings), expected)


@pytest.mark.parametrize(("name", "content"), [("a.run", TREC), ("a.json", json.dumps(NESTED))])
def test_columns_that_are_known_are_not_to_be_named(read, name, content):
    with pytest.raises(UserError, match=rf"models.theirs.columns is given, but those of .*{name} .* are known; leave"):
        read(name, content, columns={"user": "user", "item": "item"})


HEAD, RANKED = "user,item,score\n", "user,item,rank\n"
WRONG_ROWS = {  # after the header, the place that is told, what is told of it
    "unknown user": ("ann,9,1\ndora,9,1\n", "line 3", "found the user 'dora', which toy does not have"),
    "unknown item": ("ann,77,1\n", "line 2", "found the item '77', which toy does not have"),
    "twice": ("ann,9,1\nbob,9,3\nann,9,2\n", "lines 2 and 4", "found the item '9' twice for the user 'ann'"),
    "not a number": ("ann,9,1\nann,10,high\n", "line 3", "found the score 'high', expected a finite number"),
    "nan": ("ann,9,nan\n", "line 2", "found the score 'nan', expected a finite number"),
    "infinite": ("ann,9,1\nann,10,1e99\n", "line 3", "found the score '1e99', expected a finite number"),
    "empty score": ("ann,9,\n", "line 2", "found the score '', expected a finite number"),
    "no user": (",9,1\n", "line 2", "found an empty user id, expected text"),
    "no item": ("ann, ,1\n", "line 2", "found an empty item id, expected text"),
    "fields": ("ann,9,1,2\n", "line 2", "found 4 fields, expected 3 as in the first row"),
}
WRONG_FILES = {
    "trec fields": ("a.run", TREC + "ann Q0 9\n", {}, "a.run, line 4: found 3 fields, expected 6"),
    "trec nan": ("a.run", "ann Q0 9 1 nan me\n", {}, "a.run, line 1: found the score 'nan', expected a finite"),
    "trec rank": ("a.run", TREC + "ann Q0 my film 2.5 me\n", {}, "line 4: found the rank 'film', expected a whole"),
    "trec half rank": ("a.run", "ann Q0 9 1.5 2 me\n", {}, "line 1: found the rank '1.5', expected a whole number;"),
    "rank 0": (
        "a.csv",
        RANKED + "ann,9,1\nann,10,0\n",
        {},
        "line 3: found the rank '0', expected a whole number from 1",
    ),
    "rank below 0": ("a.csv", RANKED + "ann,9,-3\n", {}, "line 2: found the rank '-3', expected a whole number from 1"),
    "half rank": ("a.csv", RANKED + "ann,9,1.5\n", {}, "line 2: found the rank '1.5', expected a whole number from 1"),
    "rank 0 of a table": ("a.parquet", TABLE[["user", "item"]].assign(rank=[1, 2, 0]), {}, "row 3: found the rank '0'"),
    "columns": ("a.csv", "user,thing,score\nann,9,1\n", {}, "columns.item: unknown column 'item'"),
    "no value": ("a.csv", "user,item\nann,9\n", {}, "columns.score: unknown column 'score'"),
    "both values": (
        *("a.csv", TABLE.to_csv(index=False), {"columns": dict(zip(TABLE, TABLE, strict=True))}),
        "`columns` names both score and rank, expected one of them",
    ),
    "empty": ("a.csv", "", {}, "a.csv is empty, expected one row per recommended item"),
    "only a header": ("a.csv", HEAD, {}, "found a header (user, item, score) and no rows"),
    "nobody known": ("a.csv", HEAD + "zoe,9,1\n", {}, "has no row whose user and item toy has"),
    "null": ("a.parquet", TABLE.assign(score=[1.0, None, 2.0]), {}, "a.parquet, row 2: found the score '"),
    "json": ("a.json", '{"ann": {"9": 1, "10": "x"}}', {}, "a.json, entry 2: found the score 'x', expected a finite"),
    "no parquet": ("a.parquet", HEAD, {}, "a.parquet is not a valid Parquet file"),
}


@pytest.mark.parametrize(("rows", "place", "sentence"), WRONG_ROWS.values(), ids=list(WRONG_ROWS))
def test_a_wrong_row_is_told_with_its_line(read, rows, place, sentence):
    with pytest.raises(UserError) as told:
        read("a.csv", HEAD + rows, unknown="error")
    assert f"a.csv, {place}: {sentence}" in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(("name", "content", "settings", "sentence"), WRONG_FILES.values(), ids=list(WRONG_FILES))
def test_a_wrong_file_is_told_in_one_sentence(read, name, content, settings, sentence):
    with pytest.raises(UserError) as told:
        read(name, content, **settings)
    assert sentence in str(told.value)
    assert "\n" not in str(told.value)


def test_unknown_ids_are_numbered_on_by_their_order_and_told(read, caplog):
    content = "user,item,score\ndora,9,1\nann,9,2\nann,b,3\nbob,a,4\n"
    caplog.set_level("INFO")
    assert read("a.csv", content) == [(3, 0, 1.0), (0, 0, 2.0), (0, 5, 3.0), (1, 4, 4.0)]
    assert "4 rows, of which 1 have a user who is unknown and are left out" in caplog.text
    assert "2 of the other rows (66.7 %) have an item that is unknown: it keeps its position as a miss" in caplog.text


def test_an_unknown_item_is_listed_once_like_any_other(read):
    with pytest.raises(UserError, match=r"lines 3 and 4: found the item 'b' twice for the user 'ann'"):
        read("a.csv", HEAD + "ann,9,2\nann,b,3\nann,b,1\n")


def test_scores_of_known_and_unknown_items_stay_in_order(read):
    rows = read("a.csv", HEAD + "ann,9,1000000000.2\nann,b,1000000000.1\nann,11,1000000000.2\n")
    assert rows[0][2] == rows[2][2] > rows[1][2]


def test_scores_that_float32_cannot_tell_apart_stay_in_order(read):
    content = "user,item,score\nann,9,1000000000.2\nann,10,1000000000.1\nann,11,1000000000.2\n"
    (_, _, first), (_, _, last), (_, _, twin) = read("a.csv", content)
    assert first == twin > last


def test_ranks_of_a_trec_run_may_begin_at_any_number(read):
    assert close(read("run.txt", TREC.replace(" 1 ", " 0 ").replace(" 2 ", " -1 ")), ROWS)


def test_whole_ranks_written_with_a_point_are_ranks(read):
    assert close(read("run.csv", "user,item,rank\nann,10,1.0\nann,9,2.0\nbob,11,1.0\n"), RANKS)


def slow_distinct(user, score):
    """Go down each user's list: never above the one before, and below it where the exact score is."""
    found = score.astype(np.float32)
    for own in np.unique(user):
        rows = np.flatnonzero(user == own)
        rows = rows[np.argsort(-score[rows], kind="stable")]
        for before, row in pairwise(rows):
            least = np.nextafter(found[before], np.float32(-np.inf)) if score[row] < score[before] else found[before]
            found[row] = min(found[row], least)
    return found


@pytest.mark.parametrize("scale", [1e-45, 1e-40, 1.0, 1e9, 1e38])
def test_scores_are_lowered_as_little_as_can_be(scale):
    rng = np.random.default_rng(1)
    user = rng.integers(0, 5, 400)
    score = scale * (rng.integers(-2, 3, 400) + rng.integers(0, 4, 400) * 1e-9)
    np.testing.assert_array_equal(distinct(user, score), slow_distinct(user, score))


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(-4, 4), st.sampled_from([0.0, 1e-9, 2e-9, 1e-3])),
        min_size=1,
        max_size=30,
    )
)
def test_order_and_ties_are_those_of_the_exact_scores(rows):
    user, whole, part = (np.array(column) for column in zip(*rows, strict=True))
    score = whole + part
    found = distinct(user, score)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, score, atol=1e-5)
    same = user[:, None] == user
    assert ((found[:, None] > found) == (score[:, None] > score))[same].all()
    assert ((found[:, None] == found) == (score[:, None] == score))[same].all()
