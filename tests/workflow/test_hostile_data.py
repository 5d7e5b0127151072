"""Files that ask much of a reader come through the real workflow as far as their splits."""

import json

import pyarrow.parquet as pq
import pytest

from tests.hostile_data import DISLIKED, LONELY, NEGATIVE, WESTERN, write_negative, write_western
from tests.workflow.conftest import Study


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A study of both files, fetched and split."""
    study = Study(tmp_path_factory.mktemp("hostile"))
    write_negative(study.folder / "negative.csv")
    write_western(study.folder / "western.txt")
    study.config["datasets"] = {"negative": NEGATIVE, "western": WESTERN}
    study.config["splits"] = {"last_one": {"kind": "leave_last_out"}}
    study.config["select"]["datasets"] = ["negative", "western"]
    study.config["select"]["ranking"]["split"] = "last_one"
    study.done(*(f"results/splits/{name}/last_one/test.parquet" for name in ("negative", "western")), cores=1)
    return study


def of(study, name):
    folder = study.results / "datasets" / name
    ids = {table: pq.read_table(folder / f"{table}.parquet")["id"].to_pylist() for table in ("users", "items")}
    return json.loads((folder / "summary.json").read_text()), pq.read_table(folder / "interactions.parquet"), ids


def test_negative_ratings_in_quotes_with_emoji_and_milliseconds(hostile):
    summary, table, ids = of(hostile, "negative")
    assert (summary["file_format"], summary["file_encoding"], summary["timestamp_unit"]) == ("semicolon", "utf-8", "ms")
    assert summary["file_quotes"] == "around fields"
    assert (summary["users"], summary["items"]) == (41, 26)
    assert summary["rating_scale"][0] == -10
    assert -(10**9) <= summary["timestamp_range"][0] < 0 < summary["timestamp_range"][1] <= 1_200_000_000
    assert '🦊 "7"; x' in ids["users"]
    lonely, disliked = ids["users"].index(LONELY), ids["items"].index(DISLIKED)
    rows = table.to_pylist()
    assert [row["timestamp"] for row in rows if row["user"] == lonely] == [1_200_000_000]
    assert {row["rating"] for row in rows if row["item"] == disliked} == {-10}
    assert "likely_missing_rating" not in summary
    split = json.loads((hostile.results / "splits/negative/last_one/summary.json").read_text())
    assert (split["test_users"], split["users_with_one_interaction"]) == (40, 1)


def test_western_text_with_dates_and_ratings_that_are_none(hostile):
    summary, table, ids = of(hostile, "western")
    assert (summary["file_format"], summary["file_encoding"]) == ("pipe", "latin-1")
    assert summary["timestamp_unit"] == "iso8601"
    assert summary["rating_scale"] == [0.5, 10]
    assert summary["rows_without_rating"] > 200
    assert ids["users"][0] == "élève 0"
    assert "crème, n° 3" in ids["items"]
    assert all(time % 86_400 == 0 for time in table["timestamp"].to_pylist())


def test_the_rating_that_is_none_is_told_where_the_config_is_silent(tmp_path):
    study = Study(tmp_path)
    write_western(tmp_path / "western.txt")
    study.config["datasets"] = {"western": {key: value for key, value in WESTERN.items() if key != "missing_rating"}}
    study.config["select"]["datasets"] = ["western"]
    study.done("results/datasets/western/summary.json", cores=1)
    summary, *_ = of(study, "western")
    assert "set `missing_rating: 0`" in summary["likely_missing_rating"]
    (log,) = (tmp_path / "results").rglob("logs/fetch_dataset/western*")
    assert "file format pipe, file encoding latin-1" in log.read_text()
