"""Files that are right, in every format and wrapping, give the same interactions."""

import gzip
import io
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.datasets._core.interactions import NO_TIME
from truerank.datasets._core.reading import Layout
from truerank.datasets._core.reading.delimited import between_blanks
from truerank.datasets._core.reading.table import TableFile
from truerank.errors import UserError

from tests.support import for_each

NAMED = {"user": "u", "item": "i", "rating": "r", "timestamp": "t"}
NUMBERED = {"user": 0, "item": 1, "rating": 2, "timestamp": 3}
ROWS = [("ann", "10", 4.5, 7), ("bob", "9", 1.0, 8), ("ann", "9", 3.0, None)]


def body(separator, header=True, end="\n"):
    lines = [separator.join(NAMED.values())] if header else []
    lines += [separator.join("" if field is None else str(field) for field in row) for row in ROWS]
    return (end.join(lines) + end).encode()


def gzipped(data):
    return gzip.compress(data, mtime=0)  # the same bytes in every test process


def zipped(data, name="ratings.csv"):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, data)
        archive.writestr("__MACOSX/._" + name, b"junk")
    return stream.getvalue()


def parquet():
    frame = pd.DataFrame(ROWS, columns=list(NAMED.values())).astype({"t": "Int64"})
    return frame.to_parquet(index=False)


def table_of(rows):
    """Rows as tuples of ids and values, None where absent."""
    return [
        (
            *rows.pair_ids(row),
            None if np.isnan(rows.rating[row]) else float(rows.rating[row]),
            None if rows.timestamp[row] == NO_TIME else int(rows.timestamp[row]),
        )
        for row in range(len(rows))
    ]


@for_each(
    ("name", "data", "header"),
    [
        ("r.csv", body(","), True),
        ("r.csv", body(",", end="\r\n"), True),
        ("r.csv", b"\xef\xbb\xbf" + body(","), True),
        ("r.csv", body(",").replace(b"\n", b"\n\n"), True),
        ("r.csv", body(",").rstrip(b"\n"), True),
        ("r.csv", body(",").replace(b"u,i", b" u , i"), True),
        ("r.csv", body(",").replace(b"ann", b'"ann"'), True),
        ("r.csv", body(",").replace(b",7\n", b",7.0\n"), True),
        ("r.tsv", body("\t"), True),
        ("r.data", body("\t", header=False), False),
        ("r.dat", body("::", header=False), False),
        ("r.txt", body("::"), True),
        ("r.csv.gz", gzipped(body(",")), True),
        ("r.csv.zip", zipped(body(",")), True),
        ("r.zip", zipped(body("::"), "ratings.dat"), True),
        ("r.parquet", parquet(), True),
        ("r.pq.gz", gzipped(parquet()), True),
    ],
)
def test_every_format_gives_the_same_rows(tmp_path, name, data, header):
    path = tmp_path / name
    path.write_bytes(data)
    rows = TableFile(path, Layout(NAMED if header else NUMBERED, header=header, scale=(1, 5))).read()
    assert table_of(rows) == ROWS


def test_format_can_be_said_and_a_member_named(tmp_path):
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/one.csv", body("\t"))
        archive.writestr("a/two.csv", b"nothing")
    assert table_of(TableFile(path, Layout(NAMED, format="tsv"), member="a/one.csv").read()) == ROWS


def test_quoted_fields_hold_separators_quotes_and_line_breaks(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text('title,u,i\n"a, ""b""\nc",x,"1,5"\n')
    assert table_of(TableFile(path, Layout({"user": "u", "item": "i"})).read()) == [("x", "1,5", None, None)]


def test_encoding_is_decoded_and_ids_stay_text(tmp_path):
    path = tmp_path / "r.csv"
    path.write_bytes("u,i\né,007\nNA,null\n".encode("latin-1"))
    rows = TableFile(path, Layout({"user": "u", "item": "i"}, encoding="latin-1")).read()
    assert [rows.pair_ids(row) for row in (0, 1)] == [("é", "007"), ("NA", "null")]


def test_parquet_ids_may_be_numbers_and_times_become_seconds(tmp_path):
    path = tmp_path / "r.parquet"
    times = pd.to_datetime([7_000, None], unit="ms")
    pd.DataFrame({"u": [10, 9], "i": ["a", "b"], "t": times}).to_parquet(path)
    rows = TableFile(path, Layout({"user": "u", "item": "i", "timestamp": "t"})).read()
    assert table_of(rows) == [("10", "a", None, 7), ("9", "b", None, None)]


FIELD = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), min_size=1, max_size=6)
FIELD = FIELD.filter(lambda text: text.strip())


@given(st.lists(st.tuples(FIELD, FIELD, st.integers(1, 5)), min_size=1, max_size=8))
def test_what_pandas_writes_is_read_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("csv") / "r.csv"
    pd.DataFrame(rows, columns=["u", "i", "r"]).to_csv(path, index=False)
    table = TableFile(path, Layout({"user": "u", "item": "i", "rating": "r"}))
    assert [row[:3] for row in table_of(table.read())] == rows
    assert table.first_fault(table.places()) is None


@given(st.lists(st.text("ab \t").map(str.encode)), st.sampled_from([b"\n", b"\r\n"]))
def test_fields_between_blanks_are_those_that_splitting_finds(lines, end):
    found = between_blanks(end.join(lines)).split(end)
    assert [line.split(b" ") if line else [] for line in found] == [line.split() for line in lines or [b""]]


def test_text_in_parquet_may_be_coded_in_several_groups_with_gaps(tmp_path):
    path = tmp_path / "r.parquet"
    frame = pd.DataFrame({"u": ["b", "a", "b", "c"], "i": ["x", "y", "z", "x"], "r": ["1", "2.5", "1", "3"]})
    frame.to_parquet(path, row_group_size=2)
    rows = TableFile(path, Layout({"user": "u", "item": "i", "rating": "r"})).read()
    assert [rows.pair_ids(row) for row in range(4)] == list(zip(frame["u"], frame["i"], strict=True))
    assert rows.rating.tolist() == [1, 2.5, 1, 3]
    frame.astype({"u": pd.CategoricalDtype(["", "c", "b", "a"])}).to_parquet(path)
    assert TableFile(path, Layout({"user": "u", "item": "i"})).read().users["id"] == ["b", "a", "c"]
    frame.loc[2, "i"] = None
    frame.to_parquet(path)
    with pytest.raises(UserError, match="row 3: found an empty item id"):
        TableFile(path, Layout({"user": "u", "item": "i"})).read()
