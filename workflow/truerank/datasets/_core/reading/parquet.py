"""A Parquet file with the same two ways of reading as delimited text."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from truerank.datasets._core.reading.content import HARMLESS, MOST_RATIO
from truerank.datasets._core.reading.times import MOMENT, dates, whole_seconds
from truerank.errors import UserError

T = TypeVar("T")

MOST_ROWS_PER_BYTE = 20


class ParquetTable:
    """A table in Parquet; ids of any simple type become text.

    Only the columns that are asked for are read, and text stays coded: a text that many rows share is there once.
    """

    place, places = "row", "rows"

    def __init__(self, path: str | Path, data: bytes | None) -> None:
        """``data`` is the file's content; without it the file is read part by part."""
        self.path, self.data = path, data
        self.file = self.sound(lambda: pq.ParquetFile(self.source()))
        self.names = self.sound(lambda: self.file.schema_arrow).names
        self.table: dict[int, pa.ChunkedArray | pa.DictionaryArray] = {}
        self.size = os.path.getsize(path) if data is None else len(data)
        check_rows(path, self.file.metadata.num_rows, self.size)

    def source(self) -> pa.NativeFile:
        return pa.OSFile(str(self.path)) if self.data is None else pa.BufferReader(self.data)

    @property
    def empty(self) -> bool:
        return not self.file.metadata.num_rows

    @cached_property
    def most(self) -> int:
        """The bytes that a column may unpack to, as for any packed file."""
        return max(HARMLESS, MOST_RATIO * self.size)

    def columns(self, types: Mapping[int, pa.DataType]) -> dict[int, pa.ChunkedArray]:
        """Read columns by place as the types given for them; text as a dictionary."""
        if self.table.keys() != types.keys():
            for place in types:
                self.check_column(place)
            names = [self.names[place] for place in types]
            table = self.sound(lambda: self.read(names))
            self.table = {place: compact(table.column(self.names[place])) for place in types}
        return {place: typed(self.table[place], kind) for place, kind in types.items()}

    def read(self, names: Sequence[str]) -> pa.Table:
        table = pq.ParquetFile(self.source(), read_dictionary=names).read(columns=names)
        table.validate(full=True)
        return table

    def batches(self, names: Sequence[str], most_rows: int) -> Iterator[pa.RecordBatch]:
        """Yield columns as they are, up to so many rows at a time."""
        for name in names:
            self.check_column(self.names.index(name))
        parts = self.sound(lambda: self.file.iter_batches(most_rows, columns=list(names)))
        while (part := self.sound(lambda: next(parts, None))) is not None:
            self.sound(lambda part=part: part.validate(full=True))  # type: ignore[misc]
            yield part

    def check_column(self, place: int) -> None:
        """Refuse a column of lists or records, and one that unpacks to more than its file could soundly hold."""
        name, meta = self.names[place], self.file.metadata
        if pa.types.is_nested(self.file.schema_arrow.field(place).type):
            raise UserError(
                f"{self.path}: the column {name!r} holds lists or records, expected one value per row; "
                "name another column or make the file again"
            )
        for leaf in (leaf for leaf in range(meta.num_columns) if meta.schema.column(leaf).path == name):
            packed = (meta.row_group(group).column(leaf) for group in range(meta.num_row_groups))
            size = sum(chunk.total_uncompressed_size for chunk in packed)
            if max(size, meta.num_rows * meta.schema.column(leaf).length) > self.most:
                raise UserError(
                    f"{self.path}: the column {name!r} unpacks to more than {self.most:,} bytes, which no sound file "
                    "of this size does; if you trust it, write it again without compression"
                )

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the number of every row, from 1, and its fields as text: empty for null and for columns not read."""
        read = {place: values(column) for place, column in self.table.items()}
        for number, row in enumerate(zip(*read.values(), strict=True), start=1):
            fields = dict(zip(read, row, strict=True))
            yield number, ["" if fields.get(place) is None else str(fields[place]) for place in range(len(self.names))]

    def sound(self, act: Callable[[], T]) -> T:
        """Return what ``act`` returns; what Arrow cannot do is the file's fault."""
        try:
            return act()
        except (pa.ArrowException, ValueError, OSError) as failure:
            reason = str(failure).partition("\n")[0]
            raise UserError(
                f"{self.path} is not a valid Parquet file ({reason}); create or download it again"
            ) from None


def check_rows(path: str | Path, n_rows: int, n_bytes: int) -> None:
    """Refuse a file that says that it has more rows than different pairs of a user and an item could fit into it."""
    if n_rows > MOST_ROWS_PER_BYTE * n_bytes:
        raise UserError(
            f"{path} says that it has {n_rows:,} rows in {n_bytes:,} bytes, which different pairs of user and item "
            "cannot have; create or download it again"
        )


def compact(column: pa.ChunkedArray) -> pa.ChunkedArray | pa.DictionaryArray:
    """Coded text in one piece with each text that occurs, in order of appearance; other columns as they are."""
    if not pa.types.is_dictionary(column.type):
        return column
    whole = column.unify_dictionaries().combine_chunks()
    used = whole.indices.drop_null().unique()
    coded = whole.dictionary.take(used).dictionary_encode()  # a file may have a text twice
    place = pc.index_in(whole.indices, value_set=used)
    return pa.DictionaryArray.from_arrays(coded.indices.take(place), coded.dictionary)


def typed(column: pa.ChunkedArray | pa.DictionaryArray, kind: pa.DataType) -> pa.ChunkedArray:
    """A column as a type; of coded text, the texts are cast and not the rows. Only times and texts become times."""
    if pa.types.is_dictionary(column.type):
        texts = dates(column.dictionary.cast(pa.string())) if kind == MOMENT else column.dictionary.cast(kind)
        if pa.types.is_string(kind):
            return pa.chunked_array([pa.DictionaryArray.from_arrays(column.indices, texts)])
        return pa.chunked_array([texts.take(column.indices)])
    is_time = pa.types.is_timestamp(column.type) or pa.types.is_date(column.type)
    if is_time and kind == MOMENT:
        return whole_seconds(column)
    if pa.types.is_string(kind) or not (is_time or kind == MOMENT):
        return column.cast(kind)
    raise pa.ArrowInvalid(f"{column.type} where {kind} is expected")


def values(column: pa.ChunkedArray | pa.DictionaryArray) -> list:
    """The values of a column as a list, times as text; equal texts are one object."""
    if not pa.types.is_dictionary(column.type):
        return (column.cast(pa.string()) if pa.types.is_temporal(column.type) else column).to_pylist()
    texts = column.dictionary.to_pylist()
    return [None if place is None else texts[place] for place in column.indices.to_pylist()]
