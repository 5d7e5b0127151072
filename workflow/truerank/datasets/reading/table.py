"""A file of interactions: its columns by role, its rows checked, its mistakes told by line."""

from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path

import numpy as np
import pyarrow as pa

from truerank.datasets.interactions import NO_TIME, Interactions
from truerank.datasets.reading.content import content
from truerank.datasets.reading.delimited import DelimitedText
from truerank.datasets.reading.faults import fault
from truerank.datasets.reading.nested import NestedJson
from truerank.datasets.reading.parquet import ParquetTable
from truerank.errors import UserError
from truerank.registry import unknown

SUFFIXES = {f".{kind}": kind for kind in ("csv", "tsv", "parquet", "qrels", "json")} | {".pq": "parquet"}
QRELS = {"user": 0, "item": 2, "rating": 3}  # topic, iteration, document, relevance
KNOWN = {"qrels": QRELS, "json": {"user": "user", "item": "item", "rating": "value"}}  # format -> its columns


class TableFile:
    """One file of interactions, laid out as the config says."""

    row = "interaction"
    known = KNOWN

    def __init__(self, path, layout, member=None):
        self.path = path
        data, name = content(path, member)
        kind = layout.format if layout.format != "auto" else self.format_of(name, data)
        self.kind, self.layout = kind, (layout := self.laid_out(layout, kind))
        if not data:
            raise UserError(f"{path} is empty, expected one row per {self.row}; make or fetch the file again")
        if kind == "parquet":
            self.table = ParquetTable(path, data)
        elif kind == "json":
            self.table = NestedJson(path, data, layout.encoding)
        else:
            self.table = DelimitedText(path, data, kind, layout.header, layout.encoding)
        if self.table.empty:
            found = f"a header ({', '.join(self.table.names)}) and no rows" if layout.header else "no rows"
            raise UserError(f"{path}: found {found}, expected one row per {self.row}; make or fetch the file again")

    def format_of(self, name, data):
        return format_of(name, data)

    def laid_out(self, layout, kind):
        """Return the layout that a file of this kind has: the columns of some are always the same."""
        if kind in self.known:
            return replace(layout, columns=self.known[kind], header=False)
        if layout.columns is None:
            raise UserError(
                f"{self.path}: the setting `columns` is missing, expected the columns of user and item in the "
                f"{kind} file; add it, such as `columns: {{user: user_id, item: item_id}}`"
            )
        return layout

    def has(self, role):
        return str(self.layout.columns.get(role)) in self.table.names

    def places(self, optional=()):
        """Role -> place of its column; a missing column is an error unless its role is optional."""
        found = {}
        for role, name in self.layout.columns.items():
            if self.has(role):
                found[role] = self.place_of(role, str(name))
            elif role not in optional:
                raise self.missing(role)
        for role, other in combinations(found, 2):
            if found[role] == found[other]:
                raise UserError(f"columns.{role} and columns.{other} are one column of {self.path}; correct one")
        return found

    def place_of(self, role, name):
        if self.table.names.count(name) > 1:
            raise UserError(f"{self.path} has two columns {name!r}, expected one for columns.{role}; rename the other")
        return self.table.names.index(name)

    def missing(self, role):
        names = self.table.names
        sentence = unknown("column", str(self.layout.columns[role]), names)
        listed = f" (columns found: {', '.join(names)})" if sentence.endswith("?") else ""
        return UserError(
            f"{self.path}, columns.{role}: {sentence}{listed}; correct `columns` or `header` in the config"
        )

    def read(self, optional=()):
        """Return the file's rows in its order, every one of them sound, or tell the first that is not."""
        places = self.places(optional)
        for time in (pa.int64(), pa.float64()):  # pandas writes whole numbers as 1.0 where some are missing
            types = {"user": pa.string(), "item": pa.string(), "rating": pa.float64(), "timestamp": time}
            try:
                columns = self.table.columns({place: types[role] for role, place in places.items()})
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as failure:
                reason = str(failure).partition("\n")[0]
                continue
            rows = self.assembled({role: columns[place] for role, place in places.items()})
            if rows is not None:
                return rows
            reason = "a value is out of range"
        raise self.first_fault(places) or UserError(
            f"{self.path} cannot be read ({reason}); check `format` and the file"
        )

    def assembled(self, columns):
        """Columns by role as interactions; None if a value is not sound."""
        n = len(columns["user"])
        user, users = encoded(columns["user"])
        item, items = encoded(columns["item"])
        rating, timestamp = np.full(n, np.nan, dtype=np.float32), np.full(n, NO_TIME, dtype=np.int64)
        sound = all(name and not name.isspace() for name in users + items)
        if "rating" in columns:
            exact = columns["rating"].to_numpy()
            with np.errstate(over="ignore"):
                rating = exact.astype(np.float32)
            low, high = self.layout.scale or (-np.inf, np.inf)
            sound &= bool((np.isfinite(rating) & (exact >= low) & (exact <= high)).all())
        if "timestamp" in columns:
            known = columns["timestamp"].drop_null().to_numpy()
            sound &= bool(((known >= 0) & (known == np.floor(known)) & (known < 2.0**63)).all())
        if not sound:
            return None
        if "timestamp" in columns:
            timestamp = columns["timestamp"].cast(pa.int64()).fill_null(NO_TIME).to_numpy()
        return Interactions(user, item, rating, timestamp, {"id": users}, {"id": items}, scale=self.layout.scale)

    def first_fault(self, places):
        """The first unsound row as an error; None if the slow way finds none."""
        width = len(self.table.names)
        for number, fields in self.table.rows():
            told = fault(fields, width, places, self.layout)
            if told:
                return UserError(f"{self.path}, {self.table.place} {number}: {told}")
        return None

    def whereabouts(self, user, item=None, most=1):
        """Where a user or a pair occurs, in words: the file and up to ``most`` line numbers."""
        places = self.places(optional=("rating", "timestamp"))
        found = (
            str(number)
            for number, fields in self.table.rows()
            if fields[places["user"]] == user and item in (None, fields[places["item"]])
        )
        numbers = list(islice(found, most))
        place = self.table.place if len(numbers) == 1 else self.table.places
        return f"{self.path}, {place} {' and '.join(numbers)}"


def encoded(column):
    """Text as int32 codes and the list of texts, in order of appearance."""
    column = column.fill_null("") if column.null_count else column  # which takes seconds where there is none, too
    column = column.dictionary_encode().unify_dictionaries().combine_chunks()
    return column.indices.to_numpy().astype(np.int32), column.dictionary.to_pylist()


def format_of(name, data):
    """The format that a file's name tells, or else its first line."""
    if Path(name).suffix.lower() in SUFFIXES:
        return SUFFIXES[Path(name).suffix.lower()]
    first = data[: data.find(b"\n") + 1 or None]
    return "double_colon" if b"::" in first else "tsv" if b"\t" in first else "csv"
