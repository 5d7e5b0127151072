"""MovieLens 100K from the original archive or from a wheel that carries it; the same tables either way."""

from collections.abc import Iterable, Mapping
from typing import Any

from truerank.datasets._core.archives import Archive, Found, find, without
from truerank.datasets._core.downloads import from_address, from_package_index
from truerank.datasets._core.interactions import Context, Interactions
from truerank.datasets._core.movielens import CITATION, LICENCE, Described, described, records, title_and_year
from truerank.datasets._core.reading import Layout
from truerank.errors import UserError
from truerank.registry import DATASETS

ORIGINAL = Archive(
    file="ml-100k.zip",
    inside="ml-100k",
    checksum="md5:0e33842e24a9c977be4e0107933c0723",
    address="https://files.grouplens.org/datasets/movielens/ml-100k.zip",
    fetch=from_address,
)
WHEEL = Archive(
    file="recbole-1.2.1-py3-none-any.whl",
    inside="recbole/dataset_example/ml-100k",
    checksum="sha256:9c9948202011f37eb0a7c6768129313f00d6403ad221ec940d5e2d5d5f33a407",
    address="recbole==1.2.1",
    fetch=from_package_index,
)
CHECKSUM = "8e74b93849104fbf3d6942b4fd5ee25b91cc6f4dbb42a9f874da675ed0a408e0"
N_GENRES = 19


@DATASETS.register(
    "ml-100k",
    archives=(ORIGINAL, WHEEL),
    licence=LICENCE,
    citation=CITATION,
    scale=(1, 5),
    user_attributes=True,
)
def ml_100k(context: Context) -> Interactions:
    """Read MovieLens 100K: 100,000 ratings from 1 to 5 by 943 users of 1,682 films, 1997-1998.

    Users have age, gender, occupation and zip code, items a title, a year and genres joined by ``|``.
    Looked for in the folder that $TRUERANK_DATA names, in the cache, at GroupLens, and in the wheel
    recbole 1.2.1, in this order.
    """
    archive = find(ORIGINAL, WHEEL, marker="u.data")
    read = wheel_tables if archive.path.suffix == ".whl" else original_tables
    rows, users, items = read(archive)
    rows = rows.canonical().noting(**archive.notes)
    found = rows.checksum()
    if found != CHECKSUM:
        raise UserError(
            f"{archive.path}: found ratings with checksum {found}, expected {CHECKSUM}, which MovieLens 100K "
            "has; remove it or download the archive again"
        )
    return described(rows, users, items, archive.path)


def original_tables(archive: Found) -> tuple[Interactions, Described | None, Described | None]:
    """The ratings, users and items of the archive: u.data, u.user, u.item, u.genre; a folder may have u.data alone."""
    rows = ratings(archive, "u.data", {"user": 0, "item": 1, "rating": 2, "timestamp": 3}, header=False)
    absent = archive.lacks("u.user", "u.item", "u.genre")
    users = None if "u.user" in absent else user_attributes(records(archive, "u.user", "|", 5))
    items = None if {"u.item", "u.genre"} & set(absent) else films(archive)
    return rows.noting(**without(absent)), users, items


def films(archive: Found) -> Described:
    genres = list(records(archive, "u.genre", "|", 2))
    return {
        code: film(fields[1], [name for name, flag in zip(genres, fields[5:], strict=True) if flag == "1"])
        for code, fields in records(archive, "u.item", "|", 5 + N_GENRES).items()
    }


def wheel_tables(archive: Found) -> tuple[Interactions, Described, Described]:
    """The same from the wheel, which split the year off the title and misspelt the unknown film."""
    columns = {
        "user": "user_id:token",
        "item": "item_id:token",
        "rating": "rating:float",
        "timestamp": "timestamp:float",
    }
    users = records(archive, "ml-100k.user", "\t", 5, "utf-8")
    items = records(archive, "ml-100k.item", "\t", 4, "utf-8")
    return (
        ratings(archive, "ml-100k.inter", columns),
        user_attributes(users),
        {
            code: film("unknown" if title == "unkonwn" else f"{title} ({year})", genres.split(" "))
            for code, title, year, genres in items.values()
        },
    )


def ratings(archive: Found, name: str, columns: Mapping[str, str | int], header: bool = True) -> Interactions:
    from truerank.datasets._core.reading.table import TableFile

    path, member = archive.locate(name)
    return TableFile(path, Layout(columns, "tsv", header, scale=(1, 5)), member).read()


def user_attributes(users: Mapping[str, list[str]]) -> Described:
    return {
        code: {"age": int(age), "gender": gender, "occupation": occupation, "zip_code": zip_code}
        for code, age, gender, occupation, zip_code in users.values()
        if age.isdigit()
    }


def film(text: str, genres: Iterable[str]) -> dict[str, Any]:
    title, year = title_and_year(text)
    return {"title": title, "year": year, "genres": "|".join(genres)}
