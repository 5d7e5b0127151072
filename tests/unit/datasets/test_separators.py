"""Separators, quotes and encodings are found and told; what can be read in two ways is refused with the setting."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from truerank.datasets._core.interactions import Context
from truerank.datasets._core.reading import Layout
from truerank.datasets._core.reading.run import RunFile
from truerank.datasets._core.reading.separators import separator_of
from truerank.datasets._core.reading.table import TableFile
from truerank.datasets.file import file
from truerank.errors import UserError
from truerank.provenance import generator
from truerank.stages.fetch_dataset import fetch_dataset

from tests.support import for_each, run_stage

COLUMNS = {"user": "user", "item": "item", "rating": "stars"}
NUMBERED = {"user": 0, "item": 1, "rating": 2}
ROWS = [("José", "a b", "4.5"), ("ann", "x", "1"), ("ann", "a b", "3")]
FORMATS = {",": "csv", "\t": "tsv", ";": "semicolon", "|": "pipe", "::": "double_colon"}


def written(separator, header=True, quoting=csv.QUOTE_MINIMAL, rows=ROWS):
    rows = [list(COLUMNS.values()), *rows] if header else rows
    if separator == "::":
        return "".join("::".join(row) + "\n" for row in rows)
    stream = io.StringIO()
    csv.writer(stream, delimiter=separator, quoting=quoting, lineterminator="\r\n").writerows(rows)
    return stream.getvalue()


def triples(rows):
    return [(*rows.pair_ids(row), float(rows.rating[row])) for row in range(len(rows))]


EXPECTED = [(user, item, float(stars)) for user, item, stars in ROWS]


@for_each("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
@for_each("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@for_each("name", ["r.csv", "r.txt", "r.tsv", "r"])
@for_each("header", [True, False])
@for_each("separator", FORMATS)
def test_every_separator_and_encoding_is_found_whatever_the_name(tmp_path, separator, header, name, quoting, encoding):
    path = tmp_path / name
    path.write_bytes(written(separator, header, quoting).encode(encoding))
    table = TableFile(path, Layout(COLUMNS if header else NUMBERED, header=header))
    rows = table.read()
    assert triples(rows) == EXPECTED
    assert rows.notes["file_format"] == FORMATS[separator]
    assert rows.notes["file_encoding"] == encoding.removesuffix("-sig")
    assert ("file_quotes" in rows.notes) == (quoting == csv.QUOTE_ALL and separator != "::")


def test_what_was_found_is_in_the_summary_and_the_log(tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_bytes(written(";", quoting=csv.QUOTE_ALL).encode("latin-1"))
    paths = [tmp_path / name for name in ("interactions.parquet", "users.parquet", "items.parquet", "summary.json")]
    with caplog.at_level("INFO"):
        outputs = dict(zip(("interactions", "user_table", "item_table", "facts"), paths, strict=True))
        settings = {"source": "file", "path": "r.csv", "columns": COLUMNS}
        run_stage(fetch_dataset, {}, outputs, ("mine",), dataset=settings, seed=1)
    summary = json.loads(paths[3].read_text())
    assert [summary[f"file_{key}"] for key in ("format", "encoding", "quotes")] == [
        "semicolon",
        "latin-1",
        "around fields",
    ]
    assert "r.csv: file format semicolon, file encoding latin-1, file quotes around fields" in caplog.text


def test_what_is_said_wins(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("user;x,item,stars\na;b,c,1\n")
    layout = {"columns": {"user": "user;x", "item": "item", "rating": "stars"}, "format": "csv"}
    assert triples(TableFile(path, Layout(**layout)).read()) == [("a;b", "c", 1)]
    path.write_bytes("user,item,stars\n\xc3\xa9,c,1\n".encode("latin-1"))
    assert TableFile(path, Layout(COLUMNS)).read().users["id"] == ["é"]
    assert TableFile(path, Layout(COLUMNS, encoding="latin-1")).read().users["id"] == ["Ã©"]


@for_each(
    ("name", "text", "columns", "header", "kind"),
    [
        ("r.csv", "1,2,Drama|War\n1,3,War|Noir\n", NUMBERED, False, "csv"),  # the name and the wider
        ("r.txt", "1\t2\tDrama|War\n1\t3\tWar|Noir\n", NUMBERED, False, "tsv"),  # tabs are no accident
        ("r.csv", "user;a,b;item\n1;2,5;3\n", {"user": "user", "item": "item"}, True, "semicolon"),  # the names
        ("r.csv", "user;item;stars\n1;2;4,5\n1;3;3,0\n", COLUMNS, True, "semicolon"),
        ("r.csv", "user,item,stars\n1,a;b,3\n2,c|d,3\n", COLUMNS, True, "csv"),
        ("r.csv", "usr;itm\n1;2\n", COLUMNS, True, "semicolon"),  # the message about columns says the rest
        ("r.txt", "user\n1\n", COLUMNS, True, "csv"),
        ("r.txt", "1,2,3\n1,2\n1,2,3\n1;2\n", NUMBERED, False, "csv"),  # a bad row is told later
        ("r.csv", 'user;item;stars\n"1;1";2;"3"\n', COLUMNS, True, "semicolon"),
        ("r.csv", 'user;item;stars\n12";2;3\n4;5";6\n', COLUMNS, True, "semicolon"),
    ],
)
def test_which_separator_is_taken(tmp_path, name, text, columns, header, kind):
    assert found(text.encode(), columns, header, "csv" if name.endswith("csv") else None) == kind


def found(data, columns=NUMBERED, header=False, named="csv"):
    return separator_of("r", data, named, header, lambda names: all(str(columns[r]) in names for r in ("user", "item")))


def test_two_separators_that_do_equally_well_are_refused_with_the_setting(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("1;2;4,5\n1;3;3,0\n")
    with pytest.raises(
        UserError,
        match=r"r.csv: the first rows can be split at ';' \(3 columns\) and ',' \(2 columns\); "
        r"set `format` to semicolon or csv",
    ):
        TableFile(path, Layout(NUMBERED, header=False))
    with pytest.raises(UserError, match=r"line 1: found rating '4,5' in column 2, expected a number"):
        TableFile(path, Layout(NUMBERED, "semicolon", header=False)).read()


def test_only_the_first_rows_decide():
    late = b"1;2;3\n" * 200_000 + b"1,2,3\n" * 400_000
    assert found(late) == "semicolon"


FIELD = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), min_size=1, max_size=8)
FIELD = FIELD.filter(lambda text: text.strip())


@given(
    st.lists(st.tuples(FIELD, FIELD, st.integers(1, 5).map(str)), min_size=1, max_size=9),
    st.sampled_from([",", "\t", ";", "|"]),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
)
def test_what_the_standard_library_writes_is_read_back(tmp_path_factory, rows, separator, quoting):
    text = written(separator, quoting=quoting, rows=rows)
    assume('\\"' not in text)  # has two readings, see below
    path = tmp_path_factory.mktemp("csv") / "r.txt"
    path.write_text(text, encoding="utf-8", newline="")
    found = TableFile(path, Layout(COLUMNS)).read()
    assert triples(found) == [(user, item, float(stars)) for user, item, stars in rows]
    assert found.notes["file_format"] == FORMATS[separator]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ('"1";"\\"02100";"8"\n"2";"x\\"y\\"";"7"\n', ['"02100', 'x"y"']),  # as in Book-Crossing
        ('"1";"a\\";"8"\n"2";"b""c";"7"\n', ["a\\", 'b"c']),  # a backslash that ends a field is one
        ('"1";"a;""b""";"8"\n"2";"\\""c";"7"\n', ['a;"b"', '\\"c']),
    ],
)
def test_quotes_in_quotes_are_doubled_or_have_a_backslash(tmp_path, text, ids):
    path = tmp_path / "r.csv"
    path.write_text("user;item;stars\n" + text)
    table = TableFile(path, Layout(COLUMNS))
    assert table.read().items["id"] == ids
    assert [fields[1] for _, fields in table.table.rows()] == ids  # the slow way reads the same


def test_a_run_of_any_separator_is_read(tmp_path):
    path = tmp_path / "run.csv"
    path.write_bytes("user|item|score\né|b|2.5\n".encode("latin-1"))
    *_, score, users, items = RunFile(path, Layout(None)).read()
    assert (users, items, score.tolist()) == (["é"], ["b"], [2.5])


# Ratings that are missing and pairs that repeat, a few among many

MANY = "".join(f"u{row},i,5\n" for row in range(300))


def mine(path, text, **settings):
    path.write_text("user,item,stars\n" + text)
    return file(Context("mine", generator(1)), path=str(path), columns=COLUMNS, **settings)


def test_a_few_empty_ratings_are_left_out_and_counted_and_many_are_an_error(tmp_path):
    rows = mine(tmp_path / "r.csv", "a,i,\n" + MANY + "b,i,\n")
    assert (len(rows), rows.notes["rows_without_rating"]) == (300, 2)
    with pytest.raises(UserError, match=r"line 2: found rating '' .* expected a number in 99 of 100 rows at least"):
        mine(tmp_path / "r.csv", "".join(f"a{row},i,\n" for row in range(4)) + MANY)
    with pytest.raises(UserError, match=r"line 303: found rating 'x'"):
        mine(tmp_path / "r.csv", "a,i,\n" + MANY + "b,i,x\n")


def test_a_few_repeated_pairs_are_settled_by_the_last_and_many_are_an_error(tmp_path):
    rows = mine(tmp_path / "r.csv", MANY + "u7,i,1\n")
    assert (len(rows), rows.notes["duplicates_removed"], rows.notes["duplicate_policy"]) == (300, 1, "last")
    assert rows.rating[rows.users["id"].index("u7")] == 1
    with pytest.raises(UserError, match=r"lines 9 and 302: .* more than once"):
        mine(tmp_path / "r.csv", MANY + "u7,i,1\n", duplicates="error")
    with pytest.raises(UserError, match=r"lines 2 and 302: .* more than once"):
        mine(tmp_path / "r.csv", MANY + "".join(f"u{row},i,1\n" for row in range(4)))
