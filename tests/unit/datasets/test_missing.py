"""A rating that means "no rating" is told where it is very frequent and apart, and nowhere else."""

import numpy as np
import pytest
from truerank.datasets._core.interactions import Context
from truerank.datasets._core.missing import likely_missing
from truerank.datasets.file import file
from truerank.datasets.files import files
from truerank.errors import UserError
from truerank.provenance import generator
from truerank.value_counts import ValueCounts

from tests.support import for_each

CONTEXT = Context("mine", generator(1))
COLUMNS = {"user": "u", "item": "i", "rating": "r"}
RNG = np.random.default_rng(3)
BOOKS = {0: 716109, 1: 1770, 2: 2759, 3: 5996, 4: 8904, 5: 50974, 6: 36924, 7: 76457, 8: 103736, 9: 67541, 10: 78610}


def of(counts):
    return np.repeat(list(counts), list(counts.values())).astype(np.float32)


APART = {
    "Book-Crossing": (of(BOOKS), 0, 716109),
    "Jester's 99": (np.append(RNG.uniform(-10, 10, 700), np.full(300, 99)).astype(np.float32), 99, 300),
    "-1 on 1 to 5": (of({-1: 300, 1: 50, 2: 80, 3: 150, 4: 200, 5: 100}), -1, 300),
    "0 on half stars": (of({0: 400} | {half / 2: 60 for half in range(1, 11)}), 0, 400),
    "-99 below 1 to 100": (of({-99: 300} | {value: 9 for value in range(1, 101)}), -99, 300),
}
USUAL = {
    "1 to 5": of({1: 60, 2: 110, 3: 270, 4: 340, 5: 210}),
    "1 to 5, nearly all 5": of({1: 10, 2: 10, 3: 20, 4: 60, 5: 900}),
    "2 to 10 in steps of 2": of({2: 1046, 4: 2791, 6: 10697, 8: 53391, 10: 124537}),
    "0 and 1": of({0: 900, 1: 100}),
    "likes": of({1: 1000}),
    "-1, 0 and 1": of({-1: 300, 0: 600, 1: 100}),
    "1 to 10": of({value: 100 * value for value in range(1, 11)}),
    "0 to 5": of({0: 250, 1: 100, 2: 100, 3: 200, 4: 300, 5: 200}),
    "half stars": of({half / 2: 100 for half in range(1, 11)}),
    "-10 to 10": np.append(RNG.uniform(-10, 10, 900), np.zeros(500)).astype(np.float32),
    "-10 to 10, whole": of({value: 50 for value in range(-10, 11)}),
    "play counts": RNG.zipf(1.7, 5000).astype(np.float32),
    "play counts from 0": RNG.geometric(0.6, 5000).astype(np.float32) - 1,
    "few rows": of({0: 30, 1: 2, 2: 2, 3: 2, 4: 2}),
    "none": np.full(500, np.nan, np.float32),
}


@pytest.mark.parametrize("name", APART)
def test_what_is_apart_is_found(name):
    rating, value, count = APART[name]
    assert likely_missing(ValueCounts.of(RNG.permutation(rating))) == (value, count)


@for_each("name", USUAL)
def test_usual_scales_are_not_cried_at(name):
    assert likely_missing(ValueCounts.of(RNG.permutation(USUAL[name]))) is None


def written(path, ratings):
    path.write_text("u,i,r\n" + "".join(f"u{row % 40},i{row // 40},{r}\n" for row, r in enumerate(ratings)))
    return str(path)


def test_it_is_told_with_the_setting_that_leaves_it_out(tmp_path, caplog):
    ratings = [0] * 120 + [1 + row % 10 for row in range(100)]
    path = written(tmp_path / "r.csv", ratings)
    with caplog.at_level("INFO"):
        note = file(CONTEXT, path=path, columns=COLUMNS).notes["likely_missing_rating"]
    assert note == (
        "120 of 220 ratings are 0, apart from all others; if that means a missing rating, set `missing_rating: 0`"
    )
    assert note in caplog.text
    rows = file(CONTEXT, path=path, columns=COLUMNS, missing_rating=0, scale=[1, 10])
    assert (len(rows), rows.notes["rows_without_rating"], rows.rating.min()) == (100, 120, 1)
    assert "likely_missing_rating" not in rows.notes
    with pytest.raises(UserError, match=r"line 2: found rating '0' .* expected 1 to 10"):
        file(CONTEXT, path=path, columns=COLUMNS, scale=[1, 10])


def test_rows_that_are_left_out_are_no_duplicates(tmp_path):
    (tmp_path / "r.csv").write_text("u,i,r\na,x,0\na,x,5\nb,x,4\n")
    rows = file(CONTEXT, path=str(tmp_path / "r.csv"), columns=COLUMNS, missing_rating=0)
    assert rows.rating.tolist() == [5, 4]
    (tmp_path / "r.csv").write_text("u,i,r\na,x,0\na,x,5\na,x,4\n")
    with pytest.raises(UserError, match=r"r.csv, lines 3 and 4: found the pair"):
        file(CONTEXT, path=str(tmp_path / "r.csv"), columns=COLUMNS, missing_rating=0)


def test_nothing_left_is_refused(tmp_path):
    path = written(tmp_path / "r.csv", [0, 0, 0])
    with pytest.raises(UserError, match=r"r.csv has no rating but 0, which `missing_rating` leaves out"):
        file(CONTEXT, path=path, columns=COLUMNS, missing_rating=0)


def test_both_given_files_are_counted(tmp_path):
    (tmp_path / "train.csv").write_text("u,i,r\na,x,0\na,y,5\nb,x,4\n")
    (tmp_path / "test.csv").write_text("u,i,r\na,z,0\na,w,5\n")
    paths = {part: str(tmp_path / f"{part}.csv") for part in ("train", "test")}
    rows = files(CONTEXT, **paths, columns=COLUMNS, missing_rating=0)
    assert (len(rows), rows.notes["rows_without_rating"]) == (3, 2)
