"""Read and write artefacts: Parquet tables, npz arrays and JSON, each whole or absent, the same bytes each time."""

import contextlib
import errno
import json
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from truerank.errors import UserError
from truerank.provenance import whole

ROWS_PER_GROUP = 1 << 18


def write_table(path, columns):
    """Write a Parquet table from an Arrow table, a data frame or a mapping of arrays; NaN is written as null."""
    write_parts(path, [columns])


def write_parts(path, parts):
    """Write a Parquet table whose rows come in parts, each as ``write_table`` takes it; one is in memory at a time."""
    with whole(path) as temporary, contextlib.ExitStack() as stack:
        writer = None
        for part in parts:
            table = as_table(part)
            if writer is None:
                writer = stack.enter_context(pq.ParquetWriter(temporary, table.schema, compression="zstd"))
            writer.write_table(table, ROWS_PER_GROUP)


def as_table(columns):
    if isinstance(columns, pa.Table):
        return columns
    return pa.table({name: pa.array(values, from_pandas=True) for name, values in columns.items()})


def read_table(path, columns=None):
    """Read a Parquet table, or some of its columns, as a data frame."""
    with readable(path):
        return pq.read_table(path, columns=columns).to_pandas()


def read_columns(path, *names):
    """Read columns of a Parquet table as arrays, in the order of ``names``; null is read as NaN."""
    with readable(path):
        table = pq.read_table(path, columns=list(names))
    return [table[name].to_numpy() for name in names]


def write_arrays(path, arrays):
    """Write named arrays as npz; object arrays, which would need unpickling, are refused."""
    with whole(path) as temporary, open(temporary, "wb") as handle:
        np.savez(handle, allow_pickle=False, **arrays)


def read_arrays(path):
    """Read all arrays of an npz file into memory."""
    with readable(path), np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


def write_json(path, content):
    with whole(path) as temporary:
        temporary.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_json(path):
    with readable(path), open(path, encoding="utf-8") as handle:
        return json.load(handle)


@contextlib.contextmanager
def readable(path):
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


def column_names(path):
    """Return the names of the columns of a Parquet table without reading it."""
    with readable(path):
        return pq.read_schema(path).names


def n_rows(path):
    """Return the number of rows of a Parquet table without reading them."""
    with readable(path):
        return pq.read_metadata(path).num_rows
