"""A file of recommendations: a TREC run, delimited text, Parquet or JSON, its mistakes told by line."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from truerank.datasets._core.reading import Layout
from truerank.datasets._core.reading.faults import MEND, NUMBER, count
from truerank.datasets._core.reading.rows import encoded
from truerank.datasets._core.reading.table import TableFile
from truerank.errors import UserError

TREC = {"user": 0, "item": 2, "score": 4}  # topic, Q0, document, rank, score, tag
TREC_RANK = {"rank": 3}  # not used, but where it is no whole number the fields are not what they seem
VALUES = ("score", "rank")
KNOWN: dict[str, Mapping[str, str | int]] = {"trec": TREC, "json": {"user": "user", "item": "item", "score": "value"}}
USUAL = {"user": ("user", "user_id", "q_id"), "item": ("item", "item_id", "doc_id")}  # our own, LensKit's and ranx's


class RunFile(TableFile):
    """One file of recommendations, a row per user and item, with a score or a rank.

    layout.columns : user, item and one of score and rank -> name or number of the column. Without either, the column
    ``score`` or else ``rank`` is taken, without any the usual names; TREC runs and JSON have columns that are known.
    """

    row = "recommended item"
    known = KNOWN

    def format_of(self, name: str, data: bytes) -> str | None:
        fields = data[: data.find(b"\n") + 1 or None].split()
        if Path(name).suffix.lower() in (".trec", ".run") or (len(fields) == 6 and fields[1].upper() == b"Q0"):
            return "trec"
        return super().format_of(name, data)

    def fits(self, layout: Layout, names: Collection[str]) -> bool:
        return (
            super().fits(layout, names) if layout.columns else all(set(usual) & set(names) for usual in USUAL.values())
        )

    def laid_out(self, layout: Layout, kind: str) -> Layout:
        self.besides = TREC_RANK if kind == "trec" else {}
        return layout if layout.columns is None and kind not in self.known else super().laid_out(layout, kind)

    def places(self, optional: Collection[str] = ()) -> dict[str, int]:
        columns = self.layout.columns or {
            role: next((name for name in names if name in self.table.names), role) for role, names in USUAL.items()
        }
        if all(value in columns for value in VALUES):
            raise UserError(f"{self.path}: `columns` names both score and rank, expected one of them; leave one out")
        if not any(value in columns for value in VALUES):
            value = next((value for value in VALUES if value in self.table.names), "score")
            self.layout = replace(self.layout, columns={**columns, value: value})
        return super().places(optional)

    def read(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str], list[str]]:  # type: ignore[override]  # scores, not ratings
        """Return user codes, item codes, scores (float64, minus the rank if there is none), user ids and item ids."""
        places = self.places()
        value = "score" if "score" in places else "rank"
        places |= self.besides
        types = {"user": pa.string(), "item": pa.string(), "score": pa.float64(), "rank": pa.float64()}
        try:
            columns = self.table.columns({place: types[role] for role, place in places.items()})
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as failure:
            reason = str(failure).partition("\n")[0]
            problem = UserError(f"{self.path} cannot be read ({reason}); check `format` and the file")
            raise self.first_fault(places, value) or problem from None
        user, users = encoded(columns[places["user"]])
        item, items = encoded(columns[places["item"]])
        named = all(name and not name.isspace() for name in users + items)
        numbers = {role: columns[place].to_numpy() for role, place in places.items() if role in VALUES}
        if not named or not all(sound(number, role, value).all() for role, number in numbers.items()):
            raise self.first_fault(places, value) or UserError(
                f"{self.path} cannot be read (a value is out of range); check `format` and the file"
            )
        self.tell(self.found)
        score = numbers[value]
        return user, item, -score if value == "rank" else score, users, items

    def first_fault(self, places: Mapping[str, int], value: str) -> UserError | None:  # type: ignore[override]  # scores, not ratings
        """The first unsound row as an error; None if the slow way finds none."""
        for number, fields in self.table.rows():
            problem = fault(fields, len(self.table.names), places, value)
            if problem:
                return UserError(f"{self.path}, {self.table.place} {number}: {problem}; {MEND}")
        return None


def sound(number: np.ndarray | np.float64, role: str, value: str) -> np.ndarray:
    """Tell which numbers can have their role: finite, ranks whole, and from 1 if they are what is read."""
    with np.errstate(over="ignore"):
        finite = np.isfinite(np.float32(number))
    return finite & (role != "rank" or (number == np.floor(number)) & (number >= 1 if value == "rank" else True))


def fault(fields: Sequence[str], width: int, places: Mapping[str, int], value: str) -> str | None:
    """Say what is wrong with a row's fields; None if nothing is."""
    if len(fields) != width:
        return f"found {count(len(fields))}, expected {width} as in the first row"
    for role, place in places.items():
        text = fields[place].strip()
        if role in ("user", "item"):
            if not text:
                return f"found an empty {role} id, expected text"
        elif not NUMBER.fullmatch(text) or not sound(np.float64(text), role, value):
            whole = f"a whole number{' from 1 on' if value == 'rank' else ''}"
            return f"found the {role} {fields[place]!r}, expected {whole if role == 'rank' else 'a finite number'}"
    return None


LISTED: dict[str, Mapping[str, str | int]] = {**KNOWN, "qrels": {}}


class ListFile(RunFile):
    """A text file of lists or of test rows, whose columns its reader names; see ``open``.

    wanted : role -> the names that its column may have.
    """

    row = "listed item or test row"
    known = LISTED

    def __init__(self, path: str | Path, wanted: Mapping[str, Collection[str]], header: bool = True) -> None:
        self.wanted = wanted
        super().__init__(path, Layout(None, header=header))

    def format_of(self, name: str, data: bytes) -> str | None:
        fields = data[: data.find(b"\n") + 1 or None].split()
        if len(fields) == 4 and fields[1].upper() in (b"0", b"Q0"):
            return "qrels"
        return super().format_of(name, data)

    def fits(self, layout: Layout, names: Collection[str]) -> bool:
        return all(set(self.wanted[role]) & set(names) for role in ("user", "item"))

    def laid_out(self, layout: Layout, kind: str) -> Layout:
        return replace(layout, header=layout.header and kind not in self.known)

    def columns_at(self, places: Mapping[str, int]) -> dict[str, pa.ChunkedArray]:
        """Return columns by role: ids as text, all others as finite numbers; ranks are whole and from 1 on."""
        types = {role: pa.string() if role in ("user", "item") else pa.float64() for role in places}
        unsound = UserError(f"{self.path} cannot be read (a value is out of range); check the file")
        try:
            columns = self.table.columns({place: types[role] for role, place in places.items()})
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as failure:
            reason = str(failure).partition("\n")[0]
            unsound = UserError(f"{self.path} cannot be read ({reason}); check its columns")
            raise self.first_fault(places, "rank") or unsound from None
        found = {role: columns[place] for role, place in places.items()}
        for role, column in found.items():
            if role in ("user", "item"):
                texts = column.fill_null("") if column.null_count else column
                named = all(name and not name.isspace() for name in texts.unique().to_pylist())
                found[role] = texts
            else:
                named = bool(sound(column.to_numpy(), role, "rank").all())
            if not named:
                raise self.first_fault(places, "rank") or unsound
        return found
