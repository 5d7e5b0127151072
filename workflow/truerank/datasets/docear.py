"""Research papers that Docear recommended to its users, and what they clicked."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from truerank.datasets._core.archives import Archive, find
from truerank.datasets._core.collecting import Collector, number
from truerank.datasets._core.interactions import NO_TIME, Context, Interactions
from truerank.errors import UserError
from truerank.registry import DATASETS, Natural

TABLE = "recommendations.csv"
ARCHIVE = Archive(
    file="docear-datasets-recommendations.zip",
    inside="recommendations/recommendations",
    checksum=None,
    address="http://labs.docear.org",
    fetch=None,
    folder="docear",
)
LICENCE = "given by Docear on request"
CITATION = "Beel, Langer, Gipp & Nürnberger 2014, The Architecture and Datasets of Docear's Research Paper Recommender \
System, doi:10.1045/november14-beel"
SCALE = (1, 10)


@DATASETS.register("docear", archives=(ARCHIVE,), licence=LICENCE, citation=CITATION, scale=SCALE)
def docear(
    context: Context, *, user: Natural = 30, item: Natural = 4, clicked: Natural = 3, rating: Natural = None
) -> Interactions:
    """Read Docear's recommendations of research papers: those that a user clicked, or, with ``rating``, rated.

    The settings are places of columns, from 0, in recommendations.csv, which is separated by tabs and has a header. A
    row counts if it was clicked; with ``rating``, if its rating is a number from 1 to 10, the scale that Aftab et al.
    2022 give. The layout is not published: the places of user, item and click are those of other readers of the file.
    You must download the archive yourself.
    """
    from truerank.datasets._core.reading.records import Records

    archive = find(ARCHIVE, marker=TABLE)
    lines, rows = Records(*archive.locate(TABLE), parse=alike()), None
    places = [place for place in (user, item, clicked, rating) if place is not None]
    for line in lines:
        fields = line["fields"]
        if rows is None:
            check_header(archive.path, fields, places)
            rows = Collector()
        elif not fields[user] or not fields[item]:
            rows.left_out["rows_without_user"] += 1
        elif rating is not None and number(fields[rating], *SCALE) is None:
            rows.left_out["rows_without_rating"] += 1
        elif rating is None and fields[clicked] in ("", "NULL", "\\N"):
            rows.left_out["rows_without_click"] += 1
        else:
            value: dict[str, Any] = {} if rating is None else {"rating": number(fields[rating], *SCALE)}
            rows.add(fields[user], fields[item], **value, timestamp=moment(fields[clicked]))
    assert rows is not None, "a file without a line is an error of its own"
    rows.left_out["lines_unreadable"] = lines.unreadable
    return rows.rows(archive.path, None if rating is None else SCALE).noting(**archive.notes)


def alike() -> Callable[[str], dict[str, list[str]]]:
    """A parser of lines between tabs; one with more or fewer fields than the first cannot be read."""
    widths: list[int] = []

    def parse(line: str) -> dict[str, list[str]]:
        fields = [field.strip().strip('"') for field in line.rstrip("\r\n").split("\t")]
        widths[1:] = [len(fields)]
        if widths[0] != widths[-1]:
            raise ValueError("another number of fields")
        return {"fields": fields}

    return parse


def check_header(path: Path, names: Sequence[str], places: Sequence[int]) -> None:
    if max(places) >= len(names):
        raise UserError(
            f"{path} ({TABLE}): found {len(names)} columns ({', '.join(names[:40])}), expected a column {max(places)}; "
            "set user, item, clicked and rating to the places of their columns, from 0"
        )


def moment(text: str) -> int:
    """Seconds of a time such as 2013-04-02 18:15:22, taken as UTC; ``NO_TIME`` if it is not one."""
    try:
        return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() // 1)
    except ValueError:
        return NO_TIME
