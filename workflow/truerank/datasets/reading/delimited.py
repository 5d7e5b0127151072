"""Delimited text, read in two ways: fast into typed columns, and slowly, row by row with line numbers."""

import codecs
import csv
import io
import re
from functools import cached_property

import pyarrow as pa
import pyarrow.csv

from truerank.errors import UserError

SEPARATORS = {"csv": ",", "tsv": "\t", "double_colon": "\x1f", "trec": "\x1f", "qrels": "\x1f"}
TABS_AS_BLANKS = bytes.maketrans(b"\t", b" ")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
ANYTHING = re.compile(rb"\S")


class DelimitedText:
    """A table in delimited text.

    Quoted fields may hold separators and line breaks, except with ``::`` and in TREC's runs and qrels, whose fields
    stand between blanks: these know no quotes. Lines end in LF or CRLF, blank lines are passed over, and a byte order
    mark is ignored.

    names : the header, or "0", "1", .. where there is none
    """

    place, places = "line", "lines"

    def __init__(self, path, data, kind, header, encoding):
        self.path = path
        self.data = utf8(path, data, encoding).removeprefix(BYTE_ORDER_MARK)
        if kind == "double_colon":
            self.data = self.data.replace(b"::", SEPARATORS[kind].encode())
        elif kind in ("trec", "qrels"):
            self.data = between_blanks(self.data).replace(b" ", SEPARATORS[kind].encode())
        self.separator = SEPARATORS[kind]
        self.quotes = SEPARATORS[kind] != "\x1f"
        self.header = header

    @cached_property
    def first(self):
        """The fields of the first row, header or not, and where the next row starts; [] if there is none."""
        stream = io.BytesIO(self.data)
        for _, fields in self.parsed(stream):
            return fields, stream.tell()
        return [], len(self.data)

    @property
    def names(self):
        fields = self.first[0]
        return [name.strip() for name in fields] if self.header else [str(place) for place in range(len(fields))]

    @property
    def empty(self):
        return not ANYTHING.search(self.data, self.first[1] if self.header else 0)

    def columns(self, types):
        """Read columns by place as the types given for them; an empty number is null."""
        body = pa.py_buffer(self.data)
        names = [str(place) for place in range(len(self.names))]
        table = pa.csv.read_csv(
            pa.BufferReader(body.slice(self.first[1]) if self.header else body),
            read_options=pa.csv.ReadOptions(column_names=names),
            parse_options=pa.csv.ParseOptions(
                delimiter=self.separator,
                quote_char='"' if self.quotes else False,
                newlines_in_values=self.quotes and b'"' in self.data,
            ),
            convert_options=pa.csv.ConvertOptions(
                column_types={str(place): kind for place, kind in types.items()},
                include_columns=[str(place) for place in types],
                null_values=[""],
            ),
        )
        return dict(zip(types, table.columns, strict=True))

    def rows(self):
        """Yield the number of the first line and the fields of every row after the header."""
        rows = self.parsed(io.BytesIO(self.data))
        if self.header:
            next(rows, None)
        return rows

    def parsed(self, stream):
        quoting = csv.QUOTE_MINIMAL if self.quotes else csv.QUOTE_NONE
        reader = csv.reader(self.lines(stream), delimiter=self.separator, quoting=quoting)
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

    def lines(self, stream):
        for number, line in enumerate(stream, start=1):
            try:
                yield line.decode()
            except UnicodeDecodeError as failure:
                raise not_decoded(self.path, number, line[failure.start], "utf-8") from None


def between_blanks(data):
    """Lines with one blank where there was a run of blanks or tabs, and none at their edges."""
    data = data.translate(TABS_AS_BLANKS)
    while b"  " in data:
        data = data.replace(b"  ", b" ")  # halves every run, so the longest is gone in a few passes
    return data.replace(b"\n ", b"\n").replace(b" \n", b"\n").replace(b" \r", b"\r").strip(b" ")


def utf8(path, data, encoding):
    """Recode bytes as UTF-8, which is left alone here: its mistakes are found when it is read."""
    try:
        return data if codecs.lookup(encoding).name == "utf-8" else data.decode(encoding).encode()
    except LookupError:
        raise UserError(f"{path}: found `encoding: {encoding}`, expected a name such as utf-8 or latin-1") from None
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        raise not_decoded(path, line, data[failure.start], encoding) from None


def not_decoded(path, line, byte, encoding):
    return UserError(
        f"{path}, line {line}: found the byte 0x{byte:02x}, which is not {encoding} text; "
        "set `encoding` to the file's own, often latin-1"
    )
