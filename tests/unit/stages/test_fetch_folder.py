"""A folder of Parquet files is read some rows at a time, and written with the bytes of one file that has all rows."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from truerank import spill
from truerank.artefacts.files import read_json
from truerank.datasets import file as source
from truerank.datasets._core import ids, spilled
from truerank.datasets._core.reading import stored
from truerank.errors import UserError
from truerank.provenance import generator
from truerank.stages.fetch_dataset import fetch_dataset

from tests.support import run_stage

COLUMNS = {"user": "who", "item": "what", "rating": "stars", "timestamp": "when"}
WRITTEN = ("interactions", "user_table", "item_table", "facts")


def made_up(n=400, user=lambda code: code, item="item {}".format, unit=1):
    """Rows in no order, without a pair twice; every fifth has no time."""
    rng = generator(5, "folder")
    pairs = rng.permutation(60 * 30)[:n]
    when = pd.array(rng.integers(1_200_000_000, 1_700_000_000, n) * unit, "Int64")
    when[::5] = None
    stars = rng.integers(1, 11, n) / 2
    named = {"who": [user(code) for code in pairs // 30], "what": [item(code) for code in pairs % 30]}
    return pd.DataFrame(named | {"stars": stars, "when": when})


def dates(rows):
    return pd.to_datetime(rows["when"], unit="s")


FRAMES = {
    "numbers": made_up(),
    "texts": made_up(user="user {}".format, item="{}é".format),
    "whole_texts": made_up(user=str, item=lambda code: f"{code:03}"),
    "milliseconds": made_up(unit=1000),
    "dates": made_up().assign(when=dates),
    "texts_of_dates": made_up().assign(when=lambda rows: dates(rows).dt.strftime("%Y-%m-%d %H:%M")),
    "any_rating": made_up().assign(stars=generator(1, "stars").random(400)),
    "near_zero_first": made_up().assign(when=[0, *[3] * 99, *[1_600_000_000_000] * 300]),
    "few_empty": made_up().assign(stars=[None, None, None, *[3.5] * 397]),
}
TWICE = pd.concat([made_up(), made_up()[7:10].assign(stars=5.0, when=9)], ignore_index=True)


@pytest.fixture
def fetched(tmp_path, monkeypatch):
    """Fetch a frame as one file and as a folder of several; return the bytes of all tables, and the summaries."""

    def fetch(frame, paths=("one.parquet", "many"), **settings):
        (tmp_path / "many" / "z").mkdir(parents=True, exist_ok=True)
        frame.to_parquet(tmp_path / "one.parquet", index=False)
        cuts = [0, 90, 91, 91, 300, len(frame)]
        for number, (start, stop) in enumerate(pairwise(cuts)):
            folder = tmp_path / "many" / ("z" if number == 4 else "")
            own = pd.read_parquet(tmp_path / "one.parquet").iloc[start:stop]
            own.astype(pd.read_parquet(tmp_path / "one.parquet").dtypes).to_parquet(folder / f"part-{number}.parquet")
        found = []
        for path in paths:
            definition = {"source": "file", "path": str(tmp_path / path), "columns": COLUMNS} | settings
            outputs = {name: tmp_path / "out" / path / name for name in WRITTEN}
            run_stage(fetch_dataset, {}, outputs, ("mine",), dataset=definition, seed=1)
            facts = read_json(outputs["facts"])
            assert facts.pop("origin") == definition["path"]
            found.append(([outputs[name].read_bytes() for name in WRITTEN[:3]], list(facts.items())))
        return found

    monkeypatch.setattr(stored, "ROWS_AT_A_TIME", 37)
    monkeypatch.setattr(spill, "ROWS_PER_PART", 50)
    monkeypatch.setattr(spilled, "ROWS_PER_PART", 50)
    monkeypatch.setattr(ids, "MERGED_FROM", 20)
    return fetch


@pytest.mark.parametrize("name", FRAMES)
def test_same_bytes_as_one_file(fetched, name):
    one, many = fetched(FRAMES[name])
    assert many == one


@pytest.mark.parametrize("policy", ["auto", "first", "last", "mean", "max"])
def test_duplicates_are_settled_across_files(fetched, policy):
    one, many = fetched(TWICE, duplicates=policy)
    assert many == one
    assert dict(many[1])["duplicates_removed"] == 3


@pytest.mark.parametrize(
    "settings",
    [
        {"implicit_threshold": 3},
        {"binary_threshold": 3, "scale": [0, 5]},
        {"per_user": 8},
        {"core": 6},
        {"implicit_threshold": 2, "per_user": 4, "core": 3},
        {"missing_rating": 2.5},
        {"items": 50},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["numbers", "texts"])
def test_filters_of_rows(fetched, name, settings):
    one, many = fetched(FRAMES[name], **settings)
    assert many == one


def test_order_of_ids_that_are_numbers_once_others_are_gone(fetched):
    frame = made_up(user=lambda code: "a" if code == 3 else str(code), item=str)
    one, many = fetched(frame[(frame["who"] != "a") | (np.arange(len(frame)) % 3 == 0)], per_user=5)
    assert many == one
    assert read_ids(many) == sorted(read_ids(many), key=int)


def read_ids(found):
    import io

    return list(pd.read_parquet(io.BytesIO(found[0][1]))["id"])


def test_a_large_file_is_read_in_the_same_way(fetched, monkeypatch):
    one, _ = fetched(FRAMES["numbers"])
    monkeypatch.setattr(source, "LARGE", 1)
    again, _ = fetched(FRAMES["numbers"])
    assert again == one


@pytest.mark.parametrize(
    ("rows", "change", "settings", "sentence"),
    [
        ([100], {"stars": 9.0}, {"scale": [0, 5]}, r"part-3.parquet, row 10: found rating '9.0' .* expected 0 to 5"),
        ([100], {"what": " "}, {}, r"part-3.parquet, row 10: found an empty item id"),
        ([100], {"when": 10**15}, {}, r"part-3.parquet, row 10: found timestamp '1000000000000000'"),
        (range(91, 300), {"when": 10**15}, {}, r"many: found times in s and us, expected one of the two"),
        (range(9), {"stars": None}, {}, r"many: found 9 of 400 ratings empty"),
        (range(400), {"stars": 1}, {"missing_rating": 1}, r"many has no rating but 1"),
        (
            [80, 320],
            {"who": 0, "what": "item 31"},
            {"duplicates": "error"},
            r"part-0.parquet, row 81 and .*part-4.parquet, row 21: found the pair user '0', item 'item 31' more than",
        ),
    ],
    ids=["rating", "id", "time", "times", "empty", "missing", "twice"],
)
def test_what_is_wrong_is_told_by_file_and_row(fetched, rows, change, settings, sentence):
    frame = FRAMES["numbers"].assign(when=1_600_000_000)
    for name, value in change.items():
        frame.loc[list(rows), name] = value
    with pytest.raises(UserError, match=sentence):
        fetched(frame, ["many"], **settings)


def test_a_folder_without_parquet_files_is_told(tmp_path):
    (tmp_path / "rows.csv").write_text("who,what\n1,2\n")
    definition = {"source": "file", "path": str(tmp_path), "columns": {"user": "who", "item": "what"}}
    with pytest.raises(UserError, match=r"is a folder without a Parquet file"):
        run_stage(fetch_dataset, {}, {name: tmp_path / name for name in WRITTEN}, ("mine",), dataset=definition, seed=1)
