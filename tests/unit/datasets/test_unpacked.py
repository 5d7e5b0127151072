"""Files of public data that somebody has unpacked are used, plain or gzipped, in a folder or alone."""

import gzip

import pytest
from truerank.datasets import book_crossing, ml_1m, ml_100k, ml_large, renttherunway
from truerank.datasets._core import archives
from truerank.datasets._core.archives import find
from truerank.datasets._core.interactions import Context
from truerank.datasets._core.reading.content import content
from truerank.datasets._core.unpacked import COMMON
from truerank.errors import UserError
from truerank.provenance import generator
from truerank.registry import DATASETS

CONTEXT = Context("mine", generator(1))
MARKERS = {
    "ml-100k": "u.data",
    "ml-1m": "ratings.dat",
    "ml-20m": "ratings.csv",
    "ml-25m": "ratings.csv",
    "book-crossing": "BX-Book-Ratings.csv",
    "docear": "recommendations.csv",
    "librarything-reviews": "reviews.json",
}
PUBLIC = [
    (entry.name, archive) for entry in DATASETS for archive in entry.facts.archives if not archive.file.endswith(".whl")
]


@pytest.fixture
def data(tmp_path, monkeypatch):
    """An empty $TRUERANK_DATA, an empty cache and no network."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("TRUERANK_DATA", str(folder))
    monkeypatch.setattr(archives, "cache_folder", lambda: tmp_path / "cache")
    return folder


def put(folder, name, text, packed=False):
    folder.mkdir(parents=True, exist_ok=True)
    raw = text.encode("latin-1")
    (folder / (f"{name}.gz" if packed else name)).write_bytes(gzip.compress(raw, mtime=0) if packed else raw)


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
@pytest.mark.parametrize(("dataset", "archive"), PUBLIC, ids=[f"{name}, {archive.file}" for name, archive in PUBLIC])
def test_every_public_dataset_is_found_in_a_folder_of_its_name_and_alone(data, monkeypatch, dataset, archive, packed):
    marker = MARKERS.get(dataset, archive.file)
    plain = marker.removesuffix(".gz")
    assert dataset in archive.folders
    for folder in archive.folders:
        put(data / folder, plain, folder, packed)
        assert content(*find(archive, marker=marker).locate(marker))[0].decode() == folder
        assert find(archive, marker=marker).lacks("other.dat") == (["other.dat"] if archive.is_packed else [])
        (data / folder / (f"{plain}.gz" if packed else plain)).unlink()
    home = data / dataset  # $TRUERANK_DATA may be that folder itself
    put(home, plain, "alone", packed)
    monkeypatch.setenv("TRUERANK_DATA", str(home))
    monkeypatch.setattr(archives, "check", lambda *_: None)  # of what is the archive itself
    assert content(*find(archive, marker=marker).locate(marker))[0] == b"alone"
    if marker not in COMMON:
        put(data, plain, "alone", packed)
        monkeypatch.setenv("TRUERANK_DATA", str(data))
        (home / (f"{plain}.gz" if packed else plain)).unlink()
        assert content(*find(archive, marker=marker).locate(marker))[0] == b"alone"


def test_a_name_that_several_datasets_use_does_not_tell_which(data, monkeypatch):
    put(data, "ratings.csv", "userId,movieId,rating,timestamp\n")
    for archive in (ml_large.ML_20M, renttherunway.TABLE):
        with pytest.raises(UserError, match="could not be downloaded"):
            find(replace_fetch(archive), marker="ratings.csv")


def replace_fetch(archive):
    return archives.replace(archive, fetch=None)


def test_the_message_says_what_was_looked_for_and_where(data, monkeypatch):
    archive = replace_fetch(book_crossing.ARCHIVE)
    with pytest.raises(UserError) as failure:
        find(archive, marker="BX-Book-Ratings.csv")
    places = "book-crossing/BX-Book-Ratings.csv, BX-CSV-Dump/BX-Book-Ratings.csv, BX-CSV-Dump.zip, BX-Book-Ratings.csv"
    assert f"$TRUERANK_DATA, {data}, has none of {places}, plain or gzipped" in str(failure.value)
    put(data / "book-crossing", "train.csv", "1,2\n")
    with pytest.raises(
        UserError, match=r"\(its book-crossing has train.csv, see `source: file` and `files`\); download it yourself"
    ):
        find(archive, marker="BX-Book-Ratings.csv")
    monkeypatch.delenv("TRUERANK_DATA")
    with pytest.raises(UserError, match=r"\$TRUERANK_DATA is not set; download it yourself"):
        find(archive, marker="BX-Book-Ratings.csv")


RATINGS_1M = "1::1193::5::978300760\n2::661::3::978302109\n"
USERS_1M = "1::F::1::10::48067\n2::M::56::16::70072\n"
MOVIES_1M = "661::James (1996)::Animation\n1193::Misérables, Les (1995)::Drama\n"


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
def test_ml_1m_with_and_without_its_attributes(data, monkeypatch, packed):
    monkeypatch.setattr(ml_1m, "SIZE", dict.fromkeys(ml_1m.SIZE, 2))
    put(data / "ml-1m", "ratings.dat", RATINGS_1M, packed)
    rows = ml_1m.ml_1m(CONTEXT)
    assert (list(rows.users), list(rows.items)) == (["id"], ["id"])
    assert rows.notes["attributes_absent"] == "users.dat, movies.dat"
    put(data / "ml-1m", "movies.dat", MOVIES_1M, packed)
    rows = ml_1m.ml_1m(CONTEXT)
    assert rows.items["title"] == ["James", "Misérables, Les"]
    assert (list(rows.users), rows.notes["attributes_absent"]) == (["id"], "users.dat")
    put(data / "ml-1m", "users.dat", USERS_1M, packed)
    rows = ml_1m.ml_1m(CONTEXT)
    assert rows.users["age"] == [1, 56]
    assert "attributes_absent" not in rows.notes


def test_ml_100k_and_ml_20m_without_their_attributes(data, monkeypatch):
    put(data / "ml-100k", "u.data", "1\t2\t3\t878887116\n2\t2\t5\t878887117\n", packed=True)
    monkeypatch.setattr(ml_100k, "CHECKSUM", ml_100k.ratings(*table_of(data)).canonical().checksum())
    rows = ml_100k.ml_100k(CONTEXT)
    assert (list(rows.users), rows.notes["attributes_absent"]) == (["id"], "u.user, u.item, u.genre")
    put(data / "ml-20m", "ratings.csv", "userId,movieId,rating,timestamp\n1,10,3.5,1112486027\n")
    monkeypatch.setitem(ml_large.SIZES, "ml-20m", {"users": 1, "items": 1, "ratings": 1})
    rows = ml_large.ml_20m(CONTEXT)
    assert (list(rows.items), rows.notes["attributes_absent"]) == (["id"], "movies.csv")


def table_of(data):
    return (
        archives.Found(data / "ml-100k", "ml-100k"),
        "u.data",
        {"user": 0, "item": 1, "rating": 2, "timestamp": 3},
        False,
    )


def test_book_crossing_without_its_attributes(data):
    put(data / "book-crossing", "BX-Book-Ratings.csv", '"User-ID";"ISBN";"Book-Rating"\r\n"1";"x\\"y";"5"\r\n', True)
    rows = book_crossing.book_crossing(CONTEXT)
    assert (rows.items, list(rows.users)) == ({"id": ['x"y']}, ["id"])
    assert rows.notes["attributes_absent"] == "BX-Users.csv, BX-Books.csv"


def test_renttherunway_as_a_table(data, monkeypatch):
    table = "user_id,item_id,rating,review_date\n" + "".join(f"{user},7,10.0,2016-04-20\n" for user in range(200))
    put(data / "renttherunway", "ratings.csv", f"{table}5,7,8.0,2017-01-01\n9,9,,2016-04-20\n", packed=True)
    with pytest.raises(UserError, match=r"ratings.csv.gz: found 202 reviews, expected 192,544 reviews"):
        renttherunway.renttherunway(CONTEXT)
    monkeypatch.setattr(renttherunway, "SIZE", {"reviews": 202})
    rows = renttherunway.renttherunway(CONTEXT)
    assert (len(rows), rows.notes["rows_without_rating"], rows.notes["duplicates_removed"]) == (200, 1, 1)
    assert (rows.rating[5], rows.timestamp[5], rows.timestamp[0]) == (8, 1_483_228_800, 1_461_110_400)
    assert (list(rows.users), rows.notes["attributes_absent"]) == (["id"], renttherunway.FILE)
