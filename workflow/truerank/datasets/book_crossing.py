"""Book-Crossing, a crawl of a community of readers: latin-1 tables with quirks of their own."""

import csv
import html
import io
from collections.abc import Iterator
from typing import Literal

from truerank.datasets._core.archives import Archive, Found, find, without
from truerank.datasets._core.collecting import Attributes, Collector, knowing, number
from truerank.datasets._core.downloads import from_address
from truerank.datasets._core.interactions import Context, Interactions
from truerank.errors import UserError
from truerank.registry import DATASETS

ARCHIVE = Archive(
    file="BX-CSV-Dump.zip",
    inside="",
    checksum="md5:37d647ee9e18ba134ea6d78ee4fe5292",
    address="http://www2.informatik.uni-freiburg.de/~cziegler/BX/BX-CSV-Dump.zip",
    fetch=from_address,
    folder="book-crossing",
)
LICENCE = "freely available for research use when acknowledged"
CITATION = "Ziegler, McNee, Konstan & Lausen 2005, Improving Recommendation Lists Through Topic Diversification, \
doi:10.1145/1060745.1060754"
SCALE = (1, 10)
RATINGS, USERS, BOOKS = "BX-Book-Ratings.csv", "BX-Users.csv", "BX-Books.csv"
ABSENT = ("", "NULL", "n/a")


@DATASETS.register(
    "book-crossing", archives=(ARCHIVE,), licence=LICENCE, citation=CITATION, scale=SCALE, user_attributes=True
)
def book_crossing(context: Context, *, feedback: Literal["explicit", "all"] = "explicit") -> Interactions:
    """Read Book-Crossing: 1,149,780 ratings of books, of which 433,671 from 1 to 10 and the others 0, 2004.

    A rating of 0 says that a user had the book in hand, not that it was bad: such rows are left out, or with
    ``feedback: all`` kept, and all ratings forgotten. Users have an age, None outside 5 to 100, and a country; items a
    title, author, year and publisher, None for books that the table of books lacks. A folder of extracted files may
    have the ratings alone; there are then no attributes.
    """
    archive = find(ARCHIVE, marker=RATINGS)
    from truerank.datasets._core.reading.records import check_readable

    rows, read, odd = Collector(), 0, []
    for line, fields in table(archive, RATINGS):
        rating = number(fields[2], 0, 10) if len(fields) == 3 else None
        if rating is None or not fields[0].strip() or not fields[1].strip():
            odd.append(line)
            continue
        read += 1
        if feedback == "all":
            rows.add(fields[0], fields[1])
        elif rating:
            rows.add(fields[0], fields[1], rating)
        else:
            rows.left_out["rows_without_rating"] += 1
    check_readable(f"{archive.path} ({RATINGS})", len(odd), read, odd[0] if odd else None)
    rows.left_out["lines_unreadable"] = len(odd)
    found = rows.rows(archive.path, SCALE if feedback == "explicit" else None).noting(**archive.notes)
    absent = archive.lacks(USERS, BOOKS)
    users, items = (None if name in absent else read(archive) for name, read in ((USERS, readers), (BOOKS, books)))
    return knowing(found.noting(**without(absent)), users, items)


def readers(archive: Found) -> Attributes:
    """Age and country of users by id; the country is what follows the last comma of the place."""
    found: Attributes = {"age": {}, "country": {}}
    for _, fields in table(archive, USERS):
        if len(fields) == 3:
            user, place, age = fields
            found["age"][user] = number(age, 5, 100)
            found["country"][user] = text(place.rpartition(",")[2])
    return found


def books(archive: Found) -> Attributes:
    """Title, author, year and publisher of books by ISBN; a year of 0 is not known."""
    found: Attributes = {"title": {}, "author": {}, "year": {}, "publisher": {}}
    for _, fields in table(archive, BOOKS):
        if len(fields) == 7 and '";' in fields[1]:  # a backslash before the closing quote swallowed the author
            fields[1:2] = fields[1].split('";', 1)
        if len(fields) == 8:
            isbn, title, author, year, publisher = fields[:5]
            found["title"][isbn], found["author"][isbn], found["publisher"][isbn] = map(
                text, (title, author, publisher)
            )
            published = number(year, 1, 9999)
            found["year"][isbn] = published and int(published)
    return found


def table(archive: Found, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the fields of every row after the header: ``;``, quotes, and backslashes before quotes."""
    from truerank.datasets._core.reading.content import opened

    with opened(*archive.locate(name)) as (stream, _):
        lines = io.TextIOWrapper(stream, encoding="latin-1", newline="")
        reader = csv.reader(lines, delimiter=";", quotechar='"', escapechar="\\", doublequote=False)
        try:
            next(reader, None)
            for fields in reader:
                if fields:
                    yield reader.line_num, fields
        except csv.Error as failure:
            raise UserError(
                f"{archive.path} ({name}, line {reader.line_num}): found a row that cannot be parsed ({failure}); "
                "fetch the archive again"
            ) from None


def text(field: str) -> str | None:
    """A field without HTML entities and blanks around it, None if there is nothing in it."""
    plain = html.unescape(field).strip()
    return None if plain in ABSENT else plain
