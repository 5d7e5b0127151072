"""The metrics of single users: one row per model and user, one column per metric and cut-off."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from truerank.artefacts.files import n_rows, readable, statistics, write_parts
from truerank.errors import UserError
from truerank.provenance import PathLike

Values = dict[str, np.ndarray]


def write_shard(path: PathLike, columns: Iterable[str], parts: Iterable[tuple[str, Values]]) -> None:
    """Write the values of some users. parts : pairs of a model, and ``user`` with the columns that the model has.

    NaN is a user whose value is undefined, null a column that the model cannot have.
    """
    columns = list(columns)
    tables = (shard_table(columns, model, values) for model, values in parts)
    empty = pa.schema([("model", pa.string()), ("user", pa.int32())]).empty_table()
    write_parts(path, first_or(tables, empty))


def shard_table(columns: list[str], model: str, values: Values) -> pa.Table:
    n = len(values["user"])
    known = {
        name: pa.array(values[name], pa.float64()) if name in values else pa.nulls(n, pa.float64()) for name in columns
    }
    return pa.table({"model": pa.array([model] * n, pa.string()), "user": values["user"]} | known)


def first_or(tables: Iterator[pa.Table], empty: pa.Table) -> Iterator[pa.Table]:
    """Yield tables, or an empty one if there is none."""
    some = False
    for table in tables:
        some = True
        yield table
    if not some:
        yield empty


def read_model(paths: Iterable[PathLike], model: str, size: int) -> Iterator[pa.Table]:
    """Yield the values of one model from all shards, ``size`` users at a time, the rest of a shard by itself."""
    for path in paths:
        with readable(path):
            file = pq.ParquetFile(path)
            spans = statistics(file, "model")
            groups = [group for group, span in enumerate(spans) if span is None or span.min <= model <= span.max]
            own = (pa.Table.from_batches([batch]) for batch in (file.iter_batches(size, groups) if groups else ()))
            yield from in_sizes((table.filter(pc.field("model") == model).drop_columns("model") for table in own), size)


def in_sizes(tables: Iterable[pa.Table], size: int) -> Iterator[pa.Table]:
    """Cut the rows of all ``tables`` anew: ``size`` of them and, last, what is left, if anything is."""
    kept = None
    for table in tables:
        kept = table if kept is None else pa.concat_tables([kept, table])
        while kept.num_rows >= size:
            yield kept.slice(0, size)
            kept = kept.slice(size)
    if kept is not None and kept.num_rows:
        yield kept


def with_all_columns(model: str, values: Mapping[str, np.ndarray], columns: Iterable[str]) -> dict[str, np.ndarray]:
    """Return a model's rows of the whole table; what the model cannot have is NaN."""
    user = values["user"]
    absent = np.full(len(user), np.nan)
    return {"model": np.full(len(user), model), "user": user} | {name: values.get(name, absent) for name in columns}


def read_by_users(
    path: PathLike, models: int, columns: Iterable[str], size: int
) -> Iterator[tuple[np.ndarray, Values]]:
    """Yield codes of users and their values, users x models by column, ``size`` users at a time; null is NaN.

    models : how many there are, one after another in the table and each with the same users.
    """
    n, names = n_rows(path) // max(models, 1), ["user", *columns]
    parts = [rows_between(path, names, n * model, n * (model + 1), size) for model in range(models)]
    for tables in zip(*parts, strict=True):
        users = [table["user"].to_numpy() for table in tables]
        if any(not np.array_equal(own, users[0]) for own in users):
            raise UserError(f"{path} does not have the same users for every model; delete it and run the same command")
        yield users[0], {name: np.column_stack([table[name].to_numpy() for table in tables]) for name in names[1:]}


def rows_between(path: PathLike, names: list[str], start: int, stop: int, size: int) -> Iterator[pa.Table]:
    """Yield the rows from ``start`` to before ``stop``, ``size`` at a time."""
    with readable(path):
        file = pq.ParquetFile(path)
        ends = np.cumsum([file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)])
        groups = [group for group, end in enumerate(ends) if end > start and end - file_rows(file, group) < stop]
        at = int(ends[groups[0]]) - file_rows(file, groups[0]) if groups else start
        yield from in_sizes(cut(file.iter_batches(size, groups, names), at, start, stop), size)


def cut(batches: Iterable[pa.RecordBatch], at: int, start: int, stop: int) -> Iterator[pa.Table]:
    """Yield the rows between two numbers of rows, of which the first batch begins ``at`` one."""
    for batch in batches:
        first = min(max(start - at, 0), batch.num_rows)
        yield pa.Table.from_batches([batch]).slice(first, max(min(stop - at, batch.num_rows) - first, 0))
        at += batch.num_rows


def file_rows(file: pq.ParquetFile, group: int) -> int:
    return file.metadata.row_group(group).num_rows
