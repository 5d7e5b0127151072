"""MovieLens 20M and 25M from the original archives, which are laid out alike."""

import csv
import io

from truerank.datasets._core.archives import Archive, Found, find, without
from truerank.datasets._core.collecting import Attributes, knowing
from truerank.datasets._core.downloads import from_address
from truerank.datasets._core.interactions import Context, Interactions
from truerank.datasets._core.movielens import CITATION, DAMAGED, LICENCE, title_and_year
from truerank.datasets._core.reading import Layout
from truerank.datasets._core.sizes import check_size, size
from truerank.errors import UserError
from truerank.registry import DATASETS

ADDRESS = "https://files.grouplens.org/datasets/movielens/"
COLUMNS = {"user": "userId", "item": "movieId", "rating": "rating", "timestamp": "timestamp"}
SCALE = (0.5, 5)
ML_20M = Archive("ml-20m.zip", "ml-20m", "md5:cd245b17a1ae2cc31bb14903e1204af3", f"{ADDRESS}ml-20m.zip", from_address)
ML_25M = Archive("ml-25m.zip", "ml-25m", "md5:6b51fb2759a8657d3bfcbfc42b592ada", f"{ADDRESS}ml-25m.zip", from_address)
SIZES = {
    "ml-20m": {"users": 138_493, "items": 26_744, "ratings": 20_000_263},
    "ml-25m": {"users": 162_541, "items": 59_047, "ratings": 25_000_095},
}
FACTS = {"licence": LICENCE, "citation": CITATION, "scale": SCALE, "memory_mb": 6_000}


@DATASETS.register("ml-20m", archives=(ML_20M,), **FACTS)
def ml_20m(context: Context) -> Interactions:
    """Read MovieLens 20M: 20,000,263 ratings from 0.5 to 5 by 138,493 users of 26,744 films, 1995-2015.

    Items have a title, a year and genres joined by ``|``. Li et al. 2024 count as many
    users and rows as are left by ``implicit_threshold: 4, per_user: 5``, the rule of Liang et al. 2018.
    """
    return read(ML_20M)


@DATASETS.register("ml-25m", archives=(ML_25M,), **FACTS)
def ml_25m(context: Context) -> Interactions:
    """Read MovieLens 25M: 25,000,095 ratings from 0.5 to 5 by 162,541 users of 59,047 films, 1995-2019.

    Items have a title, a year and genres joined by ``|``.
    """
    return read(ML_25M)


def read(source: Archive) -> Interactions:
    """The ratings of an archive, as many as there should be, and its films: ratings.csv and movies.csv."""
    from truerank.datasets._core.reading.table import TableFile

    archive = find(source, marker="ratings.csv")
    path, member = archive.locate("ratings.csv")
    rows = TableFile(path, Layout(COLUMNS, "csv", scale=SCALE), member).read().canonical()
    check_size(path, size(rows), SIZES[source.inside])
    absent = archive.lacks("movies.csv")
    return knowing(rows.noting(**archive.notes, **without(absent)), items=None if absent else films(archive))


def films(archive: Found) -> Attributes:
    """Title, year and genres of films by id; a film without genres has None."""
    from truerank.datasets._core.reading.content import opened

    path, member = archive.locate("movies.csv")
    table: Attributes = {"title": {}, "year": {}, "genres": {}}
    with opened(path, member) as (stream, _):
        lines = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")  # a title may hold other breaks of lines
        try:
            for number, fields in enumerate(csv.reader(lines), start=1):
                if len(fields) != 3:
                    found = f"found {len(fields)} fields, expected 3"
                    raise UserError(f"{path} (movies.csv, row {number}): {found}; {DAMAGED}")
                code, text, genres = fields
                table["title"][code], table["year"][code] = title_and_year(text)
                table["genres"][code] = None if genres == "(no genres listed)" else genres
        except (UnicodeDecodeError, csv.Error) as failure:
            raise UserError(f"{path} (movies.csv): found something that is not text ({failure}); {DAMAGED}") from None
    return table
