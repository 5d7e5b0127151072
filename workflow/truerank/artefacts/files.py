"""Read and write artefacts: Parquet tables, npz arrays and JSON, each whole or absent, the same bytes each time."""

import contextlib
import errno
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from truerank.errors import UserError
from truerank.provenance import PathLike, whole

if TYPE_CHECKING:
    import pandas as pd

Columns: TypeAlias = "pa.Table | pd.DataFrame | Mapping[str, Any]"  # the last of arrays
Types = Mapping[str, pa.DataType]
ROWS_PER_GROUP = 1 << 18
TEXT, WHOLE, REAL, TRUTH = pa.string(), pa.int64(), pa.float64(), pa.bool_()


def write_table(path: PathLike, columns: Columns, types: Types | None = None) -> None:
    """Write a Parquet table from an Arrow table, a data frame or a mapping of arrays; NaN is written as null.

    types : name -> Arrow type of every column, in order; they hold for a table without rows or values, too. Without
    them, types are those of the arrays.
    """
    write_parts(path, [as_table(columns, types)])


def write_frames(path: PathLike, frames: Sequence["pd.DataFrame"], types: Types) -> None:
    """Write data frames, if there are any, one below the other. types : as in ``write_table``."""
    import pandas as pd

    write_table(path, pd.concat(frames, ignore_index=True) if frames else {name: [] for name in types}, types)


def write_rows(path: PathLike, rows: Sequence[tuple], types: Types) -> None:
    """Write rows, tuples in the order of ``types``."""
    columns = zip(*rows, strict=True) if rows else ([] for _ in types)
    write_table(path, dict(zip(types, columns, strict=True)), types)


def write_parts(path: PathLike, parts: Iterable[Columns]) -> None:
    """Write a Parquet table whose rows come in parts, each as ``write_table`` takes it.

    Few parts are in memory at a time, and how the rows are cut into parts does not show in the file.
    """
    with parts_writer(path) as write:
        for part in parts:
            write(part)


@contextlib.contextmanager
def parts_writer(path: PathLike) -> Iterator[Callable[[Columns], None]]:
    """Provide a function that writes one part more of a Parquet table, for ``write_parts`` and several tables at once.

    Row groups, all but the last of ``ROWS_PER_GROUP``, are cut anew. A table without rows has one.
    """
    kept: pa.Table | None = None
    writer: pq.ParquetWriter | None = None

    def write_group(group: pa.Table) -> None:
        nonlocal writer
        if writer is None:
            writer = stack.enter_context(pq.ParquetWriter(temporary, group.schema, compression="zstd"))
        writer.write_table(group.combine_chunks(), ROWS_PER_GROUP)

    def write(part: Columns) -> None:
        nonlocal kept
        kept = as_table(part) if kept is None else pa.concat_tables([kept, as_table(part)])
        while kept.num_rows > ROWS_PER_GROUP:
            write_group(kept.slice(0, ROWS_PER_GROUP))
            kept = kept.slice(ROWS_PER_GROUP)

    with whole(path) as temporary, contextlib.ExitStack() as stack:
        yield write
        if kept is not None:
            write_group(kept)


def as_table(columns: Columns, types: Types | None = None) -> pa.Table:
    if isinstance(columns, pa.Table):
        return columns
    types = types or dict.fromkeys(columns)
    return pa.table({name: pa.array(columns[name], kind, from_pandas=True) for name, kind in types.items()})


def read_table(path: PathLike, columns: list[str] | None = None) -> "pd.DataFrame":
    """Read a Parquet table, or some of its columns, as a data frame."""
    with readable(path):
        return pq.read_table(path, columns=columns).to_pandas()


def read_parts(
    paths: Iterable[PathLike], columns: list[str] | None = None, size: int = ROWS_PER_GROUP
) -> Iterator[pa.Table]:
    """Yield the rows of Parquet tables one after another, ``size`` at a time, as ``write_parts`` takes them.

    columns : some of them, or all.
    """
    for path in paths:
        with readable(path):
            file = pq.ParquetFile(path)
            yield file.schema_arrow.empty_table()
            for batch in file.iter_batches(size, columns=columns):
                yield pa.Table.from_batches([batch])


def counted(path: PathLike, name: str, n: int) -> np.ndarray:
    """Return how often each code from 0 to before ``n`` is in a column of a Parquet table, read some rows at a time."""
    found = np.zeros(n, np.int64)
    for part in read_parts([path], [name]):
        found += np.bincount(part[name].to_numpy(), minlength=n)
    return found


def read_columns(path: PathLike, *names: str, users: tuple[int, int] | None = None) -> list[np.ndarray]:
    """Read columns of a Parquet table as arrays, in the order of ``names``; null is read as NaN.

    users : first and last code; row groups without any of them, in a table sorted by user, are not read.
    """
    with readable(path):
        if users is None:
            table = pq.read_table(path, columns=list(names))
        else:
            table = rows_of_users(pq.ParquetFile(path), names, *users)
    return [table[name].to_numpy() for name in names]


def rows_of_users(file: pq.ParquetFile, names: Iterable[str], first: int, last: int) -> pa.Table:
    spans = statistics(file, "user")
    groups = [g for g, span in enumerate(spans) if span.min <= last and span.max >= first]
    table = file.read_row_groups(groups, columns=list(dict.fromkeys(("user", *names))))
    return table.filter((pc.field("user") >= first) & (pc.field("user") <= last))


def statistics(file: pq.ParquetFile, name: str) -> list[pq.Statistics]:
    """Return what a Parquet file says of a column, per row group."""
    place = file.schema_arrow.get_field_index(name)
    return [file.metadata.row_group(g).column(place).statistics for g in range(file.num_row_groups)]


def is_null(path: PathLike, name: str) -> bool:
    """Tell whether a column of a Parquet table is null in all rows, without reading it."""
    with readable(path):
        file = pq.ParquetFile(path)
        sizes = (file.metadata.row_group(g).num_rows for g in range(file.num_row_groups))
        groups = zip(sizes, statistics(file, name), strict=True)
    return all(size == 0 or group.null_count == size for size, group in groups)


def largest(path: PathLike, name: str) -> int:
    """Return the largest value of a column of a Parquet table, 0 if there is none, without reading it."""
    with readable(path):
        groups = statistics(pq.ParquetFile(path), name)
    return max((group.max for group in groups), default=0)


def write_arrays(path: PathLike, arrays: Mapping[str, np.ndarray]) -> None:
    """Write named arrays as npz; object arrays, which would need unpickling, are refused."""
    with whole(path) as temporary, open(temporary, "wb") as handle:
        np.savez(handle, allow_pickle=False, **arrays)


def read_arrays(path: PathLike) -> dict[str, np.ndarray]:
    """Read all arrays of an npz file into memory."""
    with readable(path), np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


def write_json(path: PathLike, content: Any) -> None:
    with whole(path) as temporary:
        temporary.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_json(path: PathLike) -> Any:
    with readable(path), open(path, encoding="utf-8") as handle:
        return json.load(handle)


@contextlib.contextmanager
def readable(path: PathLike) -> Iterator[None]:
    """Turn the many ways in which a damaged artefact fails to load into one sentence."""
    try:
        yield
    except (MemoryError, FileNotFoundError):  # Arrow's, one an ArrowException too, one without a number
        raise
    except (pa.ArrowException, zipfile.BadZipFile, NotImplementedError, ValueError, EOFError, OSError) as failure:
        # Arrow finds damage with an OSError without a number, zipfile by seeking to before the start.
        if isinstance(failure, OSError) and failure.errno not in (None, errno.EINVAL):
            raise
        reason = str(failure).partition("\n")[0]
        raise UserError(f"{path} is damaged ({reason}); delete it and run the same command again") from failure


def column_names(path: PathLike) -> list[str]:
    """Return the names of the columns of a Parquet table without reading it."""
    with readable(path):
        return pq.read_schema(path).names


def n_rows(path: PathLike) -> int:
    """Return the number of rows of a Parquet table without reading them."""
    with readable(path):
        return pq.read_metadata(path).num_rows
