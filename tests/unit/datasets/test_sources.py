"""Every public source, from a small file of the true format with the quirks of the real one."""

import gzip
import io
import json
import re
import tarfile
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from truerank.datasets import (
    amazon_clothing,
    beeradvocate,
    book_crossing,
    docear,
    librarything,
    ml_large,
    one_left_out,
    renttherunway,
)
from truerank.datasets._core import archives, sizes
from truerank.datasets._core.interactions import NO_TIME, Context
from truerank.errors import UserError
from truerank.models._core.context import encode
from truerank.provenance import generator, sha256
from truerank.registry import DATASETS

CONTEXT = Context("mine", generator(1))
OF_KNOWN_SIZE = (beeradvocate, one_left_out, renttherunway)


@pytest.fixture
def data(tmp_path, monkeypatch):
    """An empty $TRUERANK_DATA and an empty cache; files may be smaller than the published ones."""
    for module in OF_KNOWN_SIZE:
        monkeypatch.setattr(module, "check_size", lambda *_: None)
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("TRUERANK_DATA", str(folder))
    monkeypatch.setattr(archives, "cache_folder", lambda: tmp_path / "cache")
    return folder


def without_checksum(monkeypatch, module, name):
    monkeypatch.setattr(module, name, replace(getattr(module, name), checksum=None))


def zipped(path, files, encoding="utf-8"):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text.encode(encoding))


def gzipped(path, lines, encoding="utf-8"):
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(encoding), mtime=0))


def triples(rows):
    """(user id, item id, rating) of all rows, a missing rating as None."""
    rating = [None if np.isnan(value) else float(value) for value in rows.rating]
    return [(*rows.pair_ids(row), rating[row]) for row in range(len(rows))]


# MovieLens 20M and 25M


@pytest.mark.parametrize(("source", "name"), [("ml-20m", "ML_20M"), ("ml-25m", "ML_25M")])
def test_large_movielens(data, monkeypatch, source, name):
    without_checksum(monkeypatch, ml_large, name)
    monkeypatch.setitem(ml_large.SIZES, source, {"users": 2, "items": 3, "ratings": 3})
    ratings = "userId,movieId,rating,timestamp\r\n1,10,3.5,1112486027\r\n1,2,0.5,1112484676\r\n2,30,5.0,1112484819\r\n"
    movies = (
        "movieId,title,genres\r\n2,Jumanji (1995),Adventure|Children\r\n"
        '10,"City of Lost Children, The (Cité, La) (1995)",Fantasy\r\n30,"Un\u2028titled\x85",(no genres listed)\r\n'
    )
    zipped(data / f"{source}.zip", {f"{source}/ratings.csv": ratings, f"{source}/movies.csv": movies})
    rows = DATASETS[source].make(CONTEXT)
    assert triples(rows) == [("1", "2", 0.5), ("1", "10", 3.5), ("2", "30", 5)]
    assert rows.timestamp.tolist() == [1112484676, 1112486027, 1112484819]
    assert rows.items == {
        "id": ["2", "10", "30"],
        "title": ["Jumanji", "City of Lost Children, The (Cité, La)", "Un\u2028titled"],
        "year": [1995, 1995, None],
        "genres": ["Adventure|Children", "Fantasy", None],
    }
    assert rows.notes["archive_checksum"] == f"sha256:{sha256(data / f'{source}.zip')}"
    monkeypatch.setitem(ml_large.SIZES, source, {"users": 9, "items": 9, "ratings": 9})
    with pytest.raises(UserError, match="found 2 users, 3 items, 3 ratings, expected 9 users"):
        DATASETS[source].make(CONTEXT)


def test_the_real_archives_of_movielens_have_published_checksums():
    known = [DATASETS[name].facts.archives[0].checksum for name in ("ml-100k", "ml-1m", "ml-20m", "ml-25m")]
    assert all(checksum.startswith("md5:") and len(checksum) == 36 for checksum in known)


# Book-Crossing

BX = {
    "BX-Book-Ratings.csv": '"User-ID";"ISBN";"Book-Rating"\r\n"276725";"034545104X";"0"\r\n'
    '"276726";"0155061224";"5"\r\n'
    '"276727";"0446520802";"10"\r\n"276727";"0446520802";"8"\r\n"276727";"3518,X";"7"\r\n"8";"078946697X";"1"\r\n',
    "BX-Users.csv": '"User-ID";"Location";"Age"\r\n"8";"timmins, ontario, canada";NULL\r\n'
    '"276725";"tyler, texas, usa";NULL\r\n"276726";"köln, n/a, ";"24"\r\n'
    '"276727";"h\\"ome, new south wales, australia";"244"\r\n',
    "BX-Books.csv": '"ISBN";"Book-Title";"Book-Author";"Year-Of-Publication";"Publisher";"S";"M";"L"\r\n'
    '"0155061224";"Rites of Passage; or not";"Judith Rae";"2001";"Heinle &amp; Co";"u";"u";"u"\r\n'
    '"0446520802";"The \\"Notebook\\"";"Sparks";"0";"NULL";"u";"u";"u"\r\n'
    '"078946697X";"DK Readers (Level 4)\\";Michael Teitelbaum";"2000";"DK";"u";"u";"u"\r\n',
}


def test_book_crossing(data, monkeypatch):
    without_checksum(monkeypatch, book_crossing, "ARCHIVE")
    zipped(data / "BX-CSV-Dump.zip", BX, "latin-1")
    rows = book_crossing.book_crossing(CONTEXT)
    assert triples(rows) == [
        ("8", "078946697X", 1),
        ("276726", "0155061224", 5),
        ("276727", "0446520802", 8),
        ("276727", "3518,X", 7),
    ]
    assert rows.users["age"] == [None, 24, None]  # 244 years is nobody's age
    assert rows.users["country"] == ["canada", None, "australia"]
    title = dict(zip(rows.items["id"], rows.items["title"], strict=True))
    assert title == {
        "0155061224": "Rites of Passage; or not",
        "0446520802": 'The "Notebook"',
        "078946697X": "DK Readers (Level 4)",
        "3518,X": None,
    }
    assert rows.items["author"] == ["Judith Rae", "Sparks", "Michael Teitelbaum", None]
    assert rows.items["year"] == [2001, None, 2000, None]
    assert rows.items["publisher"] == ["Heinle & Co", None, "DK", None]
    assert rows.scale == (1, 10)
    assert (rows.notes["rows_without_rating"], rows.notes["duplicates_removed"]) == (1, 1)
    everything = book_crossing.book_crossing(CONTEXT, feedback="all")
    assert len(everything) == 5
    assert np.isnan(everything.rating).all()


@pytest.mark.parametrize("row", ['"1";"2"', '"1";"2";"11"', '"1";"2";"x"', '"";"2";"3"'], ids=range(4))
def test_book_crossing_with_a_damaged_rating(data, monkeypatch, row):
    without_checksum(monkeypatch, book_crossing, "ARCHIVE")
    damaged = BX["BX-Book-Ratings.csv"].replace('"276726";"0155061224";"5"', row)
    zipped(data / "BX-CSV-Dump.zip", BX | {"BX-Book-Ratings.csv": damaged}, "latin-1")
    with pytest.raises(UserError, match=r"BX-Book-Ratings.csv\): found 1 lines that cannot be read .* on line 3"):
        book_crossing.book_crossing(CONTEXT)
    damaged += "".join(f'"{user}";"034545104X";"7"\r\n' for user in range(100))
    zipped(data / "BX-CSV-Dump.zip", BX | {"BX-Book-Ratings.csv": damaged}, "latin-1")
    assert book_crossing.book_crossing(CONTEXT).notes["lines_unreadable"] == 1


# RentTheRunway


def review(**fields):
    full = {"fit": "fit", "user_id": "420272", "bust size": "34d", "item_id": "2260466", "weight": "137lbs"}
    full |= {"rating": "10", "rented for": "vacation", "review_text": 'Ça va: "x"', "body type": "hourglass"}
    full |= {"category": "romper", "height": "5' 8\"", "size": 14, "age": "28", "review_date": "April 20, 2016"}
    full |= fields
    return json.dumps({key: value for key, value in full.items() if value is not ...})


def test_renttherunway(data):
    lines = [
        review(),
        review(
            user_id="273551", item_id="153475", weight=..., height="5' 11\"", age=None, rating="8", **{"bust size": ...}
        ),
        review(user_id="273551", item_id="99", rating=None),
        review(user_id="9", item_id="99", height=..., weight=..., age="117", **{"body type": ..., "review_date": "?"}),
        review(age=..., weight="140lbs", review_date="January 1, 2018", rating="4"),
    ]
    gzipped(data / renttherunway.FILE, lines)
    rows = renttherunway.renttherunway(CONTEXT)
    assert triples(rows) == [("9", "99", 10), ("273551", "153475", 8), ("420272", "2260466", 4)]
    assert rows.timestamp.tolist() == [NO_TIME, 1461110400, 1514764800]
    assert rows.users == {
        "id": ["9", "273551", "420272"],
        "age": [None, None, 28],
        "height": [None, 71, 68],
        "weight": [None, None, 140],
        "body_type": [None, "hourglass", "hourglass"],
        "bust_size": ["34d", None, "34d"],
    }
    assert rows.items["category"] == ["romper", "romper", "romper"]
    assert rows.notes["rows_without_rating"] == 1
    assert rows.notes["duplicates_removed"] == 1


def test_attributes_with_gaps_become_context(data):
    lines = [review(user_id=str(u), height="5' 4\"" if u % 2 else None, age=str(20 + u)) for u in range(6)]
    gzipped(data / renttherunway.FILE, lines)
    users = renttherunway.renttherunway(CONTEXT).users
    columns = {name: np.array(values, float) for name, values in users.items() if name in ("age", "height")}
    features = encode(columns | {"body_type": np.array(users["body_type"], object)})
    assert features.shape[0] == 6
    assert np.isfinite(features).all()


def test_a_file_of_another_kind_is_refused_and_a_few_bad_lines_are_not(data):
    good = [review(user_id=str(u)) for u in range(300)]
    gzipped(data / renttherunway.FILE, [*good, "{cut off"])
    assert renttherunway.renttherunway(CONTEXT).notes["lines_unreadable"] == 1
    gzipped(data / renttherunway.FILE, ["user,item", "1,2", review()])
    with pytest.raises(UserError, match=r"found 2 lines that cannot be read and 1 that can, the first on line 1"):
        renttherunway.renttherunway(CONTEXT)
    gzipped(data / renttherunway.FILE, ["[1]" for _ in range(3)])
    with pytest.raises(UserError, match="3 lines that cannot be read"):
        renttherunway.renttherunway(CONTEXT)
    gzipped(data / renttherunway.FILE, ["x" * 1_000_001])
    with pytest.raises(UserError, match="a line of more than 1,000,000 bytes"):
        renttherunway.renttherunway(CONTEXT)
    gzipped(data / renttherunway.FILE, [review(rating=None)])
    with pytest.raises(UserError, match="no interaction that can be used"):
        renttherunway.renttherunway(CONTEXT)


# Amazon


def test_amazon_ratings(data, monkeypatch):
    unchecked = {name: replace(archive, checksum=None) for name, archive in amazon_clothing.ARCHIVES.items()}
    monkeypatch.setattr(amazon_clothing, "ARCHIVES", unchecked)
    text = "0871167042,A2IC3NZN488KWK,5.0,1403740800\nB00,A2IC3NZN488KWK,1.0,1\nB00,A30,4.0,2\nB00,A30,2.0,3\n"
    (data / amazon_clothing.RATINGS).write_text(text)
    rows = amazon_clothing.amazon_clothing(CONTEXT)
    assert triples(rows) == [("A2IC3NZN488KWK", "0871167042", 5), ("A2IC3NZN488KWK", "B00", 1), ("A30", "B00", 2)]
    assert rows.timestamp.tolist() == [1403740800, 1, 3]
    assert rows.notes["duplicates_removed"] == 1
    (data / amazon_clothing.RATINGS).write_text(text.replace("4.0", "6.0"))
    with pytest.raises(UserError, match=r"line 3: found rating '6.0'"):
        amazon_clothing.amazon_clothing(CONTEXT)


def test_amazon_reviews(data):
    fields = {"overall": 5.0, "verified": True, "reviewerID": "A1", "asin": "B1", "unixReviewTime": 1399248000}
    reviews = [
        fields | {"reviewText": "Tall & «fit»", "style": {"Size:": " 9"}},
        fields | {"reviewerID": "A2", "overall": 1},
        {key: value for key, value in (fields | {"asin": "B2"}).items() if key != "unixReviewTime"},
        {key: value for key, value in fields.items() if key != "overall"},
    ]
    gzipped(data / amazon_clothing.FIVE_CORE, map(json.dumps, reviews))
    rows = amazon_clothing.amazon_clothing(CONTEXT, version="five_core")
    assert triples(rows) == [("A1", "B1", 5), ("A1", "B2", 5), ("A2", "B1", 1)]
    assert rows.timestamp.tolist() == [1399248000, NO_TIME, 1399248000]
    assert rows.notes["rows_without_rating"] == 1


# BeerAdvocate

BEERS = [
    {"beer/name": "Sausa Weizen", "beer/beerId": "47986", "beer/style": "Hefeweizen", "review/overall": "1.5"},
    {"beer/name": 'Müller\'s "Red"', "beer/beerId": "48213", "beer/style": "Strong Ale", "review/overall": "3"},
    {"beer/name": "Black Horse", "beer/beerId": "48215", "beer/style": "Stout", "review/overall": "0"},
    {"beer/name": "Black Horse", "beer/beerId": "48215", "beer/style": "Stout", "review/overall": "4.5"},
    {"beer/name": "Black Horse", "beer/beerId": "48215", "beer/style": "Stout", "review/overall": "5"},
]
DRINKERS = ["stcules", "stcules", "stcules", "", "oline73"]


def beers():
    for number, (beer, drinker) in enumerate(zip(BEERS, DRINKERS, strict=True)):
        text = "A lot of foam. time: 5, but"
        yield beer | {"review/profileName": drinker, "review/time": str(1234817823 + number), "review/text": text}


@pytest.mark.parametrize("form", ["literals", "paragraphs"])
def test_beeradvocate(data, monkeypatch, form):
    monkeypatch.setattr(
        beeradvocate, "ARCHIVES", tuple(replace(archive, checksum=None) for archive in beeradvocate.ARCHIVES)
    )
    if form == "literals":
        gzipped(data / beeradvocate.LITERALS, ["{'cut off", *map(repr, [*beers()] * 100)])
    else:
        lines = [line for beer in beers() for line in [*(f"{key}: {value}" for key, value in beer.items()), ""]]
        gzipped(data / beeradvocate.PARAGRAPHS, [*lines * 100, "without what parts it"], "latin-1")
    rows = beeradvocate.beeradvocate(CONTEXT)
    assert triples(rows) == [("oline73", "48215", 5), ("stcules", "47986", 1.5), ("stcules", "48213", 3)]
    assert rows.timestamp.tolist() == [1234817827, 1234817823, 1234817824]
    assert rows.notes["duplicates_removed"] == 297
    assert rows.items["title"] == ["Sausa Weizen", 'Müller\'s "Red"', "Black Horse"]
    assert rows.items["style"] == ["Hefeweizen", "Strong Ale", "Stout"]
    assert (rows.notes["rows_without_user"], rows.notes["rows_without_rating"]) == (100, 100)
    assert rows.notes["lines_unreadable"] == 1


# LibraryThing


def test_librarything_with_tags(data):
    lines = ["1\t7\t8\tscience fiction", "1\t7\t8\towned", "1 9 0 café", "12 9 10", "2 7 1 a b c"]
    (data / "UI2.txt").write_bytes("\n".join(lines).encode("latin-1"))
    rows = librarything.librarything(CONTEXT)
    assert triples(rows) == [("1", "7", 4), ("2", "7", 0.5), ("12", "9", 5)]
    assert rows.notes["rows_without_rating"] == 1
    (data / "librarything").mkdir()
    (data / "UI2.txt").rename(data / "librarything" / "UI2.txt")
    assert triples(librarything.librarything(CONTEXT)) == triples(rows)


def test_librarything_with_tags_is_fetched_by_hand(data):
    with pytest.raises(
        UserError, match=r"UI2.txt could not be downloaded .*download it yourself from http://www.macle.nl/tud/LT/"
    ):
        librarything.librarything(CONTEXT)


LT = [
    {"comment": 'it\'s "good" }] = {\n', "unixtime": 1194393600, "work": "3206242", "stars": 5.0, "user": "van_stef"},
    {"comment": "", "unixtime": 1308873600, "work": "12198649", "user": "dwatson2"},
    {"comment": "", "work": "12198649", "stars": 0.5, "user": "amdrane2"},
]


def tarred(path, files):
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))


@pytest.mark.parametrize("form", ["json", "txt"])
def test_librarything_reviews(data, form):
    if form == "json":
        text = "".join(f"{review!r}\n" for review in LT)
    else:
        text = "reviews = {}\n" + "".join(f"reviews[('{r['work']}', '{r['user']}')] = {r!r}\n" for r in LT)
    files = {"lthing_data/edges.txt": "a b\n", f"lthing_data/reviews.{form}": text}
    tarred(data / "lthing_data.tar.gz", files)
    rows = librarything.librarything_reviews(CONTEXT)
    assert triples(rows) == [("amdrane2", "12198649", 0.5), ("van_stef", "3206242", 5)]
    assert rows.timestamp.tolist() == [NO_TIME, 1194393600]
    assert rows.notes["rows_without_rating"] == 1


def test_what_looks_like_code_is_not_run(data, tmp_path):
    trap = tmp_path / "run"
    lines = [f"__import__('pathlib').Path({str(trap)!r}).touch()", *map(repr, LT * 200)]
    tarred(data / "lthing_data.tar.gz", {"lthing_data/reviews.json": "\n".join(lines)})
    assert librarything.librarything_reviews(CONTEXT).notes["lines_unreadable"] == 1
    assert not trap.exists()


# Pinterest-20 and Yelp


def test_pinterest_20(data):
    (data / "pinterest-20.train.rating").write_text("0\t3\t1\t0\n0\t3\t1\t0\n1\t3\t1\t0\n1\t4\t1\t0\n")
    (data / "pinterest-20.test.rating").write_text("0\t1\t1\t0\n1\t4\t1\t0\n")
    rows = one_left_out.pinterest_20(CONTEXT)
    assert triples(rows) == [("0", "1", None), ("0", "3", None), ("1", "3", None), ("1", "4", None)]
    assert rows.part.tolist() == [True, False, False, True]
    assert (rows.timestamp == NO_TIME).all()
    assert (rows.notes["duplicates_removed"], rows.notes["training_rows_in_test"]) == (1, 1)
    assert rows.notes["archive_checksum"].keys() == {"pinterest-20.train.rating", "pinterest-20.test.rating"}


@pytest.mark.parametrize("times", [True, False])
def test_yelp(data, times):
    def lines(*rows):
        return "".join("\t".join(row[: 4 if times else 3]) + "\n" for row in rows)

    (data / "yelp").mkdir()
    train = lines(("0", "5", "2.0", "1420473600"), ("1", "5", "5.0", "1388592000"))
    (data / "yelp" / "yelp.train.rating").write_text(train)
    (data / "yelp" / "yelp.test.rating").write_text(lines(("0", "32", "4.0", "1420473601")))
    rows = one_left_out.yelp(CONTEXT)
    assert triples(rows) == [("0", "5", 2), ("0", "32", 4), ("1", "5", 5)]
    assert rows.part.tolist() == [False, True, False]
    assert rows.timestamp.tolist() == ([1420473600, 1420473601, 1388592000] if times else [NO_TIME] * 3)
    plain = one_left_out.yelp(CONTEXT, ratings=False)
    assert triples(plain) == [("0", "5", None), ("0", "32", None), ("1", "5", None)]
    assert (plain.timestamp.tolist(), plain.scale) == (rows.timestamp.tolist(), None)
    (data / "yelp" / "yelp.test.rating").write_text(lines(("7", "32", "4.0", "1420473601")))
    with pytest.raises(UserError, match="the test user '7', who has no row in"):
        one_left_out.yelp(CONTEXT)


# Docear


def docear_table(*rows):
    header = "\t".join(f"column {place}" for place in range(32))
    lines = [header]
    for user, item, clicked, rating in rows:
        cells = ["0"] * 32
        cells[30], cells[4], cells[3], cells[7] = user, item, clicked, rating
        lines.append("\t".join(cells))
    return "\n".join([*lines, "cut\toff"])


def pack_docear(data, rows):
    files = {"recommendations/recommendations/recommendations.csv": docear_table(*rows)}
    zipped(data / "docear-datasets-recommendations.zip", files)


def test_docear(data):
    rows = [("5", "900", "2013-04-02 18:15:22", ""), ("5", "901", "", "9"), ("6", "900", "NULL", "11")]
    rows += [("6", "901", "later", "3"), ("", "901", "later", "3")]
    pack_docear(data, rows)
    with pytest.raises(UserError, match=r"found 1 lines that cannot be read and 6 that can, the first on line 7"):
        docear.docear(CONTEXT)
    rows += [("7", "900", "", "")] * 100
    pack_docear(data, rows)
    clicked = docear.docear(CONTEXT)
    assert triples(clicked) == [("5", "900", None), ("6", "901", None)]
    assert clicked.timestamp.tolist() == [1364926522, NO_TIME]
    assert (clicked.notes["rows_without_click"], clicked.notes["lines_unreadable"]) == (102, 1)
    assert clicked.notes["rows_without_user"] == 1
    rated = docear.docear(CONTEXT, rating=7)
    assert triples(rated) == [("5", "901", 9), ("6", "901", 3)]
    assert rated.scale == (1, 10)
    with pytest.raises(UserError, match=r"found 32 columns .* expected a column 40"):
        docear.docear(CONTEXT, user=40)


# Files of a published size


def test_a_file_without_a_checksum_that_holds_less_than_is_published_is_refused(data, monkeypatch):
    for module in OF_KNOWN_SIZE:
        monkeypatch.setattr(module, "check_size", sizes.check_size)
    monkeypatch.setattr(beeradvocate, "ARCHIVES", beeradvocate.ARCHIVES[1:])
    gzipped(data / beeradvocate.PARAGRAPHS, [f"{key}: {value}" for key, value in next(beers()).items()], "latin-1")
    with pytest.raises(
        UserError, match=r"gz: found 1 reviews, expected 1,586,614 reviews; remove it or fetch it again"
    ):
        beeradvocate.beeradvocate(CONTEXT)
    gzipped(data / renttherunway.FILE, [review(), review(rating=None)])
    with pytest.raises(UserError, match=r"found 2 reviews, expected 192,544 reviews"):
        renttherunway.renttherunway(CONTEXT)
    for part in one_left_out.PARTS:
        (data / f"pinterest-20.{part}.rating").write_text("0\t3\t1\n")
        (data / f"yelp.{part}.rating").write_text("0\t3\t1\t5\n1\t3\t1\t5\n")
    (data / "yelp.train.rating").write_text("0\t5\t1\t5\n1\t5\t1\t5\n")
    (data / "pinterest-20.train.rating").write_text("0\t5\t1\n")
    with pytest.raises(UserError, match=r"pinterest-20.train.rating: found 1 users, expected 55,187 users"):
        one_left_out.pinterest_20(CONTEXT)
    with pytest.raises(UserError, match=r"yelp.train.rating: found 2 users, expected 25,677 users"):
        one_left_out.yelp(CONTEXT)


# What every source says of itself


@pytest.mark.parametrize("entry", [entry for entry in DATASETS if entry.facts.archives], ids=lambda e: e.name)
def test_every_public_source_states_where_it_is_from(entry, data):
    assert entry.facts.licence
    assert re.search(r" (19|20)\d\d, ", entry.facts.citation)
    assert entry.facts.scale or entry.name == "pinterest-20"
    for archive in entry.facts.archives:
        assert archive.checksum is None or archive.checksum.partition(":")[0] in ("md5", "sha256")
        assert archive.address
