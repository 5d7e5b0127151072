"""Read what is known of users besides their interactions."""

import logging

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from truerank.artefacts.files import readable
from truerank.provenance import PathLike

log = logging.getLogger(__name__)
NO_ATTRIBUTES = ("code", "id")


def read_attributes(path: PathLike) -> dict[str, np.ndarray]:
    """Return attribute -> one value per user, as ``context.encode`` takes them: numbers, or text.

    What is missing is NaN among numbers, which are float64, and None among text. A truth value is 1 or 0. A column of
    anything else, such as lists or times, is left out.
    """
    with readable(path):
        names = [name for name in pq.read_schema(path).names if name not in NO_ATTRIBUTES]
        table = pq.read_table(path, columns=names)
    columns = {name: plain(table[name]) for name in names}
    left_out = [name for name, column in columns.items() if column is None]
    if left_out:
        log.info("attributes that are neither numbers nor text are left out: %s", ", ".join(left_out))
    return {name: column.to_numpy() for name, column in columns.items() if column is not None}


def plain(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Return a column as float64 or as text, None if it is neither."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return plain(column.cast(kind.value_type))
    if pa.types.is_boolean(kind):
        return pc.if_else(column, 1.0, 0.0)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return column.cast(pa.float64(), safe=False)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.string())
    return None
