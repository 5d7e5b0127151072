"""Delimited text, read in two ways: fast into typed columns, and slowly, row by row with line numbers."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from truerank.datasets._core.reading.encoding import not_decoded
from truerank.datasets._core.reading.times import MOMENT, dates
from truerank.errors import UserError

SEPARATORS = {"csv": ",", "tsv": "\t", "semicolon": ";", "pipe": "|", "double_colon": "::", "trec": " ", "qrels": " "}
UNQUOTED = ("double_colon", "trec", "qrels")  # read with a separator of one character that no text has
STAND_IN = "\x1f"
TABS_AS_BLANKS = bytes.maketrans(b"\t", b" ")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
ANYTHING = re.compile(rb"\S")


class DelimitedText:
    """A table in delimited text.

    Quoted fields may hold separators and line breaks, except with ``::`` and in TREC's runs and qrels, whose fields
    stand between blanks: these know no quotes. A quote in quotes is doubled, or follows a backslash if the file has a
    field that a quote after a backslash would end in its middle. Lines end in LF or CRLF, blank lines are passed over,
    and a byte order mark is ignored.

    data : UTF-8
    names : the header, or "0", "1", .. where there is none
    """

    place, places = "line", "lines"

    def __init__(self, path: str | Path, data: bytes, kind: str, header: bool) -> None:
        self.path, self.header = path, header
        self.data = data.removeprefix(BYTE_ORDER_MARK)
        if kind in ("trec", "qrels"):
            self.data = between_blanks(self.data)
        self.separator, self.quotes = SEPARATORS[kind], kind not in UNQUOTED
        if kind in UNQUOTED:
            self.data = self.data.replace(self.separator.encode(), STAND_IN.encode())
            self.separator = STAND_IN
        self.escape = "\\" if self.quotes and self.has_escapes() else None

    def has_escapes(self) -> bool:
        """Tell whether a quote after a backslash would end a field in its middle."""
        separator = re.escape(self.separator.encode())
        early = rb'(?:^|\n|%s)"[^"\n]*\\"(?!"|%s|\r?\n|\r?$)' % (separator, separator)
        return b'\\"' in self.data and re.search(early, self.data) is not None

    @property
    def quoting(self) -> str | None:
        """What quotes are in this file, in words; None if there are none."""
        if b'"' not in self.data:
            return None
        inside = ", a backslash before those inside" if self.escape else ""
        return f"around fields{inside}" if self.quotes else "ordinary characters"

    @cached_property
    def first(self) -> tuple[list[str], int]:
        """The fields of the first row, header or not, and where the next row starts; [] if there is none."""
        stream = io.BytesIO(self.data)
        for _, fields in self.parsed(stream):
            return fields, stream.tell()
        return [], len(self.data)

    @property
    def names(self) -> list[str]:
        fields = self.first[0]
        return [name.strip() for name in fields] if self.header else [str(place) for place in range(len(fields))]

    @property
    def empty(self) -> bool:
        return not ANYTHING.search(self.data, self.first[1] if self.header else 0)

    def columns(self, types: Mapping[int, pa.DataType]) -> dict[int, pa.ChunkedArray]:
        """Read columns by place as the types given for them, times from ISO 8601; an empty number is null."""
        body = pa.py_buffer(self.data)
        names = [str(place) for place in range(len(self.names))]
        table = pa.csv.read_csv(
            pa.BufferReader(body.slice(self.first[1]) if self.header else body),
            read_options=pa.csv.ReadOptions(column_names=names),
            parse_options=pa.csv.ParseOptions(
                delimiter=self.separator,
                quote_char='"' if self.quotes else False,
                escape_char=self.escape or False,
                newlines_in_values=self.quotes and b'"' in self.data,
            ),
            convert_options=pa.csv.ConvertOptions(
                column_types={str(place): pa.string() if kind == MOMENT else kind for place, kind in types.items()},
                include_columns=[str(place) for place in types],
                null_values=[""],
            ),
        )
        columns = zip(types.items(), table.columns, strict=True)
        return {place: dates(column) if kind == MOMENT else column for (place, kind), column in columns}

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the number of the first line and the fields of every row after the header."""
        rows = self.parsed(io.BytesIO(self.data))
        if self.header:
            next(rows, None)
        return rows

    def parsed(self, stream: io.BytesIO) -> Iterator[tuple[int, list[str]]]:
        """Yield the number of the first line and the fields of every row of a stream."""
        reader = csv.reader(
            self.lines(stream),
            delimiter=self.separator,
            quoting=csv.QUOTE_MINIMAL if self.quotes else csv.QUOTE_NONE,
            escapechar=self.escape,
        )
        while True:
            line = reader.line_num + 1
            try:
                fields = next(reader, None)
            except csv.Error as failure:
                raise UserError(
                    f"{self.path}, line {line}: found a row that cannot be parsed ({failure}), "
                    "expected separated fields; correct or delete the row"
                ) from None
            if fields is None:
                return
            if fields:
                yield line, fields

    def lines(self, stream: io.BytesIO) -> Iterator[str]:
        for number, line in enumerate(stream, start=1):
            try:
                yield line.decode()
            except UnicodeDecodeError as failure:
                raise not_decoded(self.path, number, line[failure.start], "utf-8") from None


def between_blanks(data: bytes) -> bytes:
    """Lines with one blank where there was a run of blanks or tabs, and none at their edges."""
    data = data.translate(TABS_AS_BLANKS)
    while b"  " in data:
        data = data.replace(b"  ", b" ")  # halves every run, so the longest is gone in a few passes
    return data.replace(b"\n ", b"\n").replace(b" \n", b"\n").replace(b" \r", b"\r").strip(b" ")
