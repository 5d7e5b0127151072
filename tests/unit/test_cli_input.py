"""Numbers in text files and on standard input: what is read, and what is refused rather than guessed."""

import io
import sys

import numpy as np
import pytest
from truerank.cli_input import read_ranks, read_values
from truerank.errors import UserError

from tests.support import for_each


@pytest.fixture
def read(tmp_path):
    def values(content, reader=read_values, **options):
        (tmp_path / "x.csv").write_bytes(content.encode())
        return reader(tmp_path / "x.csv", **options).tolist()

    return values


@for_each(
    "content",
    [
        "0.4\n3\n",
        "value\n0.4\n3\n",
        '"0.4"\n"3"\n',
        '"value"\n"0.4"\n"3"\n',
        "17,0.4\n18,3.0\n",
        "user,value\n17,0.4\n18,3\n",
        ",value\n0,0.4\n1,3\n",
        "user,item,value\n17,4,0.4\n18,5,3\n",
        '"17","0.4"\n"18","3"\n',
        '"a;b, c",0.4\n"18",3\n',
        "ann,0.4\nbob,3\n",
        "17, 0.4\n18, 3\n",
        "17;0.4\n18;3\n",
        '"17";"0.4"\r\n"18";"3"\r\n',
        "user\tvalue\n17\t0.4\n18\t3\n",
        "\ufeffvalue\n4.000000000000000000e-01\n3.000000000000000000e+00\n",
        "\n0.4\n\n3\n\n",
        "+.4\n3.\n",
    ],
)
def test_the_last_column_is_read(read, content):
    assert read(content) == [0.4, 3]


@pytest.mark.parametrize("content", ["1.0\n3.\n", '"1"\n"3"\n', "1.000e+00\n3.000e+00\n", "user,rank\n8,1\n9,3.0\n"])
def test_ranks_may_be_written_as_other_tools_do(read, content):
    assert read(content, read_ranks, negatives=50) == [1, 3]


@for_each(
    ("content", "line", "found", "remedy"),
    [
        ("0,4\n0,5\n", 1, "0,4", "write '0.4', or, if it is two columns, name all columns in the first line"),
        ("0.4\n0,5\n", 2, "0,5", "write '0.5', or"),
        ("value\n0,4\n1\n", 2, "0,4", "write '0.4', or"),
        ("-1,5\n1\n", 1, "-1,5", "write '-1.5', or"),
        (",5\n1\n", 1, ",5", "write '.5', or"),
        ("1,5e-3\n1\n", 1, "1,5e-3", "write '1.5e-3', or"),
        ("1.234,5\n1\n", 1, "1.234,5", "write '1234.5', or"),
        ("17,0,4\n18,0,5\n", 1, "0,4", "write '0.4', or"),
        ("user,value\n17,0,4\n", 2, "0,4", "write '0.4', or"),
        ("17;0,4\n18;0,5\n", 1, "0,4", "write '0.4'"),
        ("user;value\n17;0,4\n", 2, "0,4", "write '0.4'"),
        ("17\t0,4\n", 1, "0,4", "write '0.4'"),
        ('"0,4"\n"0,5"\n', 1, "0,4", "write '0.4'"),
        ('"17","0,4"\n', 1, "0,4", "write '0.4'"),
        ("17,4\n18,5\n", 1, "17,4", "if it is two columns, name all columns in the first line, such as user,"),
    ],
)
@for_each(("reader", "noun"), [(read_values, "value"), (read_ranks, "rank")])
def test_a_decimal_comma_is_told(read, content, line, found, remedy, reader, noun):
    options = {"negatives": 50} if reader is read_ranks else {}
    with pytest.raises(UserError) as told:
        read(content, reader, **options)
    assert f"x.csv, line {line}: the {noun} is {found!r}, expected a number without a decimal comma" in str(told.value)
    assert remedy in str(told.value)


@pytest.mark.parametrize(
    ("content", "found"),
    [("17,\n18,3.5\n", "''"), ("1_000\n2\n", "'1_000'"), ("٣\n2\n", "'٣'"), ("nan\n2\n", "'nan'"), ("40%\n", None)],
)
def test_other_texts_are_no_numbers(read, content, found):
    """A first line with a number in it is no heading, so nothing is left out in silence."""
    with pytest.raises(UserError) as told:
        read(content)
    assert (f"line 1: the value is {found}" if found else "has no values") in str(told.value)


def test_standard_input_is_read(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\ufeffrank\r\n1\r\n2.0\r\n".encode())))
    assert read_ranks("-", 50).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"1\n99\n", "standard input, line 2: the rank is '99'"),
        (b"", "standard input has no ranks"),
        (b"\xff\xfe1", "standard input cannot be read: it is not UTF-8 text"),
        (None, "standard input is closed, expected one rank per line"),
    ],
)
def test_mistakes_on_standard_input_are_told(monkeypatch, content, sentence):
    stdin = None if content is None else io.TextIOWrapper(io.BytesIO(content))
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(UserError, match=sentence):
        read_ranks("-", 50)


def test_long_lines_are_refused_in_a_moment(read):
    for text in ("9" * 1_000_000 + "x", '"' + "9" * 1_000_000 + '"', "," * 1_000_000, '"' * 99_999):
        with pytest.raises(UserError):
            read(f"1\n{text}\n")


@pytest.mark.slow
def test_many_numbers_are_read(read):
    values = np.random.default_rng(1).random(100_000)
    assert read("\n".join(map(repr, values.tolist()))) == values.tolist()
