"""What the stage writes, and every bad input: one sentence with file, place, found, expected; nothing written."""

import contextlib
import gzip
import io
import json
import os
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from truerank.errors import UserError
from truerank.stages.fetch_dataset import fetch_dataset

from tests.support import run_stage

COLUMNS = {"user": "user", "item": "item", "rating": "rating", "timestamp": "time"}
GOOD = "user,item,rating,time\nann,10,4,7\nbob,9,1,8\nann,9,5,\n"
OUTPUTS = ("interactions.parquet", "users.parquet", "items.parquet", "summary.json")
SHARED = Path(os.environ.get("TRUERANK_SHARED_DATA", Path(__file__).parents[4] / "shared" / "data"))
shared_data = pytest.mark.skipif(not SHARED.is_dir(), reason=f"the shared data is not there: {SHARED}")


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fetch(settings, folder="out", seed=1):
    """Run the stage and return its outputs' paths."""
    paths = [Path(folder) / name for name in OUTPUTS]
    outputs = dict(zip(("interactions", "user_table", "item_table", "facts"), paths, strict=True))
    run_stage(fetch_dataset, {}, outputs, ("mine",), dataset=settings, seed=seed)
    return paths


def fetch_file(data, name="r.csv", **settings):
    Path(name).write_bytes(data.encode() if isinstance(data, str) else data)
    return fetch({"source": "file", "path": name, "columns": COLUMNS} | settings)


def fetch_pair(train, test, columns=COLUMNS, **settings):
    Path("train.csv").write_text(train)
    Path("test.csv").write_text(test)
    return fetch({"source": "files", "train": "train.csv", "test": "test.csv", "columns": columns} | settings)


def refused(*parts, of, **settings):
    """Assert that fetching fails with one sentence that holds all ``parts``, and that nothing was written."""
    with pytest.raises(UserError) as failure:
        of(**settings)
    sentence = str(failure.value)
    assert "\n" not in sentence
    for part in parts:
        assert part in sentence, sentence
    assert not Path("out").exists() or not any(Path("out").iterdir())


def test_tables_and_summary_of_a_small_file(work):
    interactions, users, items, summary = fetch_file(GOOD, scale=[1, 5])
    table = pq.read_table(interactions)
    types = {"user": pa.int32(), "item": pa.int32(), "rating": pa.float32(), "timestamp": pa.int64()}
    assert dict(zip(table.schema.names, table.schema.types, strict=True)) == types
    assert table.to_pydict() == {
        "user": [0, 0, 1],
        "item": [0, 1, 0],
        "rating": [5, 4, 1],
        "timestamp": [None, 7, 8],
    }
    assert pq.read_table(users).to_pydict() == {"code": [0, 1], "id": ["ann", "bob"]}
    assert pq.read_table(items).to_pydict() == {"code": [0, 1], "id": ["9", "10"]}
    assert pq.read_schema(items).field("code").type == pa.int32()
    content = json.loads(summary.read_text())
    assert content["name"] == "mine"
    assert content["source"] == "file"
    assert content["origin"] == "r.csv"
    assert (content["users"], content["items"], content["interactions"]) == (2, 2, 3)
    assert content["rating_scale"] == [1, 5]
    assert content["rating_histogram"] == {"1": 1, "4": 1, "5": 1}
    assert content["users_with_one_interaction"] == 1
    assert content["timestamp_range"] == [7, 8]
    assert content["implicit"] is False
    assert len(content["checksum"]) == 64


def test_absent_columns_are_null_columns(work):
    interactions, *_, summary = fetch_file("user,item\na,1\n", columns={"user": "user", "item": "item"})
    assert pq.read_table(interactions).to_pylist() == [{"user": 0, "item": 0, "rating": None, "timestamp": None}]
    content = json.loads(summary.read_text())
    assert content["implicit"] is True
    assert content["rating_scale"] is content["timestamp_range"] is None


def test_same_bytes_again_and_in_any_order_of_rows(work):
    header, *lines = GOOD.splitlines()
    first = [path.read_bytes() for path in fetch_file(GOOD)]
    assert first == [path.read_bytes() for path in fetch_file("\n".join([header, *reversed(lines)]))]


def test_synthetic_data_follow_the_seed_and_the_name(work):
    settings = {"source": "synthetic", "users": 20, "items": 20, "interactions": 100}
    checksums = [json.loads(fetch(settings, "out", seed)[3].read_text())["checksum"] for seed in (1, 1, 2)]
    assert checksums[0] == checksums[1] != checksums[2]


def test_threshold_core_and_duplicates_are_counted(work):
    data = "user,item,rating,time\na,1,5,1\na,1,1,2\na,2,4,3\nb,1,4,4\nb,2,5,5\nb,3,5,6\nc,1,2,7\n"
    interactions, users, items, summary = fetch_file(data, duplicates="max", implicit_threshold=4, core=2)
    content = json.loads(summary.read_text())
    assert (content["duplicate_policy"], content["duplicates_removed"]) == ("max", 1)
    assert content["rows_below_threshold"] == 1
    assert content["rows_outside_core"] == 1
    assert content["implicit"] is True
    assert pq.read_table(users)["id"].to_pylist() == ["a", "b"]
    assert pq.read_table(items)["id"].to_pylist() == ["1", "2"]
    assert pq.read_table(interactions)["timestamp"].to_pylist() == [2, 3, 4, 5]


def test_given_parts_may_differ_in_their_columns(work):
    columns = {"user": "user", "item": "item", "rating": "rating"}
    interactions, *_, summary = fetch_pair("user,item\na,1\nb,1\n", "item,user,rating\n2,a,4\n", columns)
    table = pq.read_table(interactions)
    assert table.to_pydict() == {
        "user": [0, 0, 1],
        "item": [0, 1, 0],
        "rating": [None, 4, None],
        "timestamp": [None] * 3,
        "part": ["train", "test", "train"],
    }
    assert json.loads(summary.read_text())["ratings"] == 1


@pytest.mark.slow
@shared_data
@pytest.mark.parametrize(("folder", "ratings"), [("ml-1m-leave-one-out", 6_040), ("ml-1m-holdout", 197_656)])
def test_published_splits_of_movielens_1m(work, folder, ratings):
    paths = {part: str(SHARED / folder / f"{part}.csv.gz") for part in ("train", "test")}
    columns = {"user": "user", "item": "item", "rating": "rating"}
    interactions, users, items, summary = fetch({"source": "files", "columns": columns, "scale": [1, 5]} | paths)
    content = json.loads(summary.read_text())
    assert (content["users"], content["items"], content["interactions"]) == (6_040, 3_706, 1_000_209)
    assert content["ratings"] == ratings
    frame = pd.read_parquet(interactions)
    assert (frame["part"] == "test").sum() == ratings
    assert frame.loc[frame["part"] == "test", "rating"].between(1, 5).all()
    given = pd.read_csv(paths["test"]).sort_values(["user", "item"])
    ids = pd.read_parquet(users)["id"].to_numpy(), pd.read_parquet(items)["id"].to_numpy()
    ours = frame[frame["part"] == "test"]
    np.testing.assert_array_equal(ids[0][ours["user"]].astype(int), given["user"])
    np.testing.assert_array_equal(ids[1][ours["item"]].astype(int), given["item"])


BOOKS = {"path": str(SHARED / "book-crossing/BX-Book-Ratings.csv.gz")}
BOOKS["columns"] = {"user": "User-ID", "item": "ISBN", "rating": "Book-Rating"}
CLOTHES = {"path": str(SHARED / "renttherunway/ratings.csv.gz")}
CLOTHES["columns"] = {"user": "user_id", "item": "item_id", "rating": "rating", "timestamp": "review_date"}


@pytest.mark.slow
@shared_data
def test_real_files_are_read_with_nothing_but_the_names_of_their_columns(work):
    books = json.loads(fetch({"source": "file"} | BOOKS)[3].read_text())
    assert (books["interactions"], books["file_format"], books["file_encoding"]) == (1_149_780, "semicolon", "latin-1")
    assert books["likely_missing_rating"].startswith("716,109 of 1,149,780 ratings are 0")
    clothes = json.loads(fetch({"source": "file"} | CLOTHES)[3].read_text())
    assert (clothes["users"], clothes["items"], clothes["timestamp_unit"]) == (105_508, 5_850, "iso8601")
    assert (clothes["rows_without_rating"], clothes["duplicates_removed"]) == (82, 264)
    assert "likely_missing_rating" not in clothes


@pytest.mark.slow
@shared_data
@pytest.mark.parametrize(
    ("source", "same", "rows"),
    [
        ("ml-1m", None, 1_000_209),
        ("book-crossing", BOOKS | {"missing_rating": 0}, 433_671),
        ("renttherunway", CLOTHES, 192_198),
    ],
)
def test_real_files_that_were_unpacked_are_found_and_are_what_the_source_file_reads(
    work, monkeypatch, source, same, rows
):
    monkeypatch.setenv("TRUERANK_DATA", str(SHARED))
    found = json.loads(fetch({"source": source})[3].read_text())
    assert found["interactions"] == rows
    if same is not None:
        assert json.loads(fetch({"source": "file"} | same)[3].read_text())["checksum"] == found["checksum"]


def packed(data):
    """Compress without a time stamp, so that every test process collects the same parameters."""
    return gzip.compress(data, mtime=0)


HEADER = "user,item,rating,time\n"
BAD_ROWS = {
    "text in a numeric column": ("a,1,good,5", "found rating 'good' in column 'rating', expected a number"),
    "not a number": ("a,1,NaN,5", "found rating 'NaN'", "expected a finite number"),
    "infinite": ("a,1,inf,5", "found rating 'inf'", "expected a finite number"),
    "too large": ("a,1,1e39,5", "found rating '1e39'", "expected a finite number"),
    "out of scale": ("a,1,6,5", "found rating '6'", "expected 1 to 5"),
    "below scale": ("a,1,0.5,5", "found rating '0.5'", "expected 1 to 5"),
    "empty rating": ("a,1,,5", "found rating ''", "empty cell, expected a number"),
    "time before all ages": (
        "a,1,4,-62135596801",
        "found timestamp '-62135596801' in column 'time'",
        "years 1 to 9999",
    ),
    "fractional time": ("a,1,4,5.5", "found timestamp '5.5'", "expected s, ms, us or ns since 1970"),
    "time that is a date": ("a,1,4,2001-02-03", "found timestamp '2001-02-03'", "expected a number of any unit as '5'"),
    "time that is none": ("a,1,4,noon", "found timestamp 'noon'", "a date such as 2016-04-20"),
    "time past all ages": ("a,1,4,99999999999999999999", "found timestamp '99999999999999999999'"),
    "empty user": (",1,4,5", "found an empty user id in column 'user'"),
    "blank item": ("a, ,4,5", "found an empty item id in column 'item'"),
    "too few fields": ("a,1,4", "found 3 fields, expected 4"),
    "too many fields": ("a,1,4,5,6", "found 5 fields, expected 4"),
    "one field": ("a", "found 1 field, expected 4"),
}


@pytest.mark.parametrize(("row", "parts"), [(row, parts) for row, *parts in BAD_ROWS.values()], ids=BAD_ROWS)
def test_bad_row(work, row, parts):
    data = f'{HEADER}x,1,3,5\n\n"x",2,3,5\n{row}\nx,3,3,5\n'
    refused("r.csv, line 5: ", *parts, "correct or delete the row", of=fetch_file, data=data, scale=[1, 5])


def test_bad_row_after_a_field_of_two_lines_and_crlf(work):
    data = 'user,item,rating,time\r\n"a\r\nb",1,3,5\r\na,2,bad,5\r\n'
    refused("r.csv, line 4", "'bad'", of=fetch_file, data=data)


def test_bad_row_without_header_and_with_double_colons(work):
    columns = {"user": 0, "item": 1, "rating": 2}
    refused(
        "r.dat, line 2",
        "rating 'x' in column 2",
        of=fetch_file,
        data="1::2::3\n1::3::x\n",
        name="r.dat",
        columns=columns,
        header=False,
    )


def test_bad_row_of_a_parquet_file(work):
    frame = pd.DataFrame({"user": ["a", "b"], "item": [1, 2], "rating": [4.0, float("inf")], "time": [1, 2]})
    refused("r.parquet, row 2", "found rating 'inf'", of=fetch_file, data=frame.to_parquet(), name="r.parquet")
    frame["rating"] = ["4", "good"]
    refused("r.parquet, row 2", "found rating 'good'", of=fetch_file, data=frame.to_parquet(), name="r.parquet")
    frame["rating"], frame["user"] = [4, 5], ["a", None]
    refused("r.parquet, row 2", "empty user id", of=fetch_file, data=frame.to_parquet(), name="r.parquet")


@pytest.mark.parametrize(
    ("data", "name", "settings", "parts"),
    [
        (b"", "r.csv", {}, ["r.csv is empty", "expected one row per interaction"]),
        (b"\n\n", "r.csv", {}, ["r.csv", "no rows"]),
        (HEADER, "r.csv", {}, ["r.csv: found a header (user, item, rating, time) and no rows"]),
        (packed(b""), "r.csv.gz", {}, ["r.csv.gz is empty"]),
        (packed(GOOD.encode() * 99)[:-30], "r.csv.gz", {}, ["r.csv.gz is cut off", "gzip stream"]),
        (GOOD, "r.csv.gz", {}, ["r.csv.gz is named .gz but is not a valid gzip file"]),
        (
            packed(GOOD.encode())[:10] + b"\xff" * 40,
            "r.csv.gz",
            {},
            ["r.csv.gz cannot be decompressed"],
        ),
        (GOOD, "r.zip", {}, ["r.zip is not a valid zip archive"]),
        (GOOD, "r.parquet", {}, ["r.parquet is not a valid Parquet file"]),
        (GOOD, "r.csv", {"member": "a"}, ["r.csv is not a .zip archive", "`member`"]),
        (
            GOOD.replace("ann", "é").encode("latin-1"),
            "r.csv",
            {"encoding": "utf-8"},  # which was said; without it, latin-1 is found
            ["r.csv, line 2", "byte 0xe9", "`encoding`"],
        ),
        (
            GOOD.replace("bob", "é").encode(),
            "r.csv",
            {"encoding": "ascii"},
            ["r.csv, line 3", "byte 0xc3", "ascii"],
        ),
        (
            GOOD.replace("ann", "çé").encode().replace(b"bob", b"b\xffb"),
            "r.csv",
            {},  # UTF-8 that was damaged, not latin-1
            ["r.csv, line 3", "byte 0xff", "`encoding`"],
        ),
        (GOOD, "r.csv", {"encoding": "utf-9"}, ["r.csv", "`encoding: utf-9`"]),
        (GOOD, "r.csv", {"scale": [5, 1]}, ["datasets.mine.scale is [5, 1]"]),
        (
            GOOD,
            "r.csv",
            {"implicit_threshold": 9},
            ["datasets.mine.implicit_threshold is 9", "highest rating", "5"],
        ),
        (GOOD, "r.csv", {"core": 3}, ["datasets.mine.core is 3", "no row of r.csv"]),
        (
            GOOD.replace(",time", ",item"),
            "r.csv",
            {"columns": {"user": "user", "item": "item"}},
            ["two columns 'item'"],
        ),
        (
            GOOD,
            "r.csv",
            {"columns": {"user": "user", "item": "user"}},
            ["columns.user and columns.item are one column"],
        ),
        (
            GOOD,
            "r.csv",
            {"columns": {"user": "user", "item": "item"}, "implicit_threshold": 3},
            ["datasets.mine.implicit_threshold needs ratings", "columns.rating"],
        ),
        (
            GOOD.replace("rating", "raitng"),
            "r.csv",
            {},
            ["r.csv, columns.rating", "'rating', did you mean 'raitng'?", "user, item, raitng, time"],
        ),
        (
            GOOD.replace("rating", "x"),
            "r.csv",
            {},
            ["columns.rating", "unknown column 'rating'", "user, item, x, time"],
        ),
        (GOOD, "r.csv", {"header": False}, ["unknown column 'user'", "0, 1, 2, 3", "`header`"]),
        (
            GOOD + "ann,10,3,1\n",
            "r.csv",
            {},
            ["r.csv, lines 2 and 5", "user 'ann', item '10'", "datasets.mine.duplicates"],
        ),
        (GOOD + '"x,9,1,1\n', "r.csv", {}, ["r.csv, line 5", "found 1 field"]),
        (GOOD.replace("\n", "\r"), "r.csv", {}, ["r.csv, line 1", "cannot be parsed"]),
    ],
)
def test_bad_file(work, data, name, settings, parts):
    refused(*parts, of=fetch_file, data=data, name=name, **settings)


def test_bad_paths(work):
    settings = {"source": "file", "path": "none.csv", "columns": COLUMNS}
    refused("none.csv does not exist", "correct the path", of=fetch, settings=settings)
    Path("folder").mkdir()
    refused("folder is a folder without a Parquet file", of=fetch, settings=settings | {"path": "folder"})


def test_zip_with_several_files(work):
    with zipfile.ZipFile("r.zip", "w") as archive:
        archive.writestr("a.csv", GOOD)
        archive.writestr("b.csv", GOOD)
    settings = {"source": "file", "path": "r.zip", "columns": COLUMNS}
    refused("r.zip holds 2 files (a.csv, b.csv)", "set `member`", of=fetch, settings=settings)
    refused("r.zip", "'a.cvs', did you mean 'a.csv'?", of=fetch, settings=settings | {"member": "a.cvs"})
    fetch(settings | {"member": "a.csv"})


def test_zip_with_a_damaged_member(work):
    with zipfile.ZipFile("r.zip", "w") as archive:
        archive.writestr("a.csv", GOOD)
    damaged = Path("r.zip").read_bytes().replace(b"ann", b"axn", 1)
    refused("r.zip is not a valid zip archive", "CRC", of=fetch_file, data=damaged, name="r.zip")


GIVEN = HEADER + "ann,1,3,1\nbob,1,3,1\nbob,2,3,1\n"


@pytest.mark.parametrize(
    ("test", "parts"),
    [
        (
            HEADER + "ann,2,3,5\nbob,2,4,5\n",
            ["test.csv, line 3", "user 'bob', item '2'", "train.csv, line 4"],
        ),
        (HEADER + "ann,2,3,5\neve,2,4,5\n", ["test.csv, line 3", "test user 'eve'", "train.csv"]),
        (HEADER + "ann,2,x,5\n", ["test.csv, line 2", "found rating 'x'"]),
        (HEADER + "ann,2,3,5\nann,2,4,5\n", ["test.csv, lines 2 and 3", "user 'ann', item '2'"]),
        ("user,itm,rating,time\nann,2,3,5\n", ["test.csv, columns.item", "did you mean 'itm'?"]),
        (HEADER, ["test.csv", "no rows"]),
    ],
)
def test_bad_given_pair(work, test, parts):
    refused(*parts, of=fetch_pair, train=GIVEN, test=test)


def test_test_users_whom_training_lacks_are_dropped_and_counted_if_the_config_says_so(work):
    test = HEADER + "ann,2,3,5\neve,2,4,5\neve,3,4,5\nzoe,9,4,5\n"
    refused("test.csv, line 3", "'eve'", "datasets.mine.cold_users to drop", of=fetch_pair, train=GIVEN, test=test)
    interactions, users, items, summary = fetch_pair(GIVEN, test, cold_users="drop")
    content = json.loads(summary.read_text())
    assert (content["cold_test_users_dropped"], content["cold_test_rows_dropped"]) == (2, 3)
    assert pq.read_table(users)["id"].to_pylist() == ["ann", "bob"]
    assert pq.read_table(items)["id"].to_pylist() == ["1", "2"]
    assert pq.read_table(interactions)["part"].to_pylist() == ["train", "test", "train", "train"]


def test_dropping_every_test_user_is_refused(work):
    told = ["test.csv has no user of train.csv", "`cold_users: drop`"]
    refused(*told, of=fetch_pair, train=GIVEN, test=HEADER + "eve,2,3,5\n", cold_users="drop")


def test_column_that_neither_given_file_has(work):
    columns = COLUMNS | {"rating": "stars"}
    refused(
        "train.csv, columns.rating",
        "'stars'",
        "not in test.csv either",
        of=fetch_pair,
        train=GIVEN,
        test=HEADER + "ann,2,3,5\n",
        columns=columns,
    )


def test_earlier_results_stay_when_a_later_run_fails(work):
    before = {path: path.read_bytes() for path in fetch_file(GOOD)}
    with pytest.raises(UserError):
        fetch_file(GOOD + "ann,11,bad,1\n")
    assert before == {path: path.read_bytes() for path in before}
    assert sorted(path.name for path in Path("out").iterdir()) == sorted(OUTPUTS)


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from(["r.csv", "r.csv.gz", "r.zip", "r.tsv", "r.dat", "r.parquet"]))
def test_no_damage_to_a_file_gives_a_traceback(tmp_path_factory, draw, name):
    """Change, insert or delete a few bytes: the file is read all the same, or there is a sentence about it."""
    folder = tmp_path_factory.mktemp("damaged")
    data = bytearray(INTACT[name])
    for _ in range(draw.draw(st.integers(1, 3))):
        place = draw.draw(st.integers(0, len(data) - 1))
        length = draw.draw(st.integers(0, 3))
        data[place : place + length] = draw.draw(st.binary(max_size=3))
    (folder / name).write_bytes(bytes(data))
    entry = {"source": "file", "path": str(folder / name), "columns": COLUMNS, "scale": [1, 5]}
    with contextlib.suppress(UserError):
        fetch(entry, folder / "out")


def intact():
    """The good file in every format and wrapping."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("r.csv", GOOD)
    frame = pd.read_csv(io.StringIO(GOOD))
    return {
        "r.csv": GOOD.encode(),
        "r.csv.gz": packed(GOOD.encode()),
        "r.zip": buffer.getvalue(),
        "r.tsv": GOOD.replace(",", "\t").encode(),
        "r.dat": GOOD.replace(",", "::").encode(),
        "r.parquet": frame.to_parquet(index=False),
    }


INTACT = intact()
