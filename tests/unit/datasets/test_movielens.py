"""The MovieLens archives, from small files of the true format, and where they are looked for."""

import hashlib
import os
import subprocess
import zipfile
from dataclasses import replace

import pytest
from truerank.datasets import ml_1m, ml_100k
from truerank.datasets._core import archives
from truerank.datasets._core.archives import Archive, find
from truerank.datasets._core.downloads import from_package_index
from truerank.datasets._core.interactions import Context
from truerank.datasets._core.movielens import title_and_year
from truerank.errors import UserError
from truerank.provenance import generator

CONTEXT = Context("ml", generator(1))
GENRES = [
    "unknown",
    "Action",
    "Adventure",
    "Animation",
    "Children's",
    "Comedy",
    "Crime",
    "Documentary",
    "Drama",
    "Fantasy",
    "Film-Noir",
    "Horror",
    "Musical",
    "Mystery",
    "Romance",
    "Sci-Fi",
    "Thriller",
    "War",
    "Western",
]


def flags(*genres):
    return "|".join(str(int(name in genres)) for name in GENRES)


ORIGINAL = {
    "u.data": "196\t3\t3\t881250949\n22\t1\t1\t878887116\n22\t2\t5\t878887117\n22\t4\t4\t878887118\n",
    "u.genre": "".join(f"{name}|{number}\n" for number, name in enumerate(GENRES)) + "\n",
    "u.user": "22|25|M|writer|40206\n196|49|F|other|T8H1N\n",
    "u.item": (
        f"1|Toy Story (1995)|01-Jan-1995||http://x|{flags('Animation', 'Comedy')}\n"
        f"2|Misérables, Les (1995)|01-Jan-1995||http://x|{flags('Drama', 'Musical')}\n"
        f"3|Land Before Time III: The Great Giving (1995) (V)|01-Jan-1995||http://x|{flags('Animation')}\n"
        f"4|unknown||||{flags('unknown')}\n"
    ),
}
WHEEL = {
    "ml-100k.inter": "user_id:token\titem_id:token\trating:float\ttimestamp:float\n" + ORIGINAL["u.data"],
    "ml-100k.user": "user_id:token\tage:token\tgender:token\toccupation:token\tzip_code:token\n"
    "196\t49\tF\tother\tT8H1N\n22\t25\tM\twriter\t40206\n",
    "ml-100k.item": "item_id:token\tmovie_title:token_seq\trelease_year:token\tclass:token_seq\n"
    "1\tToy Story\t1995\tAnimation Comedy\n2\tMisérables, Les\t1995\tDrama Musical\n"
    "3\tLand Before Time III: The Great Giving (1995)\tV\tAnimation\n4\tunkonwn\tunkonwn\tunknown\n",
}
SIZE_1M = {
    "ratings.dat": "1::1193::5::978300760\n2::661::3::978302109\n",
    "users.dat": "1::F::1::10::48067\n2::M::56::16::70072\n",
    "movies.dat": "661::James and the Giant Peach (1996)::Animation|Musical\n1193::Misérables, Les (1995)::Drama\n"
    "9::Never Rated (1990)::Drama\n",
}


def zip_of(path, inside, files, encoding):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{inside}/{name}", text.encode(encoding))
    return hashlib.md5(path.read_bytes()).hexdigest()


def unreachable(archive, folder):
    raise OSError("no network")


@pytest.fixture
def data(tmp_path, monkeypatch):
    """An empty $TRUERANK_DATA, an empty cache, no network, and the small data's checksum in place of the real."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("TRUERANK_DATA", str(folder))
    monkeypatch.setattr(archives, "cache_folder", lambda: tmp_path / "cache")
    for module, name in ((ml_100k, "ORIGINAL"), (ml_100k, "WHEEL"), (ml_1m, "ORIGINAL")):
        monkeypatch.setattr(module, name, replace(getattr(module, name), fetch=unreachable))
    rows = ml_100k.original_tables(extracted(tmp_path / "reference"))[0]
    monkeypatch.setattr(ml_100k, "CHECKSUM", rows.checksum())
    return folder


def extracted(folder, files=ORIGINAL):
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_bytes(text.encode("latin-1"))
    return archives.Found(folder, "ml-100k")


def put_original(data, monkeypatch):
    digest = zip_of(data / "ml-100k.zip", "ml-100k", ORIGINAL, "latin-1")
    monkeypatch.setattr(ml_100k, "ORIGINAL", replace(ml_100k.ORIGINAL, checksum=f"md5:{digest}"))


def put_wheel(data, monkeypatch):
    digest = zip_of(data / ml_100k.WHEEL.file, ml_100k.WHEEL.inside, WHEEL, "utf-8")
    monkeypatch.setattr(ml_100k, "WHEEL", replace(ml_100k.WHEEL, checksum=f"md5:{digest}"))


def put_folder(data, monkeypatch):
    extracted(data / "ml-100k")


@pytest.mark.parametrize("put", [put_original, put_wheel, put_folder])
def test_ml_100k_is_the_same_whichever_source_serves(data, monkeypatch, put):
    put(data, monkeypatch)
    rows = ml_100k.ml_100k(CONTEXT)
    assert rows.users == {
        "id": ["22", "196"],
        "age": [25, 49],
        "gender": ["M", "F"],
        "occupation": ["writer", "other"],
        "zip_code": ["40206", "T8H1N"],
    }
    assert rows.items == {
        "id": ["1", "2", "3", "4"],
        "title": ["Toy Story", "Misérables, Les", "Land Before Time III: The Great Giving", "unknown"],
        "year": [1995, 1995, 1995, None],
        "genres": ["Animation|Comedy", "Drama|Musical", "Animation", "unknown"],
    }
    assert rows.rating.tolist() == [1, 5, 4, 3]
    assert rows.timestamp.tolist() == [878887116, 878887117, 878887118, 881250949]
    assert rows.scale == (1, 5)


def test_ml_100k_with_other_ratings_is_refused(data):
    files = ORIGINAL | {"u.data": ORIGINAL["u.data"].replace("\t5\t", "\t4\t")}
    extracted(data / "ml-100k", files)
    with pytest.raises(UserError, match=rf"ml-100k: found ratings with checksum \w+, expected {ml_100k.CHECKSUM}"):
        ml_100k.ml_100k(CONTEXT)


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("u.item", "|http://x|", "|", r"u.item, line 1\): found 23 fields, expected 24"),
        ("u.user", "22|25", "22|old", "ml-100k: found ratings for the id '22' but no attributes"),
        ("u.user", "196|", "197|", "id '196' but no attributes"),
        ("u.data", "\t5\t", "\tfive\t", "u.data, line 3: found rating 'five'"),
        ("u.data", "\t5\t", "\t6\t", "u.data, line 3: found rating '6'.* expected 1 to 5"),
    ],
)
def test_damaged_tables_are_told_by_name(data, name, old, new, told):
    extracted(data / "ml-100k", ORIGINAL | {name: ORIGINAL[name].replace(old, new, 1)})
    with pytest.raises(UserError, match=told):
        ml_100k.ml_100k(CONTEXT)


def test_archive_with_a_wrong_checksum_is_refused(data):
    zip_of(data / "ml-100k.zip", "ml-100k", ORIGINAL, "latin-1")
    with pytest.raises(UserError, match=r"ml-100k.zip: found checksum md5:\w+, expected md5:0e33842e.*download it"):
        ml_100k.ml_100k(CONTEXT)


def test_folder_that_does_not_exist_is_not_passed_over(data, monkeypatch):
    monkeypatch.setenv("TRUERANK_DATA", str(data / "nowhere"))
    with pytest.raises(UserError, match=r"\$TRUERANK_DATA is .*nowhere, which is not a folder"):
        ml_100k.ml_100k(CONTEXT)


def test_when_all_sources_fail_one_sentence_says_what_to_fetch_and_where_to_put_it(data):
    with pytest.raises(UserError) as failure:
        ml_100k.ml_100k(CONTEXT)
    sentence = str(failure.value)
    assert "\n" not in sentence
    for part in ("no network", ml_100k.ORIGINAL.address, "TRUERANK_DATA", "download it yourself"):
        assert part in sentence


def test_ml_1m_from_a_small_archive(data, monkeypatch):
    digest = zip_of(data / "ml-1m.zip", "ml-1m", SIZE_1M, "latin-1")
    monkeypatch.setattr(ml_1m, "ORIGINAL", replace(ml_1m.ORIGINAL, checksum=f"md5:{digest}"))
    with pytest.raises(UserError, match=r"found 2 users, 2 items, 2 ratings, expected 6,040 users, 3,706 items"):
        ml_1m.ml_1m(CONTEXT)
    monkeypatch.setattr(ml_1m, "SIZE", dict.fromkeys(ml_1m.SIZE, 2))
    rows = ml_1m.ml_1m(CONTEXT)
    assert rows.users["occupation"] == ["K-12 student", "self-employed"]
    assert rows.users["age"] == [1, 56]
    assert rows.items == {
        "id": ["661", "1193"],
        "title": ["James and the Giant Peach", "Misérables, Les"],
        "year": [1996, 1995],
        "genres": ["Animation|Musical", "Drama"],
    }
    assert rows.rating.tolist() == [5, 3]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Seven (Se7en) (1995)", ("Seven (Se7en)", 1995)),
        ("2001: A Space Odyssey (1968) ", ("2001: A Space Odyssey", 1968)),
        ("unknown", ("unknown", None)),
        ("1984 (Nineteen)", ("1984 (Nineteen)", None)),
    ],
)
def test_title_and_year(text, expected):
    assert title_and_year(text) == expected


def fetched(content):
    """A way to fetch that puts ``content`` in the folder and counts its calls."""

    def fetch(archive, folder):
        fetch.calls += 1
        folder.mkdir(parents=True, exist_ok=True)
        (folder / archive.file).write_bytes(content)

    fetch.calls = 0
    return fetch


def archive_of(file, fetch, content=b"right"):
    return Archive(file, "inside", f"sha256:{hashlib.sha256(content).hexdigest()}", "address", fetch)


def test_sources_are_tried_in_order_and_a_download_is_kept(data, tmp_path):
    wrong, right = fetched(b"wrong"), fetched(b"right")
    sources = archive_of("a.zip", wrong), archive_of("b.whl", right)
    for _ in range(2):
        assert find(*sources, marker="x").path == tmp_path / "cache" / "b.whl"
    assert (wrong.calls, right.calls) == (1, 1)
    (data / "b.whl").write_bytes(b"right")
    assert find(*sources, marker="x").path == data / "b.whl"


def test_pip_downloads_without_installing_and_nothing_is_left_when_it_fails(tmp_path, monkeypatch):
    wheel = archive_of("b.whl", from_package_index)

    def run(command, **_):
        assert command[1:4] == ["-m", "pip", "download"]
        assert "--no-deps" in command
        with open(os.path.join(command[command.index("--dest") + 1], "b.whl"), "wb") as file:
            file.write(run.content)
        if run.fails:
            raise subprocess.CalledProcessError(1, command, stderr="no index")

    monkeypatch.setattr(subprocess, "run", run)
    for run.content, run.fails, message in ((b"right", True, "pip could not"), (b"wrong", False, "checksum")):
        with pytest.raises((OSError, UserError), match=message):
            from_package_index(wheel, tmp_path)
        assert list(tmp_path.iterdir()) == []
    run.content, run.fails = b"right", False
    from_package_index(wheel, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["b.whl"]
