"""What a file of interactions holds, guessed from names and values."""

import gzip

import numpy as np
import pandas as pd
import pytest
from truerank.datasets._core.guessing import guess, roles_in
from truerank.errors import UserError

from tests.support import for_each


def text_of(rows, separator=",", header=None):
    lines = [] if header is None else [header]
    return "\n".join([*lines, *(separator.join(map(str, row)) for row in rows)]) + "\n"


ROWS = [(f"u{i % 9}", f"i{i % 7}", 1 + i % 5, 978300000 + i) for i in range(63)]
NUMBERS = [(1 + i % 9, 100 + i % 7, 1 + i % 5, 978300000 + i) for i in range(63)]


@for_each(
    ("name", "text", "format", "header", "columns"),
    [
        ("a.csv", text_of(ROWS, ",", "userId,movieId,rating,timestamp"), "csv", True, ["userId", "movieId"]),
        ("a.csv", text_of(ROWS, ";", "User-ID;ISBN;Book-Rating;when"), "semicolon", True, ["User-ID", "ISBN"]),
        ("u.data", text_of(NUMBERS, "\t"), "tsv", False, [0, 1]),
        ("ratings.dat", text_of(NUMBERS, "::"), "double_colon", False, [0, 1]),
        ("a.tsv", text_of(ROWS, "\t", "customer_id\tsku\tstars\tcreated_at"), "tsv", True, ["customer_id", "sku"]),
        ("a.csv", "\ufeff" + text_of(ROWS, ",", "USER,ITEM,SCORE,TS"), "csv", True, ["USER", "ITEM"]),
    ],
)
def test_separator_header_and_columns(tmp_path, name, text, format, header, columns):
    (tmp_path / name).write_text(text, encoding="utf-8")
    found = guess(tmp_path / name)
    assert (found.format, found.header) == (format, header)
    assert list(found.columns) == ["user", "item", "rating", "timestamp"]
    assert list(found.columns.values())[:2] == columns
    assert len(found.rows) == 63
    assert (found.scale, found.threshold, found.has_times) == ((1, 5), 4, True)


def test_gzip_and_parquet(tmp_path):
    frame = pd.DataFrame(ROWS, columns=["reviewerID", "asin", "overall", "unixReviewTime"])
    frame.to_parquet(tmp_path / "a.parquet")
    with gzip.open(tmp_path / "b.csv.gz", "wt") as file:
        frame.to_csv(file, index=False)
    for name in ("a.parquet", "b.csv.gz"):
        assert guess(tmp_path / name).columns["item"] == "asin"


@for_each(
    ("ratings", "scale", "threshold", "missing", "why"),
    [
        ([1, 2, 3, 4, 5], (1, 5), 4, None, None),
        ([0.5, 1.5, 2.5, 3.5, 4, 5], (0.5, 5), 4, None, None),
        ([1, 3, 5, 7, 8, 10], (1, 10), 8, None, None),
        ([-9.5, -4, 0, 5.25, 9], (-10, 10), 5.25, None, None),
        ([1], None, None, None, "all ratings are 1"),
        ([1, 2, 3, 4, 17, 150, 4000], None, None, None, "look like counts or measures"),
        ([0] * 12 + [5, 6, 7, 8, 9, 10], (1, 10), 8, 0, None),
    ],
)
def test_scale_and_what_is_relevant(tmp_path, ratings, scale, threshold, missing, why):
    rows = [(f"u{i % 9}", f"i{i // 9}", ratings[i % len(ratings)]) for i in range(252)]
    (tmp_path / "a.csv").write_text(text_of(rows, ",", "user,item,rating"))
    found = guess(tmp_path / "a.csv")
    assert (found.scale, found.threshold, found.missing_rating) == (scale, threshold, missing)
    assert why is None if found.why_implicit is None else why in found.why_implicit
    assert not found.has_times


def test_counts_by_their_name_and_no_ratings_are_implicit(tmp_path):
    (tmp_path / "a.csv").write_text(text_of([row[:3] for row in ROWS], ",", "user,artist,plays"))
    assert "look like counts" in guess(tmp_path / "a.csv").why_implicit
    (tmp_path / "b.csv").write_text(text_of([row[:2] for row in ROWS], ",", "user,item"))
    assert guess(tmp_path / "b.csv").why_implicit == "there are no ratings"


def test_names_that_tell_the_role_better_come_first():
    names = ["id", "session_id", "user_id", "title", "movie_id", "date", "timestamp", "value", "rating"]
    assert roles_in(names) == {"user": "user_id", "item": "movie_id", "rating": "rating", "timestamp": "timestamp"}


def test_columns_that_are_given_count_more(tmp_path):
    (tmp_path / "a.csv").write_text(text_of(ROWS, ",", "user_id,b,c,d"))
    assert guess(tmp_path / "a.csv", {"item": "b", "rating": "c"}).columns == {
        "user": "user_id",
        "item": "b",
        "rating": "c",
    }


@for_each(
    ("text", "told"),
    [
        ("a,b\nx,y\n", r"no column name is recognised as the user \(columns found: a, b\); name it, such as --columns"),
        ("", "is empty"),
        ("1\n2\n", "found one column, expected user and item"),
        ("user,item\nu1,i1\nu2,i1\n", r"every user, such as 'u1', has one row"),
        ("user,item,rating\nu1,i1,x\nu1,i2,3\n", r"line 2: .*rating 'x'"),
    ],
)
def test_what_cannot_be_guessed_is_told(tmp_path, text, told):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(UserError, match=told):
        guess(tmp_path / "a.csv")
    with pytest.raises(UserError, match="does not exist"):
        guess(tmp_path / "none.csv")


def test_the_threshold_is_a_rating_that_was_given(tmp_path):
    rng = np.random.default_rng(1)
    rows = [(f"u{i % 9}", f"i{i // 9}", rng.choice([1, 2, 3])) for i in range(90)]
    (tmp_path / "a.csv").write_text(text_of(rows, ",", "user,item,rating"))
    assert guess(tmp_path / "a.csv").threshold == 3
