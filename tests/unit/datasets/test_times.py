"""Times in every spelling give the same seconds, and those that cannot be times are told by line."""

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.datasets._core.interactions import EARLIEST, LATEST, NO_TIME
from truerank.datasets._core.reading import Layout
from truerank.datasets._core.reading.table import TableFile
from truerank.datasets._core.reading.times import UNITS, TimesSoFar, dates, seconds
from truerank.errors import UserError
from truerank.stages.fetch_dataset import fetch_dataset

from tests.support import for_each, run_stage

COLUMNS = {"user": "u", "item": "i", "timestamp": "t"}
INSTANTS = [1_200_000_000, -400_000_000, 0, None, 1_461_175_200, -150_000_000, 2_000_000_001]
ISO = "%Y-%m-%dT%H:%M:%S"
EAST = timezone(timedelta(hours=5, minutes=30))
WEST = timezone(-timedelta(hours=8))


def text(instant, form, zone=UTC):
    return "" if instant is None else datetime.fromtimestamp(instant, UTC).astimezone(zone).strftime(form)


def number(instant, unit):
    return "" if instant is None else str(instant * UNITS[unit])


SPELLINGS = {unit: [number(t, unit) for t in INSTANTS] for unit in UNITS}
SPELLINGS |= {f"float {unit}": ["" if t is None else repr(float(t * n)) for t in INSTANTS] for unit, n in UNITS.items()}
SPELLINGS |= {
    "exponent": ["" if t is None else f"{t:.9e}" for t in INSTANTS],
    "s with a fraction": ["" if t is None else f"{t + 0.75}" if t else "0" for t in INSTANTS],
    "ms that are not whole seconds": ["" if t is None else str(t * 1000 + 999 * bool(t)) for t in INSTANTS],
    "iso8601 T": [text(t, ISO) for t in INSTANTS],
    "iso8601 blank": [text(t, "%Y-%m-%d %H:%M:%S") for t in INSTANTS],
    "iso8601 Z": [text(t, f"{ISO}Z") for t in INSTANTS],
    "iso8601 fraction": [text(t, f"{ISO}.987654Z") for t in INSTANTS],
    "iso8601 east": [text(t, f"{ISO}+05:30", EAST) for t in INSTANTS],
    "iso8601 west": [text(t, f"{ISO}.5-08", WEST) for t in INSTANTS],
    "iso8601 mixed zones": [
        text(t, f"{ISO}{zone}", part)
        for t, (zone, part) in zip(INSTANTS, [("Z", UTC), ("", UTC), ("+0530", EAST)] * 3, strict=False)
    ],
    "quoted": [f'"{number(t, "s")}"' for t in INSTANTS],
}


def fetched(folder, name):
    settings = {"source": "file", "path": name, "columns": COLUMNS}
    paths = [
        folder / "out" / part for part in ("interactions.parquet", "users.parquet", "items.parquet", "summary.json")
    ]
    outputs = dict(zip(("interactions", "user_table", "item_table", "facts"), paths, strict=True))
    run_stage(fetch_dataset, {}, outputs, ("mine",), dataset=settings, seed=1)
    return paths[0].read_bytes(), json.loads(paths[3].read_text())


@for_each("spelling", SPELLINGS)
@for_each("separator", [",", "\t"])
def test_the_same_instants_in_every_spelling_give_the_same_bytes(tmp_path, monkeypatch, spelling, separator):
    monkeypatch.chdir(tmp_path)
    lines = [separator.join((f"u{row}", "i", time)) for row, time in enumerate(SPELLINGS[spelling])]
    Path("r.txt").write_text("\n".join([separator.join("uit"), *lines]))
    Path("reference.txt").write_text(
        "u,i,t\n" + "".join(f"u{row},i,{number(t, 's')}\n" for row, t in enumerate(INSTANTS))
    )
    found, summary = fetched(tmp_path, "r.txt")
    assert found == fetched(tmp_path, "reference.txt")[0]
    assert pq.read_table("out/interactions.parquet")["timestamp"].to_pylist() == INSTANTS
    unit = spelling.removeprefix("float ").partition(" ")[0]
    assert summary["timestamp_unit"] == {"exponent": "s", "quoted": "s"}.get(unit, unit)


@for_each(
    "kind",
    [
        *(pa.timestamp(unit) for unit in UNITS),
        *(pa.timestamp(unit, zone) for unit in UNITS for zone in ("UTC", "Asia/Kolkata")),
        pa.int64(),
        pa.float64(),
        pa.string(),
    ],
)
def test_the_same_instants_in_parquet(tmp_path, kind):
    times = pa.array(INSTANTS, pa.timestamp("s"))
    if pa.types.is_timestamp(kind):
        column = times.cast(pa.timestamp(kind.unit)).cast(pa.int64()).cast(kind)
    else:
        column = times.cast(kind) if pa.types.is_string(kind) else times.cast(pa.int64()).cast(kind)
    n = len(INSTANTS)
    pq.write_table(pa.table({"u": [str(row) for row in range(n)], "i": ["i"] * n, "t": column}), tmp_path / "r.parquet")
    rows = TableFile(tmp_path / "r.parquet", Layout(COLUMNS)).read()
    assert rows.timestamp.tolist() == [NO_TIME if t is None else t for t in INSTANTS]
    assert rows.notes["timestamp_unit"] == ("s" if kind in (pa.int64(), pa.float64()) else "iso8601")


@pytest.mark.parametrize("kind", [pa.date32(), pa.date64(), pa.string()], ids=str)
def test_a_date_is_the_start_of_its_day(tmp_path, kind):
    days = pa.array(["2016-04-20", "1969-12-31", None]).cast(pa.date32()).cast(kind)
    pq.write_table(pa.table({"u": ["1", "2", "3"], "i": ["i"] * 3, "t": days}), tmp_path / "r.parquet")
    rows = TableFile(tmp_path / "r.parquet", Layout(COLUMNS)).read()
    assert rows.timestamp.tolist() == [1_461_110_400, -86_400, NO_TIME]


def test_fractions_of_seconds_before_1970_are_rounded_down_in_parquet_too(tmp_path):
    column = pa.array([-1, -1000, 1], pa.timestamp("ms"))
    pq.write_table(pa.table({"u": ["1", "2", "3"], "i": ["i"] * 3, "t": column}), tmp_path / "r.parquet")
    assert TableFile(tmp_path / "r.parquet", Layout(COLUMNS)).read().timestamp.tolist() == [-1, -1, 0]


def read(path, *times, **layout):
    path.write_text("u,i,t\n" + "".join(f"u{row},i,{time}\n" for row, time in enumerate(times)))
    return TableFile(path, Layout(COLUMNS, **layout)).read()


@for_each(
    ("times", "line", "told"),
    [
        (["1200000000", "1200000000000"], 3, "'1200000000000' .* in ms, expected s as '1200000000' before"),
        (["0", "1200000000000", "", "1200000000"], 5, "'1200000000' .* in s, expected ms as '1200000000000' before"),
        (["1200000000000000000", "1200000000000000"], 3, "in us, expected ns"),
        (["1200000000", "2016-04-20"], 3, "'2016-04-20' .* in iso8601, expected s as '1200000000' before"),
        (["2016-04-20", "7"], 3, "'7' .* expected iso8601 as '2016-04-20' before"),
        (["2016-04-20", "2016-13-01"], 3, "'2016-13-01' .* expected s, ms, us or ns since 1970, a date such as"),
        (["2016-02-30"], 2, "'2016-02-30'"),
        (["2016-04-20T25:00:00"], 2, "'2016-04-20T25:00:00'"),
        (["0000-01-01"], 2, "'0000-01-01'"),
        (["20/04/2016"], 2, "'20/04/2016'"),
        (["2016-04-20T10:00:00+99:00"], 2, "99:00'"),
        (["9999-12-31T23:59:59-01:00"], 2, "in iso8601, expected a time in the years 1 to 9999"),
        (["-70000000000"], 2, "in s, expected a time in the years 1 to 9999"),
        (["4.5", "3"], 2, "'4.5'"),
        (["1e300"], 2, "'1e300'"),
        (["inf"], 2, "'inf'"),
    ],
)
def test_what_is_no_time_or_another_unit_is_told_by_line(tmp_path, times, line, told):
    with pytest.raises(UserError, match=rf"r.csv, line {line}: found timestamp .*{told}") as failure:
        read(tmp_path / "r.csv", *times)
    assert "cannot be read" not in str(failure.value)


def test_a_year_that_no_page_can_show_is_told_in_parquet_too(tmp_path):
    column = pa.array([0, 10**15], pa.timestamp("s"))
    pq.write_table(pa.table({"u": ["1", "2"], "i": ["i"] * 2, "t": column}), tmp_path / "r.parquet")
    with pytest.raises(UserError, match=r"r.parquet, row 2: found timestamp .*1000000000000000.* expected"):
        TableFile(tmp_path / "r.parquet", Layout(COLUMNS)).read()


def test_the_unit_can_be_said(tmp_path):
    path = tmp_path / "r.csv"
    rows = read(path, "1200000000000", "86400000", "2000000000", timestamp_unit="ms")
    assert rows.timestamp.tolist() == [1_200_000_000, 86_400, 2_000_000]
    with pytest.raises(UserError, match=r"line 2: .* in s, expected a time in the years 1 to 9999"):
        read(path, "1200000000000", timestamp_unit="s")


TEXTS = st.one_of(
    st.integers(-(10**13), 10**13).map(str),
    st.integers(-(2**63), 2**63 - 1).map(str),
    st.sampled_from(["0", "7", "", "1200000000", "1200000000000", "1.2e9", "4.5", "nan", "x"]),
    st.datetimes().map(lambda time: time.isoformat()),
    st.sampled_from(["2016-04-20", "2016-04-20T10:00Z", "2016-04-31", "2016-04-20 10:00:00+02"]),
)


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_the_fast_way_refuses_exactly_where_the_slow_way_finds_a_fault(texts):
    times = TimesSoFar()
    faults = [text for text in texts if times.fault(text)]
    assert (fast(texts) is None) == bool(faults)


def fast(texts):
    column = pa.chunked_array([texts], pa.string())
    for convert in (lambda: whole(column, pa.int64()), lambda: whole(column, pa.float64()), lambda: dates(column)):
        try:
            taken = seconds(convert())
        except pa.ArrowInvalid:
            continue
        if taken is not None:
            assert all(time == NO_TIME or EARLIEST <= time <= LATEST for time in taken[0].tolist())
            return taken
    return None


def whole(column, kind):
    return pa.chunked_array([[text or None for text in column.to_pylist()]], pa.string()).cast(kind)


@given(
    st.lists(st.integers(EARLIEST + 86_400, LATEST - 86_400), min_size=1, max_size=9),
    st.sampled_from([UTC, EAST, WEST]),
)
def test_dates_of_all_years_are_those_of_the_standard_library(times, zone):
    moments = [(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=time)).astimezone(zone) for time in times]
    column = pa.chunked_array([[moment.isoformat() for moment in moments]])
    assert seconds(dates(column))[0].tolist() == times


def test_a_missing_time_is_older_than_any_and_no_time_is_taken_for_missing(tmp_path):
    rows = read(tmp_path / "r.csv", "-1", "", "1")
    assert rows.timestamp.tolist() == [-1, NO_TIME, 1]
    assert np.argsort(rows.timestamp).tolist() == [1, 0, 2]
    assert np.argsort(-rows.timestamp).tolist() == [2, 0, 1]


def test_pandas_writes_times_that_are_read(tmp_path):
    times = pd.to_datetime(INSTANTS, unit="s").tz_localize("UTC")
    pd.DataFrame({"u": range(len(times)), "i": "i", "t": times}).to_csv(tmp_path / "r.csv", index=False)
    rows = TableFile(tmp_path / "r.csv", Layout(COLUMNS)).read()
    assert rows.timestamp.tolist() == [NO_TIME if t is None else t for t in INSTANTS]
