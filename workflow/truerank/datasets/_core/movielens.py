"""What the MovieLens archives have in common: titles with years, and tables of attributes."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from truerank.datasets._core.archives import Found
from truerank.datasets._core.interactions import Entities, Interactions
from truerank.errors import UserError

LICENCE = "GroupLens: research use with acknowledgement; no redistribution or commercial use without permission"
CITATION = "Harper & Konstan 2015, The MovieLens Datasets: History and Context, doi:10.1145/2827872"
TITLE = re.compile(r"(?P<title>.*?)\s*\((?P<year>\d{4})\)\s*(\(V\))?\s*")
Described = dict[str, dict[str, Any]]  # id -> {attribute: value}
DAMAGED = "the file is damaged; download the archive again"


def title_and_year(text: str) -> tuple[str, int | None]:
    """Split "Toy Story (1995)"; the mark of a video, "(V)", is left out; the year may be None."""
    match = TITLE.fullmatch(text)
    return (match["title"], int(match["year"])) if match else (text.strip(), None)


def records(archive: Found, name: str, separator: str, width: int, encoding: str = "latin-1") -> dict[str, list[str]]:
    """The lines of a table of attributes as id -> fields; every line has ``width`` fields."""
    from truerank.datasets._core.reading.content import content

    path, member = archive.locate(name)
    found = {}
    for number, line in enumerate(content(path, member)[0].decode(encoding).split("\n"), start=1):
        fields = line.rstrip("\r").split(separator)
        if len(fields) == width:
            found[fields[0]] = fields
        elif line.strip():
            raise UserError(f"{path} ({name}, line {number}): found {len(fields)} fields, expected {width}; {DAMAGED}")
    return found


def described(rows: Interactions, users: Described | None, items: Described | None, path: str | Path) -> Interactions:
    """Give canonical rows of the archive ``path`` their attributes.

    A table that is None gives none.
    """
    return replace(rows, users=attributes(rows.users, users, path), items=attributes(rows.items, items, path))


def attributes(table: Entities, known: Described | None, path: str | Path) -> Entities:
    if known is None:
        return table
    absent = next((name for name in table["id"] if name not in known), None)
    if absent is not None:
        raise UserError(f"{path}: found ratings for the id {absent!r} but no attributes of it; {DAMAGED}")
    names = next(iter(known.values()))
    return table | {name: [known[code][name] for code in table["id"]] for name in names}
