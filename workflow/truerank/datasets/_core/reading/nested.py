"""Numbers by user and item in JSON, as ranx writes runs and qrels."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa

from truerank.errors import UserError

SHAPE = '{"user": {"item": 1.5}}'


class NestedJson:
    """The table in a file of the form ``{"user": {"item": 1.5}}``, with the two ways of reading that others have.

    A name that an object has twice is kept twice, so that it can be told. ``data`` is UTF-8.
    """

    place, places = "entry", "entries"
    names = ("user", "item", "value")

    def __init__(self, path: str | Path, data: bytes) -> None:
        try:
            content = json.loads(data, object_pairs_hook=tuple)
        except UnicodeDecodeError as failure:
            raise UserError(
                f"{path} is not UTF-8 text (byte {failure.start}); set `encoding` to the file's own"
            ) from None
        except (ValueError, RecursionError) as failure:
            raise UserError(f"{path} is not valid JSON ({failure}), expected {SHAPE}; make it again") from None
        if not isinstance(content, tuple) or not all(isinstance(listed, tuple) for _, listed in content):
            raise UserError(f"{path} is JSON of another form, expected {SHAPE}; make it again")
        self.entries = [
            (user, item, "" if value is None else str(value)) for user, listed in content for item, value in listed
        ]
        for number, entry in self.rows():
            try:
                "".join(entry).encode()
            except UnicodeEncodeError:
                raise UserError(
                    f"{path}, entry {number}: found {entry!a}, which has half a surrogate pair, expected text; "
                    "create it again"
                ) from None

    @property
    def empty(self) -> bool:
        return not self.entries

    def columns(self, types: Mapping[int, pa.DataType]) -> dict[int, pa.ChunkedArray]:
        """Read columns by place as the types given for them."""
        users, items, values = zip(*self.entries, strict=True)
        columns = users, items, [value or None for value in values]
        return {
            place: pa.chunked_array([pa.array(columns[place], pa.string()).cast(kind)]) for place, kind in types.items()
        }

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the number of every entry, from 1, and its fields as text."""
        return enumerate(map(list, self.entries), start=1)
