"""Tables that people give, whatever their form, as batches of columns by role."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.json
from scipy import sparse

from truerank.datasets._core.reading.content import content
from truerank.datasets._core.reading.encoding import recoded
from truerank.datasets._core.reading.nested import NestedJson
from truerank.datasets._core.reading.parquet import ParquetTable
from truerank.datasets._core.reading.run import TREC, ListFile
from truerank.datasets._core.reading.table import QRELS
from truerank.errors import UserError
from truerank.ranking.shards import blocks
from truerank.registry import unknown

Columns = Mapping[str, str | int]
MOST_ROWS = 1 << 20  # in a batch
USUAL = {
    "user": ("user", "user_id", "userId", "q_id", "query_id", "qid"),
    "item": ("item", "item_id", "itemId", "doc_id", "docno"),
    "rank": ("rank", "position"),
    "score": ("score",),
    "rating": ("rating", "relevance"),
}
FORMS = "a path, a data frame, a dictionary by user or a scipy matrix"


@dataclass(frozen=True)
class Source:
    """A table. name : what sentences call it. names : of its columns. read : column names -> batches, any number of
    times. place : what a row is called. roles : the columns that are known. locate : user and item -> where they are.
    """

    name: str
    names: Sequence[str]
    read: Callable[[Mapping[str, str]], Iterator[dict[str, Any]]]
    roles: Mapping[str, str] | None = None
    locate: Callable[[str, str], str] | None = None

    def batches(self, roles: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """Yield columns by role, ids as Arrow arrays and numbers as NumPy arrays; a missing value is an error."""
        first = 1
        for batch in self.read(roles):
            n = len(batch["user"])
            yield {role: self.checked(role, column, first, roles) for role, column in batch.items()} if n else {}
            first += n

    def checked(self, role: str, column: Any, first: int, roles: Mapping[str, str]) -> Any:
        missing = column.null_count
        row = first + (np.argmax(column.is_null().to_numpy(zero_copy_only=False)) if missing else 0)
        if role in ("user", "item"):
            if missing:
                raise UserError(f"{self.name}, row {row}: found no {role}, expected an id; correct or delete the row")
            return column
        if missing:
            raise UserError(f"{self.name}, row {row}: found no {role}, expected a number; correct or delete the row")
        numbers = as_numbers(self.name, role, column)
        low = numbers.min(initial=1) if role == "rank" else 1
        if not np.isfinite(numbers).all() or low < 1 or (role == "rank" and (numbers != np.floor(numbers)).any()):
            sound = np.isfinite(numbers) & ((role != "rank") | ((numbers >= 1) & (numbers == np.floor(numbers))))
            row = int(np.argmin(sound))
            expected = "a whole number from 1 on" if role == "rank" else "a finite number"
            problem = f"found the {role} {numbers[row]:g} in column {roles[role]!r}, expected {expected}"
            raise UserError(f"{self.name}, row {first + row}: {problem}; correct it")
        return numbers.astype(np.int64) if role == "rank" else numbers.astype(float)


def as_numbers(name: str, role: str, column: Any) -> np.ndarray:
    try:
        if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
            column = column.cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as failure:
        reason = str(failure).partition("\n")[0]
        raise UserError(f"{name}: the column of {role} cannot be read as numbers ({reason}); correct it") from None
    return column.to_numpy(zero_copy_only=False) if isinstance(column, pa.Array) else column.to_numpy()


def open_source(data: Any, name: str, columns: Columns | None = None) -> Source:
    """Return what somebody gave as a table. name : of an object in sentences; a file has its own."""
    if isinstance(data, Source):
        return data
    if isinstance(data, str | os.PathLike):
        return open_path(Path(data), columns or {})
    if isinstance(data, Mapping):
        return of_mapping(data, name)
    if sparse.issparse(data):
        return of_matrix(data, name)
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "columns"):
        return of_frame(data, name)
    if isinstance(data, np.ndarray):
        raise UserError(f"{name} is an array of shape {data.shape}, expected {FORMS}; give a scipy matrix of it")
    raise UserError(f"{name} is of type {type(data).__name__}, expected {FORMS}; give one of these")


def open_lists(data: Any, name: str, columns: Columns | None = None) -> Source:
    """Return lists, or scores, as a table; these may be an array, users x items, too."""
    return of_scores(data, name) if isinstance(data, np.ndarray) else open_source(data, name, columns)


def of_scores(scores: np.ndarray, name: str) -> Source:
    """Return an array of scores as a source, block by block; minus infinity is no score: the item is not listed."""
    if scores.ndim != 2 or not (np.issubdtype(scores.dtype, np.number) and np.isrealobj(scores)):
        problem = f"{name} is an array of {scores.dtype} of shape {scores.shape}"
        raise UserError(f"{problem}, expected numbers, users x items; give such an array, or {FORMS}")

    def read(chosen: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        for rows in blocks(len(scores), max(1, MOST_ROWS // max(1, scores.shape[1]))):
            block = scores[rows]
            row, column = np.nonzero(block != -np.inf)
            found = {"user": rows.start + row, "item": column, "score": block[row, column]}
            yield {role: pa.array(found[role]) for role in chosen}

    return Source(name, ["user", "item", "score"], read, {role: role for role in ("user", "item", "score")})


def of_table(table: pa.Table, name: str, roles: Mapping[str, str] | None = None, **more: Any) -> Source:
    """Return a table in memory as a source; its batches are parts of it."""

    def read(chosen: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        for first in range(0, table.num_rows, MOST_ROWS):
            part = table.slice(first, MOST_ROWS)
            yield {role: joined(part.column(column)) for role, column in chosen.items()}

    return Source(name, table.column_names, read, roles, **more)


def joined(column: pa.ChunkedArray) -> pa.Array:
    if column.num_chunks == 1:
        return column.chunk(0)
    whole = (column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column).combine_chunks()
    return whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole


def of_frame(frame: Any, name: str) -> Source:
    """Return a data frame as a source; columns that Arrow cannot hold are text where they are used."""
    try:
        table = pa.table(frame) if hasattr(frame, "__arrow_c_stream__") else pa.Table.from_pandas(frame)
        return of_table(table, name)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, NotImplementedError):
        names = [str(column) for column in frame.columns]
        arrays = [text_or_numbers(list(frame[column])) for column in frame.columns]
        return of_table(pa.Table.from_arrays(arrays, names=names), name)


def text_or_numbers(values: Sequence[Any]) -> pa.Array:
    """Return values as an Arrow array: of their own type if they share one, else as text."""
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if value is None else str(value) for value in values], pa.string())


def of_mapping(data: Mapping, name: str) -> Source:
    """Return ``{user: {item: number}}`` or ``{user: [item, ..]}`` as a source."""
    users, items, numbers, kinds = [], [], [], set()
    for user, own in data.items():
        if isinstance(own, Mapping):
            kinds.add("number")
            items += list(own)
            numbers += list(own.values())
        elif isinstance(own, list | tuple | range | np.ndarray | set | frozenset) or hasattr(own, "tolist"):
            kinds.add("rank" if not isinstance(own, set | frozenset) else "none")
            items += list(own)
            numbers += range(1, len(own) + 1)
        else:
            kind = type(own).__name__
            raise UserError(f"{name}[{user!r}] is of type {kind}, expected a dictionary or a list of items; correct it")
        users += [user] * len(own)
    if len(kinds) > 1:
        raise UserError(f"{name} has dictionaries and lists, expected one of them for all users; correct it")
    columns = {"user": text_or_numbers(users), "item": text_or_numbers(items)}
    roles = {"user": "user", "item": "item"}
    if kinds == {"number"} and any(number is not None for number in numbers):
        columns["number"] = text_or_numbers(numbers)
        roles |= {"score": "number", "rating": "number"}
    elif kinds <= {"rank"}:
        columns["number"] = pa.array(numbers, pa.int64())
        roles |= {"rank": "number"}
    return of_table(pa.table(columns), name, roles)


def of_matrix(matrix: Any, name: str) -> Source:
    """Return the stored entries of a users x items matrix: ids are the numbers of rows and columns."""
    found = sparse.coo_array(matrix)
    row, column = found.coords
    table = pa.table({"user": row.astype(np.int64), "item": column.astype(np.int64), "number": found.data})
    return of_table(table, name, {"user": "user", "item": "item", "score": "number", "rating": "number"})


def open_path(path: Path, columns: Columns) -> Source:
    """Return a file as a source; Parquet is read part by part."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    kind = suffixes[-2:][0] if suffixes[-1:] == [".gz"] and len(suffixes) > 1 else (suffixes or [""])[-1]
    if kind in (".parquet", ".pq"):
        plain = suffixes[-1] != ".gz"
        if plain and not path.is_file():
            content(path)  # which says what is wrong
        table = ParquetTable(path, None if plain else content(path)[0])

        def read(chosen: Mapping[str, str]) -> Iterator[dict[str, Any]]:
            for batch in table.batches(list(dict.fromkeys(chosen.values())), MOST_ROWS):
                yield {role: batch.column(column) for role, column in chosen.items()}

        return Source(str(path), table.names, read)
    if kind in (".json", ".jsonl", ".ndjson"):
        return open_json(path, kind == ".json")
    return open_text(path, columns)


def open_json(path: Path, whole: bool) -> Source:
    """Return JSON as a source: records, one per line or in a list, or numbers or lists by user."""
    data = recoded(path, content(path)[0], "auto")[0].removeprefix(b"\xef\xbb\xbf")
    try:
        if not whole or data.lstrip().startswith(b"["):
            return of_table(records_of(data, whole), str(path))
        found = json.loads(data, object_pairs_hook=partial(with_each_user_once, path))
    except (ValueError, RecursionError, pa.ArrowInvalid) as failure:
        reason = str(failure).partition("\n")[0]
        raise UserError(
            f"{path} is not valid JSON ({reason}), expected records, or lists by user; correct it"
        ) from None
    if isinstance(found, dict) and found and all(isinstance(own, list) for own in found.values()):
        return of_mapping(found, str(path))
    nested = NestedJson(path, data)
    columns = nested.columns({0: pa.string(), 1: pa.string(), 2: pa.float64()})
    table = pa.table(list(columns.values()), names=list(nested.names))
    return of_table(table, str(path), {"user": "user", "item": "item", "score": "value", "rating": "value"})


def with_each_user_once(path: Path, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; of two lists of a user, one would be lost. Other objects are looked at elsewhere."""
    found = dict(pairs)
    if len(found) < len(pairs) and all(isinstance(own, list) for own in found.values()):
        names = [name for name, _ in pairs]
        user = next(name for name in names if names.count(name) > 1)
        raise UserError(f"{path}: found the user {user!r} twice, expected one list for each; join the two")
    return found


def records_of(data: bytes, whole: bool) -> pa.Table:
    if not whole:
        return pa.json.read_json(pa.BufferReader(data))
    records = json.loads(data)
    if not all(isinstance(record, dict) for record in records):
        raise ValueError("an entry is no record")
    names = dict.fromkeys(name for record in records for name in record)
    return pa.table({name: text_or_numbers([record.get(name) for record in records]) for name in names})


def open_text(path: Path, columns: Columns) -> Source:
    """Return delimited text, a TREC run or TREC qrels as a source."""
    wanted = {role: [str(columns[role])] if role in columns else [] for role in USUAL}
    wanted = {role: [*own, *USUAL[role]] for role, own in wanted.items()}
    header = not any(isinstance(column, int) for column in columns.values())
    file = ListFile(path, wanted, header)
    known = {"trec": TREC, "qrels": QRELS}.get(file.kind)
    names = [str(name) for name in file.table.names]
    roles = None if known is None else {role: names[place] for role, place in known.items() if place < len(names)}

    def read(chosen: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        for role, column in chosen.items():
            if names.count(column) > 1:
                raise UserError(f"{path} has two columns {column!r}, expected one for {role}; rename the other")
        found = file.columns_at({role: names.index(column) for role, column in chosen.items()})
        table = pa.table(found)
        yield from of_table(table, str(path)).read({role: role for role in chosen})

    def locate(user: str, item: str) -> str:
        places = {role: names.index(column) for role, column in (roles or resolved(names, columns, path)).items()}
        rows = file.table.rows()
        lines = [str(n) for n, cells in rows if (cells[places["user"]], cells[places["item"]]) == (user, item)]
        return f"{path}, {file.table.places} {' and '.join(lines[:2])}" if len(lines) > 1 else str(path)

    return Source(str(path), names, read, roles, locate)


def resolved(names: Sequence[str], columns: Columns, name: object) -> dict[str, str]:
    """Return the columns that a table has for each role: what ``columns`` says if it is there, else a usual name."""
    found: dict[str, str] = {}
    for role, usual in USUAL.items():
        asked = [str(columns[role])] if role in columns else []
        column = next((column for column in (*asked, *usual) if column in names), None)
        if column is not None and column not in found.values():
            found[role] = column
    for role in ("user", "item"):
        if role not in found:
            problem = unknown("column", str(columns.get(role, role)), names)
            there = f" (columns found: {', '.join(names)})" if problem.endswith("?") else ""
            how = f"columns={{{role!r}: ..}} in Python, --columns {role}=.. in the shell"
            raise UserError(f"{name}, column of {role}: {problem}{there}; name it: {how}")
    return found


def roles_of(source: Source, columns: Columns | None) -> dict[str, str]:
    """Return role -> column of a source."""
    return dict(source.roles) if source.roles is not None else resolved(source.names, columns or {}, source.name)


def names_in(source: Source, columns: Columns | None) -> set[str]:
    """Return the names of a source's columns, and those that ``columns`` gives to roles which it knows itself."""
    known = () if source.roles is None else source.roles
    return {*source.names, *(str(name) for role, name in (columns or {}).items() if role in known)}
