"""Artefacts are whole or absent, the same bytes each time, and never silently damaged."""

import errno
import os
import resource
import time

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from truerank.artefacts import files
from truerank.artefacts.files import n_rows, read_arrays, read_json, read_table, write_arrays, write_json, write_table
from truerank.errors import UserError
from truerank.provenance import sha256

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "user": np.arange(3000, dtype=np.int32),
        "score": RNG.normal(size=3000).astype(np.float32),
        "model": ["größe"] * 3000,
        "rating": np.where(np.arange(3000) % 3, 1.0, np.nan),
    }
)
ARRAYS = {"users": RNG.normal(size=(50, 4)).astype(np.float32), "key": np.uint64(2**63 + 1), "none": np.empty((0, 3))}
CONTENT = {"name": "größe", "count": 3, "nothing": None, "list": [1.5, "a"]}

KINDS = {
    "parquet": (write_table, read_table, FRAME),
    "npz": (write_arrays, read_arrays, ARRAYS),
    "json": (write_json, read_json, CONTENT),
}
EVERY = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture
def artefact(tmp_path, kind):
    write, read, content = KINDS[kind]
    path = tmp_path / f"a.{kind}"
    write(path, content)
    return path, write, read


# Round trips


def test_tables_keep_types_text_and_missing_values(tmp_path):
    write_table(tmp_path / "a", FRAME)
    back = read_table(tmp_path / "a")
    pd.testing.assert_frame_equal(back, FRAME, check_dtype=False)
    assert back.dtypes["user"] == np.int32
    assert back.dtypes["score"] == np.float32
    assert pq.read_table(tmp_path / "a")["rating"].null_count == 1000
    assert pq.read_schema(tmp_path / "a").metadata is None
    assert n_rows(tmp_path / "a") == 3000
    assert list(read_table(tmp_path / "a", ["score", "user"])) == ["score", "user"]


def test_the_index_of_a_frame_is_no_column(tmp_path):
    write_table(tmp_path / "a", FRAME[FRAME["user"] % 2 == 1])
    assert list(read_table(tmp_path / "a")) == list(FRAME)


def test_an_empty_table_keeps_its_columns(tmp_path):
    write_table(tmp_path / "a", FRAME[:0])
    assert list(read_table(tmp_path / "a")) == list(FRAME)
    assert n_rows(tmp_path / "a") == 0


def test_arrays_keep_types_and_shapes(tmp_path):
    write_arrays(tmp_path / "a", ARRAYS)
    back = read_arrays(tmp_path / "a")
    assert list(back) == list(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(back[name], array)
        assert back[name].dtype == array.dtype


def test_objects_are_refused_in_both_directions(tmp_path):
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        write_arrays(tmp_path / "a", {"x": np.array([{}], dtype=object)})
    assert os.listdir(tmp_path) == []
    np.savez(tmp_path / "evil.npz", x=np.array([{}], dtype=object))
    with pytest.raises(UserError, match=r"evil\.npz is damaged"):
        read_arrays(tmp_path / "evil.npz")


def test_json_is_readable_text(tmp_path):
    write_json(tmp_path / "a", CONTENT)
    assert read_json(tmp_path / "a") == CONTENT
    text = (tmp_path / "a").read_text(encoding="utf-8")
    assert "größe" in text
    assert text.endswith("}\n")


# The same bytes


@EVERY
def test_bytes_do_not_depend_on_when_they_were_written(artefact, tmp_path, monkeypatch, kind):
    path, write, _ = artefact
    later = time.time() + 10 * 365 * 86400
    real = time.localtime
    monkeypatch.setattr(time, "time", lambda: later)
    monkeypatch.setattr(time, "localtime", lambda seconds=None: real(later if seconds is None else seconds))
    write(tmp_path / "again", KINDS[kind][2])
    assert sha256(tmp_path / "again") == sha256(path)


def test_bytes_of_a_table_do_not_depend_on_threads_of_arrow(tmp_path):
    before = pa.cpu_count()
    try:
        for threads in (1, 4):
            pa.set_cpu_count(threads)
            write_table(tmp_path / str(threads), FRAME)
    finally:
        pa.set_cpu_count(before)
    assert sha256(tmp_path / "1") == sha256(tmp_path / "4")


# Whole or absent


@EVERY
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(artefact, monkeypatch, kind):
    path, write, _ = artefact
    before = path.read_bytes()

    def fails(*arguments, **_):
        for target in arguments:  # half a file, then the failure
            if hasattr(target, "write"):
                target.write(b"half")
            elif hasattr(target, "write_text"):
                target.write_text("half")
        raise RuntimeError("stop")

    monkeypatch.setattr(files.pq, "ParquetWriter", fails)
    monkeypatch.setattr(files.np, "savez", fails)
    monkeypatch.setattr(files.json, "dumps", fails)
    with pytest.raises(RuntimeError, match="stop"):
        write(path, KINDS[kind][2])
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


@EVERY
def test_a_full_disk_is_an_error_with_its_number_and_leaves_the_old_file(artefact, kind):
    """A limit on the size of files stands for the disk: the system refuses to write on."""
    path, write, read = artefact
    before = path.read_bytes()
    large = {
        "parquet": pd.DataFrame({"x": RNG.normal(size=300_000)}),
        "npz": {"x": RNG.normal(size=300_000)},
        "json": {"x": "x" * 2_000_000},
    }[kind]
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, limits[1]))
    try:
        with pytest.raises(OSError, match=r"large|writing") as caught:
            write(path, large)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.errno == errno.EFBIG
    assert path.read_bytes() == before
    assert read(path) is not None
    assert os.listdir(path.parent) == [path.name]


# Damage


@EVERY
def test_a_file_cut_off_anywhere_is_a_users_error_that_names_it(artefact):
    path, _, read = artefact
    content = path.read_bytes()
    for length in {0, 1, 4, len(content) // 3, len(content) // 2, len(content) - 2}:
        path.write_bytes(content[:length])
        with pytest.raises(UserError) as caught:
            read(path)
        assert str(path) in str(caught.value)
        assert "damaged" in str(caught.value)
        assert "\n" not in str(caught.value)


@EVERY
def test_a_flipped_byte_is_harmless_or_a_users_error(artefact):
    """Nowhere a traceback. That harmless-looking damage does not pass is the task of receipts."""
    path, _, read = artefact
    content = path.read_bytes()
    complaints = 0
    for place in np.linspace(0, len(content) - 1, 150).astype(int):
        broken = bytearray(content)
        broken[place] ^= 0xFF
        path.write_bytes(broken)
        try:
            read(path)
        except UserError:
            complaints += 1
    assert complaints > 0


@EVERY
def test_another_kind_of_file_is_a_users_error(artefact):
    path, _, read = artefact
    path.write_bytes(b"user,item\n1,2\n" * 100)
    with pytest.raises(UserError, match="damaged"):
        read(path)


@EVERY
def test_a_missing_file_is_no_damage(artefact, kind):
    path, _, read = artefact
    path.unlink()
    with pytest.raises(FileNotFoundError):
        read(path)


def test_running_out_of_memory_is_no_damage(tmp_path):
    write_table(tmp_path / "a", FRAME)
    with pytest.raises(MemoryError), files.readable(tmp_path / "a"):
        raise pa.ArrowMemoryError("realloc of size 1 failed")


def test_counting_the_rows_of_a_damaged_table_is_a_users_error(tmp_path):
    write_table(tmp_path / "a", FRAME)
    (tmp_path / "a").write_bytes((tmp_path / "a").read_bytes()[:-20])
    with pytest.raises(UserError, match="damaged"):
        n_rows(tmp_path / "a")


def test_a_table_may_come_in_parts_of_which_one_is_made_at_a_time(tmp_path):
    alive = []

    def parts():
        for number in range(3):
            alive.append(number)
            yield {"n": np.array([number, 5]), "x": np.array([np.nan, number])}

    files.write_parts(tmp_path / "parts.parquet", parts())
    found = files.read_table(tmp_path / "parts.parquet")
    assert found["n"].tolist() == [0, 5, 1, 5, 2, 5]
    assert found["x"].isna().tolist() == [True, False] * 3
    assert alive == [0, 1, 2]
    assert files.column_names(tmp_path / "parts.parquet") == ["n", "x"]


def test_parts_that_fail_leave_nothing(tmp_path):
    def parts():
        yield {"n": np.arange(3)}
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        files.write_parts(tmp_path / "parts.parquet", parts())
    assert list(tmp_path.iterdir()) == []


# Tables that are read and written in pieces


@pytest.fixture
def by_user(tmp_path, monkeypatch):
    """A table of 30 rows in row groups of 4, sorted by user; nobody has code 5."""
    monkeypatch.setattr(files, "ROWS_PER_GROUP", 4)
    user = np.sort(np.random.default_rng(2).choice([0, 1, 2, 3, 4, 6, 7, 8], 30)).astype(np.int32)
    rated = np.where(np.arange(30) < 25, np.nan, 3.0)
    files.write_table(tmp_path / "t", {"user": user, "n": np.arange(30), "rated": rated, "none": np.full(30, np.nan)})
    return tmp_path / "t"


@pytest.mark.parametrize("span", [(0, 8), (2, 3), (5, 5), (4, 6), (0, -1), (9, 12)], ids=str)
def test_rows_of_some_users_are_those_that_a_filter_keeps(by_user, span):
    table = files.read_table(by_user)
    kept = table[table.user.between(*span)]
    n, user = files.read_columns(by_user, "n", "user", users=span)
    np.testing.assert_array_equal(n, kept.n)
    np.testing.assert_array_equal(user, kept.user)


def test_row_groups_without_the_users_are_not_read(by_user, monkeypatch):
    asked = []
    read = pq.ParquetFile.read_row_groups
    monkeypatch.setattr(
        pq.ParquetFile, "read_row_groups", lambda file, groups, **how: asked.append(groups) or read(file, groups, **how)
    )
    files.read_columns(by_user, "n", users=(0, 0))
    assert 0 < len(asked[0]) < pq.read_metadata(by_user).num_row_groups / 2


def test_what_is_known_of_a_column_without_reading_it(by_user, tmp_path, monkeypatch):
    files.write_table(tmp_path / "empty.parquet", {"none": np.empty(0)})
    monkeypatch.delattr(pq.ParquetFile, "iter_batches")
    monkeypatch.delattr(pq.ParquetFile, "read_row_groups")
    assert files.is_null(by_user, "none")
    assert files.is_null(tmp_path / "empty.parquet", "none")
    assert not files.is_null(by_user, "rated"), "the first value is in the last row groups"
    assert files.largest(by_user, "user") == 8


@pytest.mark.parametrize(
    "cuts", [[], [1], [4, 8], [3, 3, 17, 29], list(range(30))], ids=["whole", "1", "4", "odd", "rows"]
)
def test_how_rows_are_cut_into_parts_does_not_show(by_user, tmp_path, cuts):
    table = pq.read_table(by_user)
    ends = [*cuts, 30]
    parts = [table.slice(start, end - start) for start, end in zip([0, *cuts], ends, strict=True)]
    files.write_parts(tmp_path / "again", parts)
    assert (tmp_path / "again").read_bytes() == by_user.read_bytes()
    for number, part in enumerate(parts):
        files.write_table(tmp_path / str(number), part)
    files.write_parts(tmp_path / "joined", files.read_parts([tmp_path / str(number) for number in range(len(parts))]))
    assert (tmp_path / "joined").read_bytes() == by_user.read_bytes()
