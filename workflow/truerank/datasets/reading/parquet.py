"""A Parquet file with the same two ways of reading as delimited text."""

import pyarrow as pa
import pyarrow.parquet as pq

from truerank.errors import UserError

MOST_ROWS_PER_BYTE = 20


class ParquetTable:
    """A table in Parquet; ids of any simple type become text, times become seconds."""

    place = "row"

    def __init__(self, path, data):
        try:
            file = pq.ParquetFile(pa.BufferReader(data))
            check_rows(path, file.metadata.num_rows, len(data))
            self.table = file.read()
            self.table.validate(full=True)
            self.names = self.table.column_names
        except (pa.ArrowException, ValueError, OSError) as failure:
            reason = str(failure).partition("\n")[0]
            raise UserError(f"{path} is not a sound Parquet file ({reason}); make or fetch it again") from None

    @property
    def empty(self):
        return not self.table.num_rows

    def columns(self, types):
        """Read columns by place as the types given for them."""
        return {place: seconds(self.table.column(place)).cast(kind) for place, kind in types.items()}

    def rows(self):
        """Yield the number of every row, from 1, and its fields as text, null as empty text."""
        number = 0
        for batch in self.table.to_batches():
            for values in zip(*(seconds(column).to_pylist() for column in batch.columns), strict=True):
                number += 1
                yield number, ["" if value is None else str(value) for value in values]


def check_rows(path, n_rows, n_bytes):
    """Refuse a file that says that it has more rows than different pairs of a user and an item could fit into it."""
    if n_rows > MOST_ROWS_PER_BYTE * n_bytes:
        raise UserError(
            f"{path} says that it has {n_rows:,} rows in {n_bytes:,} bytes, which different pairs of user and item "
            "cannot have; make or fetch it again"
        )


def seconds(column):
    """Whole seconds for a column of times, any other column as it is."""
    if pa.types.is_timestamp(column.type):
        return column.cast(pa.timestamp("s", column.type.tz), safe=False).cast(pa.int64())
    return column
