"""Files that are almost right are read, or refused in one sentence: no traceback, no hang, bounded memory.

A few hundred examples here; ``make fuzz`` tries very many more.
"""

import gzip
import io
import json
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from truerank.datasets._core.collecting import Collector
from truerank.datasets._core.interactions import EARLIEST, LATEST, NO_TIME, Context, Interactions
from truerank.datasets._core.reading import Layout
from truerank.datasets._core.reading.content import HARMLESS
from truerank.datasets._core.reading.records import Records, literal, pair
from truerank.datasets._core.reading.run import RunFile
from truerank.datasets._core.reading.table import TableFile
from truerank.datasets.recbole import recbole
from truerank.errors import UserError
from truerank.provenance import generator

from tests.fuzz.guard import TIMES, TooSlow, guarded, stop_watching
from tests.fuzz.inputs import ATOMIC, REVIEWS, SOUND, changed, files, one_changed, zipped

NAMED = {"user": "u", "item": "i", "rating": "r", "timestamp": "t"}
PAIRS = {"user": "u", "item": "i"}
ENCODINGS = ["utf-8", "latin-1", "utf-16", "cp1252", "idna", "hex", "no such"]
SUPPRESSED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
fuzzed = settings(suppress_health_check=SUPPRESSED)
layouts = st.builds(
    Layout,
    columns=st.sampled_from([NAMED, {"user": "u", "item": "i"}, {"user": 0, "item": 1, "rating": 2}]),
    format=st.sampled_from(
        ["auto", "auto", "auto", "csv", "tsv", "semicolon", "pipe", "double_colon", "parquet", "qrels", "json"]
    ),
    header=st.booleans(),
    encoding=st.sampled_from(["auto"] * 6 + ENCODINGS),
    scale=st.sampled_from([None, (1.0, 5.0)]),
    missing_rating=st.sampled_from([None, None, 1.0]),
    timestamp_unit=st.sampled_from(["auto", "auto", "auto", "s", "ns"]),
)


FIELDS = {"user": "user", "item": "work", "rating": "stars", "timestamp": "unixtime"}  # of reviews


@pytest.fixture(autouse=True, scope="module")
def _watching():
    yield
    stop_watching()


@fuzzed
@given(files(), layouts)
def test_files_of_interactions(tmp_path, file, layout):
    name, data = file
    path = tmp_path / name
    path.write_bytes(data)
    with guarded(len(data)):
        rows = TableFile(path, layout).read()
        assert isinstance(rows, Interactions)
        assert len(rows.canonical()) == len(rows)
        assert ((rows.timestamp == NO_TIME) | ((rows.timestamp >= EARLIEST) & (rows.timestamp <= LATEST))).all()


@pytest.mark.parametrize("name", SOUND)
def test_the_files_are_sound_before_they_are_changed(tmp_path, name):
    """Else the changed ones would all be refused for one reason."""
    path = tmp_path / name
    path.write_bytes(SOUND[name])
    if name == "r.run":
        assert len(RunFile(path, Layout(None)).read()[0]) >= 3
    else:
        columns = None if name in ("r.qrels", "r.json") else NAMED
        assert len(TableFile(path, Layout(columns)).read()) >= 3


@fuzzed
@given(files(), st.sampled_from([None, PAIRS | {"score": "r"}, PAIRS | {"rank": "t"}]))
def test_files_of_recommendations(tmp_path, file, columns):
    name, data = file
    path = tmp_path / name
    path.write_bytes(data)
    with guarded(len(data)):
        user, item, score, users, items = RunFile(path, Layout(columns)).read()
        assert len(user) == len(item) == len(score)
        assert user.max() < len(users)
        assert item.max() < len(items)


@fuzzed
@given(one_changed(ATOMIC), st.sampled_from(["error", "last", "mean"]))
def test_atomic_files(tmp_path, texts, duplicates):
    paths = {name: str(tmp_path / f"x.{name}") for name in texts}
    for name, data in texts.items():
        Path(paths[name]).write_bytes(data)
    with guarded(sum(map(len, texts.values()))):
        rows = recbole(Context("fuzz", generator(1)), **paths, duplicates=duplicates)
        assert {len(column) for column in rows.users.values()} == {rows.user.max() + 1}


@fuzzed
@given(changed(REVIEWS.encode()), st.sampled_from([literal, json.loads, pair]))
def test_records_of_reviews(tmp_path, data, parse):
    path = tmp_path / "reviews.json"
    path.write_bytes(data)
    with guarded(len(data)):
        rows = Collector()
        rows.add_reviews(Records(path, parse=parse), (0.5, 5), **FIELDS)
        read = rows.rows(path)
        assert all(name.encode() for table in (read.users, read.items) for name in table["id"])


@pytest.mark.parametrize(
    ("line", "parse", "left"),
    [
        ('{"user": "ann", "work": "8", "stars": 4, "unixtime": %s}' % ("9" * 400), json.loads, (1, 0, 0)),
        ("{'user': 'ann', 'work': 0x%s, 'stars': 4}" % ("f" * 5000), literal, (0, 1, 0)),
        (r'{"user": "\ud83d", "work": "8", "stars": 4}', json.loads, (0, 0, 1)),
        (r"{'user': 'ann', 'work': '\U0000D83D', 'stars': 4}", literal, (0, 0, 1)),
        (r'{"user": "\ud83d\ude00", "work": "8", "stars": 4}', json.loads, (1, 0, 0)),
    ],
)
def test_reviews_with_numbers_or_names_that_are_none(tmp_path, line, parse, left):
    """left : how many are rows, how many lack something, how many cannot be read, beside a hundred that are sound."""
    path = tmp_path / "reviews.json"
    sound = "".join(f'{{"user": "{number}", "work": "7", "stars": 5}}\n' for number in range(100))
    path.write_text(sound + line)
    rows = Collector()
    rows.add_reviews(Records(path, parse=parse), (0.5, 5), **FIELDS)
    read = rows.rows(path)
    assert all(name.encode() for table in (read.users, read.items) for name in table["id"])
    found = len(read) - 100, rows.left_out["rows_without_rating"], rows.left_out["lines_unreadable"]
    assert found == left


@pytest.mark.parametrize(
    "line", ["[" + "[]," * 300_000 + "]", "'' " * 300_000, "\\'" * 450_000, "{'a': '" + "b" * 900_000]
)
def test_long_literals_take_no_more_memory_than_others(tmp_path, line):
    path = tmp_path / "reviews.json"
    path.write_text(line)
    with guarded(len(line)):
        list(Records(path, parse=literal))


def test_a_review_may_be_long():
    assert literal(repr({"user": "it's", "text": 'a, "b" [c] ' * 50_000}))["user"] == "it's"


@pytest.mark.parametrize(
    ("kind", "name", "line"),
    [
        (RunFile, "r.run", b"u Q0" + b" " * 1_000_000 + b"d 1 1 t\n"),
        (TableFile, "r.qrels", b"\tu 0" + b" \t" * 500_000 + b"d 1 \t \r\n"),
        (TableFile, "r.csv", b"u,i,r,t\nann,10," + b"9" * 100_000 + b"x,1\n"),
    ],
)
def test_long_runs_of_blanks_or_digits_are_read_in_a_moment(tmp_path, kind, name, line):
    path = tmp_path / name
    path.write_bytes(line)
    with guarded(len(line), seconds=5):
        kind(path, Layout(NAMED)).read()


def test_small_files_that_unpack_to_large_ones_are_refused(tmp_path):
    """Zeros shrink a thousandfold, ratings never do: the file is not unpacked."""
    zeros = bytes(200 << 20)
    for name, data in (("r.csv.gz", gzip.compress(zeros, 9, mtime=0)), ("r.zip", zipped(zeros))):
        path = tmp_path / name
        path.write_bytes(data)
        with guarded(HARMLESS), pytest.raises(UserError, match="unpack") as told:
            TableFile(path, Layout(NAMED))
        assert str(path) in str(told.value)


def test_parquet_of_one_value_a_billion_times_is_refused(tmp_path):
    stream = io.BytesIO()
    table = pa.table({name: pa.array([1] * 1_000_000, pa.int8()) for name in NAMED.values()})
    pq.write_table(table, stream)
    path = tmp_path / "r.parquet"
    path.write_bytes(stream.getvalue())
    assert len(stream.getvalue()) * TIMES < table.num_rows
    with guarded(len(stream.getvalue())), pytest.raises(UserError, match="1,000,000 rows"):
        TableFile(path, Layout(NAMED))


def parquet_of(tmp_path, **options):
    """Write 600 rows of two ids, and of one long text in a column ``x``; return the file."""
    table = pa.table({"u": map(str, range(600)), "i": ["a"] * 600, "x": ["A" * (1 << 20)] * 600})
    path = tmp_path / "r.parquet"
    pq.write_table(table, path, **options)
    return path


def test_parquet_of_one_long_text_in_every_row_is_read_once(tmp_path):
    path = parquet_of(tmp_path)
    assert path.stat().st_size < 100_000
    for item in ("i", "x"):
        with guarded(1 << 20):
            rows = TableFile(path, Layout({"user": "u", "item": item})).read()
            assert len(rows) == 600, item
    with guarded(1 << 20), pytest.raises(UserError, match="row 1: found rating 'AAA"):
        TableFile(path, Layout({"user": "u", "item": "i", "rating": "x"})).read()


def test_parquet_that_unpacks_to_very_much_is_refused(tmp_path):
    path = parquet_of(tmp_path, use_dictionary=False, compression="zstd")
    with guarded(1 << 20), pytest.raises(UserError, match="column 'x' unpacks to more than 67,108,864 bytes"):
        TableFile(path, Layout({"user": "u", "item": "x"})).read()
    pq.write_table(pa.table({"u": [[1] * 1_000_000], "i": ["a"]}), path)
    with guarded(1 << 16), pytest.raises(UserError, match="column 'u' holds lists or records"):
        TableFile(path, Layout({"user": "u", "item": "i"})).read()


def test_the_guard_sees_what_it_is_to_see():
    with pytest.raises(AssertionError, match="bytes for an input"), guarded(0):
        bytearray(100 << 20)
    with pytest.raises(ZeroDivisionError), guarded(0):
        1 / 0  # noqa: B018
    with pytest.raises(TooSlow), guarded(0, seconds=1):
        time.sleep(30)
    with guarded(0):
        raise UserError("one\ntwo")
    assert str(UserError("one\ntwo\r\nthree")) == "one two three"
