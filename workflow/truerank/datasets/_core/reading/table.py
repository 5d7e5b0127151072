"""A file of interactions: its columns by role, its rows checked, its mistakes told by line."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from truerank.datasets._core.interactions import Interactions
from truerank.datasets._core.reading import Layout
from truerank.datasets._core.reading.content import content
from truerank.datasets._core.reading.delimited import DelimitedText
from truerank.datasets._core.reading.encoding import recoded
from truerank.datasets._core.reading.faults import EMPTY, MEND, fault
from truerank.datasets._core.reading.nested import NestedJson
from truerank.datasets._core.reading.parquet import ParquetTable
from truerank.datasets._core.reading.rows import MOST_EMPTY, assembled
from truerank.datasets._core.reading.separators import separator_of
from truerank.datasets._core.reading.times import MOMENT, TimesSoFar
from truerank.errors import UserError
from truerank.registry import unknown

SUFFIXES = {f".{kind}": kind for kind in ("csv", "tsv", "parquet", "qrels", "json")} | {".pq": "parquet"}
QRELS = {"user": 0, "item": 2, "rating": 3}  # topic, iteration, document, relevance
SEPARATED = (None, "csv", "tsv")  # what a name tells of a file whose separator is to be found
TIMES = (pa.int64(), pa.float64(), MOMENT)  # pandas writes whole numbers as 1.0 where some are missing
KNOWN: dict[str, Mapping[str, str | int]] = {  # format -> its columns
    "qrels": QRELS,
    "json": {"user": "user", "item": "item", "rating": "value"},
}


class TableFile:
    """One file of interactions, laid out as the config says."""

    row = "interaction"
    known: Mapping[str, Mapping[str, str | int]] = KNOWN

    def __init__(self, path: str | Path, layout: Layout, member: str | None = None) -> None:
        self.path = path
        data, name = content(path, member)
        if not data:
            raise UserError(f"{path} is empty, expected one row per {self.row}; create or download the file again")
        kind = layout.format if layout.format != "auto" else self.format_of(name, data)
        self.encoding = None
        if kind != "parquet":
            data, self.encoding = recoded(path, data, layout.encoding)
        if layout.format == "auto" and kind in SEPARATED:
            kind = separator_of(path, data, kind, layout.header, lambda names: self.fits(layout, names))
        assert kind is not None
        self.kind, self.layout = kind, (layout := self.laid_out(layout, kind))
        self.table: ParquetTable | NestedJson | DelimitedText
        if kind == "parquet":
            self.table = ParquetTable(path, data)
        elif kind == "json":
            self.table = NestedJson(path, data)
        else:
            self.table = DelimitedText(path, data, kind, layout.header)
        if self.table.empty:
            found = f"a header ({', '.join(self.table.names)}) and no rows" if layout.header else "no rows"
            raise UserError(
                f"{path}: found {found}, expected one row per {self.row}; create or download the file again"
            )

    def format_of(self, name: str, data: bytes) -> str | None:
        """The format that the name of a file tells; one with separators is yet to be looked at."""
        return SUFFIXES.get(Path(name).suffix.lower())

    def fits(self, layout: Layout, names: Collection[str]) -> bool:
        """Tell whether columns of these names can be those of the layout."""
        return all(str(layout.columns[role]) in names for role in ("user", "item") if layout.columns)

    @property
    def found(self) -> dict[str, str]:
        """What the file was read as, for the summary."""
        facts = {"file_format": self.kind, "file_encoding": self.encoding}
        facts["file_quotes"] = self.table.quoting if isinstance(self.table, DelimitedText) else None
        return {key: value for key, value in facts.items() if value is not None}

    def laid_out(self, layout: Layout, kind: str) -> Layout:
        """Return the layout that a file of this kind has: the columns of some are always the same."""
        if kind in self.known:
            return replace(layout, columns=self.known[kind], header=False)
        if layout.columns is None:
            raise UserError(
                f"{self.path}: the setting `columns` is missing, expected the columns of user and item in the "
                f"{kind} file; add it, such as `columns: {{user: user_id, item: item_id}}`"
            )
        return layout

    @property
    def columns(self) -> Mapping[str, str | int]:
        """Role -> name or number of its column, as the layout of the file has it."""
        assert self.layout.columns is not None
        return self.layout.columns

    def has(self, role: str) -> bool:
        return str(self.columns.get(role)) in self.table.names

    def places(self, optional: Collection[str] = ()) -> dict[str, int]:
        """Role -> place of its column; a missing column is an error unless its role is optional."""
        found = {}
        for role, name in self.columns.items():
            if self.has(role):
                found[role] = self.place_of(role, str(name))
            elif role not in optional:
                raise self.missing(role)
        for role, other in combinations(found, 2):
            if found[role] == found[other]:
                raise UserError(f"columns.{role} and columns.{other} are one column of {self.path}; correct one")
        return found

    def place_of(self, role: str, name: str) -> int:
        if self.table.names.count(name) > 1:
            raise UserError(f"{self.path} has two columns {name!r}, expected one for columns.{role}; rename the other")
        return self.table.names.index(name)

    def missing(self, role: str) -> UserError:
        names = self.table.names
        sentence = unknown("column", str(self.columns[role]), names)
        listed = f" (columns found: {', '.join(names)})" if sentence.endswith("?") else ""
        return UserError(
            f"{self.path}, columns.{role}: {sentence}{listed}; correct `columns` or `header` in the config"
        )

    def read(self, optional: Collection[str] = ()) -> Interactions:
        """Return the file's rows in its order, every one of them sound, or tell the first that is not.

        Left out are rows whose rating says that there is none, and up to one in a hundred with an empty rating.
        """
        rows = self.checked_rows(self.places(optional)).noting(**self.found)
        if not len(rows):
            missing = self.layout.missing_rating
            raise UserError(f"{self.path} has no rating but {missing:g}, which `missing_rating` leaves out; correct it")
        self.tell(rows.notes)
        return rows

    def tell(self, notes: Mapping[str, Any]) -> None:
        """Log what the file was taken for."""
        logging.info("%s: %s", self.path, ", ".join(f"{key.replace('_', ' ')} {notes[key]}" for key in notes))

    def checked_rows(self, places: Mapping[str, int]) -> Interactions:
        for time in TIMES if "timestamp" in places else TIMES[:1]:
            types = {"user": pa.string(), "item": pa.string(), "rating": pa.float64(), "timestamp": time}
            try:
                columns = self.table.columns({place: types[role] for role, place in places.items()})
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as failure:
                reason = str(failure).partition("\n")[0]
                continue
            rows = assembled({role: columns[place] for role, place in places.items()}, self.layout)
            if rows is not None:
                return rows
            reason = "a value is out of range"
        raise self.first_fault(places) or UserError(
            f"{self.path} cannot be read ({reason}); check `format` and the file"
        )

    def has_rating(self, fields: Sequence[str], places: Mapping[str, int]) -> bool:
        """Tell whether a row has a rating, or no column for it."""
        text = fields[places["rating"]] if "rating" in places else None
        return text is None or (text != "" and float(text) != self.layout.missing_rating)

    def first_fault(self, places: Mapping[str, int]) -> UserError | None:
        """The first unsound row as an error; None if the slow way finds none."""
        width, times = len(self.table.names), TimesSoFar(self.layout.timestamp_unit)
        n, empty = 0, []
        for number, fields in self.table.rows():
            n += 1
            problem = fault(fields, width, places, self.layout, times)
            if problem == EMPTY:
                empty.append(number)
            elif problem:
                return UserError(f"{self.path}, {self.table.place} {number}: {problem}")
        if len(empty) <= MOST_EMPTY * n:
            return None
        found = f"found rating '' in column {self.columns['rating']!r}, an empty cell"
        return UserError(
            f"{self.path}, {self.table.place} {empty[0]}: {found}, expected a number in 99 of 100 rows at least; {MEND}"
        )

    def whereabouts(self, user: str, item: str | None = None, most: int = 1) -> str:
        """Where a user or a pair occurs, in words: the file and up to ``most`` line numbers."""
        places = self.places(optional=("rating", "timestamp"))
        found = (
            str(number)
            for number, fields in self.table.rows()
            if fields[places["user"]] == user and item in (None, fields[places["item"]])
            if self.has_rating(fields, places)
        )
        numbers = list(islice(found, most))
        place = self.table.place if len(numbers) == 1 else self.table.places
        return f"{self.path}, {place} {' and '.join(numbers)}"
