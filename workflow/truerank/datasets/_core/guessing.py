"""What the columns of a file of interactions are, from their names or, without a header, from their values."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from truerank.datasets._core.interactions import NO_TIME, Interactions
from truerank.datasets._core.missing import likely_missing
from truerank.datasets._core.reading import ROLES, Layout
from truerank.datasets._core.reading.content import content
from truerank.datasets._core.reading.delimited import DelimitedText
from truerank.datasets._core.reading.encoding import recoded
from truerank.datasets._core.reading.separators import first_rows, separator_of
from truerank.datasets._core.reading.table import KNOWN, SUFFIXES, TableFile
from truerank.errors import UserError

# Names of columns, without case, blanks and signs; those of a role that come first are taken first.
NAMES = {
    "user": (
        "user userid uid customer customerid reviewer reviewerid visitor visitorid member memberid account accountid "
        "client clientid profile profileid person reader readerid listener session sessionid qid topic who"
    ),
    "item": (
        "item itemid iid movie movieid product productid parentasin asin sku isbn book bookid track trackid song "
        "songid artist artistid article articleid news newsid business businessid beer beerid recipe recipeid video "
        "videoid game gameid doc docid document place placeid what"
    ),
    "rating": (
        "rating ratings stars star overall score bookrating preference grade value relevance plays playcount count "
        "weight"
    ),
    "timestamp": "timestamp time ts unixreviewtime datetime date createdat eventtime reviewtime when",
}
COUNTS = ("plays", "playcount", "count", "weight")
SIGNS = re.compile(r"[\W_]")
NUMBER = re.compile(r"[-+]?\d+(\.\d*)?")
SCALES = ((1, 5), (0.5, 5), (0, 5), (1, 10), (0, 10), (-10, 10), (0, 1), (-1, 1), (1, 100), (0, 100))
MOST_LEVELS = 41  # different ratings; more are counts or measures
LATER_THAN = 1e8  # a number of seconds that is a time, since 1973
HIGH = 0.75  # of a scale: 4 of 1 to 5


@dataclass(frozen=True)
class Guess:
    """What a file seems to hold.

    columns : role -> name or place; None where the format says. scale : of the ratings, None if there are none that
    count. missing_rating : the rating that says that there is none. why_implicit : why ratings do not count, if so.
    """

    rows: Interactions
    format: str
    header: bool
    columns: dict[str, str | int] | None
    scale: tuple[float, float] | None
    missing_rating: float | None
    why_implicit: str | None

    @property
    def has_times(self) -> bool:
        return bool((self.rows.timestamp != NO_TIME).any())

    @property
    def threshold(self) -> float | None:
        """The lowest rating of the upper quarter of the scale that somebody gave."""
        if self.scale is None:
            return None
        low, high = self.scale
        given = np.unique(self.rows.rating[~np.isnan(self.rows.rating)])
        return float(given[given >= low + HIGH * (high - low)].min(initial=given.max()))


def guess(path: str | Path, columns: Mapping[str, str] | None = None) -> Guess:
    """Read a file whose layout nobody has told. columns : role -> name of those that the caller knows."""
    kind, header, names, sample = look_at(path)
    if kind in KNOWN:
        return judged(path, TableFile(path, Layout(None, kind)).read(), kind, False, None)
    found = named_columns(path, names, columns or {}) if header else placed_columns(path, sample)
    layout = Layout(found, kind, header)
    rows = TableFile(path, layout).read()
    return judged(path, rows, kind, header, found)


def judged(
    path: str | Path, rows: Interactions, kind: str, header: bool, columns: dict[str, str | int] | None
) -> Guess:
    """Say whether the ratings of some rows are ratings, and on which scale."""
    if len(rows) == len(rows.users["id"]):
        raise UserError(
            f"{path}: every user, such as {rows.users['id'][0]!r}, has one row, expected users with several, of which "
            "some can be held out; give a file of interactions, or its columns by --columns"
        )
    rating = rows.rating[~np.isnan(rows.rating)]
    if not len(rating):
        return Guess(rows, kind, header, columns, None, None, "there are no ratings")
    absent = likely_missing(rows.ratings)
    missing = absent[0] if absent else None
    rating = rating if missing is None else rating[rating != missing]
    levels = np.unique(rating)
    name = SIGNS.sub("", str((columns or {}).get("rating", ""))).lower()
    scale = next((scale for scale in SCALES if scale[0] <= levels[0] and levels[-1] <= scale[1]), None)
    why = None
    if len(levels) == 1:
        why = f"all ratings are {levels[0]:g}"
    elif name in COUNTS or scale is None or len(levels) > MOST_LEVELS:
        why = f"the ratings, {levels[0]:g} to {levels[-1]:g}, look like counts or measures"
    return Guess(rows, kind, header, columns, None if why else scale, None if why else missing, why)


def look_at(path: str | Path) -> tuple[str, bool, list[str], list[list[str]]]:
    """Return the format of a file, whether it has a header, the names in it, and the first rows of text."""
    data, name = content(path)
    if not data:
        raise UserError(f"{path} is empty, expected one row per interaction; create or download the file again")
    kind = SUFFIXES.get(Path(name).suffix.lower())
    if kind in KNOWN:
        return kind, False, [], []
    if kind == "parquet":
        from truerank.datasets._core.reading.parquet import ParquetTable

        return kind, True, ParquetTable(path, data).names, []
    data, _ = recoded(path, data, "auto")
    kind = separator_of(path, data, kind, True, lambda names: bool(roles_in(names)))
    table = DelimitedText(path, data[: 1 << 16], kind, True)
    rows = first_rows(table)
    header = bool(roles_in(table.names)) or not any(NUMBER.fullmatch(cell.strip()) for cell in rows[0])
    return kind, header, table.names, rows


def roles_in(names: Collection[str]) -> dict[str, str]:
    """Return role -> name of the columns whose names tell it."""
    plain = {SIGNS.sub("", name).lower(): name for name in reversed(list(names))}
    found = {role: next((plain[word] for word in NAMES[role].split() if word in plain), None) for role in ROLES}
    return {role: name for role, name in found.items() if name is not None}


def named_columns(path: str | Path, names: Sequence[str], given: Mapping[str, str]) -> dict[str, str | int]:
    """Return the columns of a file with a header; what is given counts more than what names tell."""
    found = {role: name for role, name in roles_in(names).items() if name not in given.values()} | dict(given)
    for role in ("user", "item"):
        if role not in found:
            raise UserError(
                f"{path}: no column name is recognised as the {role} (columns found: {', '.join(names)}); "
                f"name it, such as --columns {role}={names[0]}"
            )
    return {role: found[role] for role in ROLES if role in found}


def placed_columns(path: str | Path, rows: Sequence[Sequence[str]]) -> dict[str, str | int]:
    """Return the columns of a file without a header: user, item, then the rating and the time as numbers tell."""
    width = len(rows[0])
    if width < 2:
        raise UserError(
            f"{path}: found one column, expected user and item at least; name the file's format or correct the file"
        )
    found: dict[str, str | int] = {"user": 0, "item": 1}
    for place in range(2, width):
        cells = [row[place].strip() for row in rows if len(row) == width]
        if all(NUMBER.fullmatch(cell) for cell in cells):
            role = "timestamp" if min(map(float, cells)) > LATER_THAN else "rating"
            found.setdefault(role, place)
    return found
