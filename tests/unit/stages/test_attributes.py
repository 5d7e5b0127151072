"""Attributes of users as Parquet may hold them reach the encoding as numbers or text."""

import math
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from truerank.artefacts.attributes import read_attributes
from truerank.artefacts.files import write_table
from truerank.artefacts.split import Split
from truerank.models._core.context import encode

NAN = math.nan
NUMBERS = {
    "whole": (pa.array([1, 2, 3], pa.int8()), [1, 2, 3]),
    "whole, some missing": (pa.array([1, None, 3]), [1, NAN, 3]),
    "larger than a float holds": (pa.array([2**62 + 1, 0, None]), [2**62, 0, NAN]),
    "real": (pa.array([1.5, None, NAN]), [1.5, NAN, NAN]),
    "half": (pa.array(np.array([1, 2, 3], np.float16)), [1, 2, 3]),
    "decimal": (pa.array([Decimal("1.5"), None, Decimal("2.5")]), [1.5, NAN, 2.5]),
    "truth": (pa.array([True, False, True]), [1, 0, 1]),
    "truth, some missing": (pa.array([True, None, False]), [1, NAN, 0]),
    "coded": (pa.array([7, None, 9]).dictionary_encode(), [7, NAN, 9]),
    "no value at all": (pa.array([None, None, None], pa.int32()), [NAN, NAN, NAN]),
}
TEXT = {
    "text": pa.array(["a", None, "b"]),
    "large text": pa.array(["a", None, "b"], pa.large_string()),
    "view of text": pa.array(["a", None, "b"], pa.string_view()),
    "coded text": pa.array(["a", None, "b"]).dictionary_encode(),
}
OTHERS = {
    "lists": pa.array([["a"], None, ["b", "c"]]),
    "lists of numbers": pa.array([[1.0], [2.0], []]),
    "records": pa.array([{"a": 1}, None, {"a": 2}]),
    "times": pa.array([1, None, 3], pa.timestamp("s")),
    "bytes": pa.array([b"a", None, b"b"]),
    "nulls": pa.nulls(3),
}


@pytest.fixture
def read(tmp_path):
    """Write columns beside code and id, and read them back as attributes."""

    def there_and_back(columns):
        n = len(next(iter(columns.values()), range(3)))
        coded = {"code": pa.array(range(n), pa.int32()), "id": pa.array([f"u{i}" for i in range(n)])}
        write_table(tmp_path / "users.parquet", pa.table(coded | columns))
        return read_attributes(tmp_path / "users.parquet")

    return there_and_back


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers(read, kind):
    column, expected = NUMBERS[kind]
    values = read({"x": column})["x"]
    assert values.dtype == np.float64
    np.testing.assert_array_equal(values, expected)


@pytest.mark.parametrize("kind", TEXT)
def test_text(read, kind):
    assert read({"x": TEXT[kind]})["x"].tolist() == ["a", None, "b"]
    assert encode(read({"x": TEXT[kind]})).tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]


@pytest.mark.parametrize("kind", OTHERS)
def test_what_is_neither_is_left_out(read, kind):
    assert read({"x": OTHERS[kind]}) == {}
    both = read({"x": OTHERS[kind], "age": pa.array([1, 2, 3])})
    assert list(both) == ["age"]
    assert encode(both).shape == (3, 1)


def test_all_at_once(read):
    columns = {name: column for name, (column, _) in NUMBERS.items()} | TEXT | OTHERS
    features = encode(read(columns))
    assert features.dtype == np.float32
    assert len(features) == 3
    assert np.isfinite(features).all()


@pytest.mark.parametrize("kind", [pa.int64(), pa.string(), pa.bool_(), pa.list_(pa.string())], ids=str)
def test_a_table_without_users(read, kind):
    assert encode(read({"x": pa.array([], kind)})) is None


def test_a_table_without_attributes(read):
    assert read({}) == {}


def test_training_rows_come_with_the_context(read, tmp_path):
    read({"member": pa.array([True, None, False, True])})
    rows = {"user": np.array([0, 3], np.int32), "item": np.array([1, 0], np.int32), "rating": np.full(2, np.nan)}
    write_table(tmp_path / "train.parquet", rows)
    write_table(tmp_path / "items.parquet", {"code": np.arange(2), "id": ["a", "b"]})
    split = Split(*(tmp_path / f"{name}.parquet" for name in ("train", "users", "items")))
    train = split.history()
    assert (train.n_users, train.n_items, train.rating) == (4, 2, None)
    spread = math.sqrt(2) / 3
    np.testing.assert_allclose(
        train.context, [[1 / 3 / spread, 0], [0, 1], [-2 / 3 / spread, 0], [1 / 3 / spread, 0]], rtol=1e-6
    )
    (tmp_path / "users.parquet").unlink()
    assert split.history((3, 3)).context is train.context, "blocks of users do not encode all users anew"
