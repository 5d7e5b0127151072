"""Interactions in Parquet files of any size, read some rows at a time: once for their ids, then to code them."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from truerank.datasets._core.cleaning import Duplicates, merged, policy_for
from truerank.datasets._core.ids import IdCounts, Ids
from truerank.datasets._core.interactions import NO_TIME, Context
from truerank.datasets._core.missing import likely_missing_note
from truerank.datasets._core.reading import Layout, parquet_files
from truerank.datasets._core.reading.parquet import ParquetTable, typed
from truerank.datasets._core.reading.rows import MOST_EMPTY, ratings_of
from truerank.datasets._core.reading.table import TIMES, TableFile
from truerank.datasets._core.reading.times import DATES, TimeUnits, seconds
from truerank.datasets._core.spilled import Parts, SpilledRows, interactions, stored
from truerank.errors import UserError
from truerank.value_counts import ValueCounts

ROWS_AT_A_TIME = 1 << 18
IDS = ("user", "item")
Columns = dict[str, pa.Array]


class StoredParquet(TableFile):
    """One Parquet file, of which some rows are in memory at a time."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self.path, self.kind, self.encoding = path, "parquet", None
        self.layout = self.laid_out(layout, self.kind)
        self.table: ParquetTable = ParquetTable(path, None)

    def batches(self) -> Iterator[Columns]:
        """Yield columns by role, ids as dictionaries of texts."""
        places = self.places()
        names = {role: self.table.names[place] for role, place in places.items()}
        for batch in self.table.batches(list(names.values()), ROWS_AT_A_TIME):
            yield self.columns_of({role: batch.column(name) for role, name in names.items()})

    def columns_of(self, columns: Columns) -> Columns:
        coded = {role: own.dictionary_encode() for role, own in columns.items() if role in IDS or is_text(own)}
        columns = {role: coded.get(role, pa.chunked_array([own])) for role, own in columns.items()}
        for time in TIMES if "timestamp" in columns else TIMES[:1]:
            types = {"user": pa.string(), "item": pa.string(), "rating": pa.float64(), "timestamp": time}
            with contextlib.suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError):
                return {role: typed(own, types[role]) for role, own in columns.items()}
        raise self.fault()

    def fault(self) -> UserError:
        """Return the first fault of the file, whose columns are read whole for it."""
        places = self.places()
        with contextlib.suppress(pa.ArrowException):
            self.table.columns(dict.fromkeys(places.values(), pa.string()))
        return self.first_fault(places) or UserError(f"{self.path} cannot be read; check `format` and the file")


@dataclass
class Survey:
    """What must be known of all rows before they can be coded."""

    users: IdCounts = field(default_factory=IdCounts)
    items: IdCounts = field(default_factory=IdCounts)
    ratings: ValueCounts = field(default_factory=lambda: ValueCounts(np.float32))
    units: TimeUnits = field(default_factory=TimeUnits)
    n: int = 0
    n_empty: int = 0
    n_left_out: int = 0


class StoredTable:
    """All rows of one Parquet file or of a folder of them, as one table."""

    def __init__(self, path: str | Path, layout: Layout) -> None:
        self.path, self.layout = path, layout
        self.paths = parquet_files(path) if Path(path).is_dir() else [Path(path)]
        if not self.paths:
            raise UserError(f"{path} is a folder without a Parquet file (*.parquet), expected some; name another")

    def files(self) -> Iterator[StoredParquet]:
        return (StoredParquet(path, self.layout) for path in self.paths)

    @cached_property
    def survey(self) -> Survey:
        """What all rows have, every one of which is sound."""
        found = Survey()
        for file in self.files():
            for columns in file.batches():
                self.add(found, file, columns)
        if not found.n:
            raise UserError(f"{self.path} has no rows, expected one per interaction; create or download it again")
        if found.n_empty > MOST_EMPTY * found.n:
            few = f"found {found.n_empty:,} of {found.n:,} ratings empty"
            raise UserError(f"{self.path}: {few}, expected a number in 99 of 100 rows at least; delete these rows")
        if found.n_left_out == found.n:
            missing = self.layout.missing_rating
            raise UserError(f"{self.path} has no rating but {missing:g}, which `missing_rating` leaves out; correct it")
        return found

    def add(self, found: Survey, file: StoredParquet, columns: Columns) -> None:
        """Add some rows, or tell what is wrong with one."""
        found.n += len(columns["user"])
        kept = np.ones(len(columns["user"]), bool)
        users, items = (coded_text(columns[role]) for role in IDS)
        if has_blank(users) or has_blank(items):
            raise file.fault()
        if "rating" in columns:
            ratings = ratings_of(columns["rating"], self.layout)
            if ratings is None:
                raise file.fault()
            rating, kept = ratings
            found.ratings.add(rating[kept])
            found.n_empty += columns["rating"].null_count
        if "timestamp" in columns and not found.units.add(columns["timestamp"], self.layout.timestamp_unit):
            raise file.fault()
        if len(found.units.seen) > 1:
            units = " and ".join(found.units.seen)
            raise UserError(f"{self.path}: found times in {units}, expected one of the two; write all in one way")
        found.n_left_out += int((~kept).sum())
        found.users.add(users, kept)
        found.items.add(items, kept)

    def read(self, duplicates: Duplicates, context: Context) -> SpilledRows:
        """Return the rows, one per pair by the policy for duplicates."""
        survey = self.survey
        notes: dict[str, Any] = {}
        if survey.units.unit:
            notes["timestamp_unit"] = survey.units.unit
        if survey.n_left_out:
            notes["rows_without_rating"] = survey.n_left_out
        notes["file_format"] = "parquet"
        (users, per_user), (items, _) = survey.users.sorted(), survey.items.sorted()
        parts, first = Parts(per_user), 0
        for file in self.files():
            for columns in file.batches():
                rows = self.coded(columns, users, items, first)
                parts.add(rows)
                first += len(columns["user"])
        repeats = Repeats(duplicates, {"id": users}, {"id": items})
        kept = parts.sorted(repeats.settled)
        n = survey.n - survey.n_left_out
        policy = policy_for(duplicates, n, repeats.removed, lambda: self.twice(repeats), context)
        notes |= {"duplicate_policy": policy, "duplicates_removed": repeats.removed, "origin": str(self.path)}
        notes |= likely_missing_note(survey.ratings)
        return SpilledRows(kept, {"id": users}, {"id": items}, self.layout.scale, notes)

    def coded(self, columns: Columns, users: Ids, items: Ids, first: int) -> np.ndarray:
        """Return some rows as they are stored. first : the number of the first one."""
        n = len(columns["user"])
        rating, kept = np.full(n, np.nan, np.float32), np.ones(n, bool)
        if "rating" in columns:
            rating, kept = ratings_of(columns["rating"], self.layout) or (rating, kept)
        time = np.full(n, NO_TIME)
        if "timestamp" in columns:
            unit = self.survey.units.unit
            time, _ = seconds(columns["timestamp"], "auto" if unit in (None, DATES) else unit) or (time, None)
        user, item = codes(columns["user"], users), codes(columns["item"], items)
        return stored(user[kept], item[kept], rating[kept], time[kept], first + np.flatnonzero(kept))

    def twice(self, repeats: "Repeats") -> tuple[str, str, str]:
        """Return where a pair is for the first two times, and its user and item."""
        rows, user, item = repeats.first
        return " and ".join(map(self.place, rows)), user, item

    def place(self, row: int) -> str:
        """Return the file and the row of it that has a number among all."""
        for file in self.files():
            n = file.table.file.metadata.num_rows
            if row < n:
                break
            row -= n
        return f"{file.path}, row {row + 1}"


class Repeats:
    """Pairs that occur again, counted while they are settled. first : two rows, the second as early as can be."""

    def __init__(self, policy: Duplicates, users: Mapping[str, Ids], items: Mapping[str, Ids]) -> None:
        self.policy, self.users, self.items = policy, dict(users), dict(items)
        self.removed, self.first = 0, ((-1, -1), "", "")

    def settled(self, rows: np.ndarray) -> np.ndarray:
        """Return rows with one per pair. rows : sorted by pair, those of one pair in their order."""
        again = np.flatnonzero((np.diff(rows["user"]) == 0) & (np.diff(rows["item"]) == 0)) + 1
        if not len(again):
            return rows
        place = again[np.argmin(rows["row"][again])]
        second = int(rows["row"][place])
        if not self.removed or second < self.first[0][1]:
            user, item = self.users["id"][rows["user"][place]], self.items["id"][rows["item"][place]]
            self.first = (int(rows["row"][place - 1]), second), user, item
        self.removed += len(again)
        own = interactions(rows, self.users, self.items, None)
        kept = merged(own, "last" if self.policy in ("auto", "error") else self.policy)
        return stored(kept.user, kept.item, kept.rating, kept.timestamp, np.arange(len(kept)))


def is_text(column: pa.Array) -> bool:
    return pa.types.is_string(column.type) or pa.types.is_large_string(column.type)


def coded_text(column: pa.ChunkedArray) -> pa.DictionaryArray:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def has_blank(ids: pa.DictionaryArray) -> bool:
    """Tell whether an id is missing, or of blanks alone."""
    blank = pc.any(pc.equal(pc.utf8_trim_whitespace(ids.dictionary), "")).as_py()
    return bool(ids.indices.null_count or ids.dictionary.null_count or blank)


def codes(column: pa.ChunkedArray, ids: Ids) -> np.ndarray:
    """Return the codes of the ids of some rows, of no meaning for an id that none of the rows left has."""
    own = coded_text(column)
    known = ids.codes(own.dictionary)
    return known[own.indices.to_numpy()]
