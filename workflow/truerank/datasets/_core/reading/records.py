"""Files of one record per line, or per paragraph: JSON, Python literals, ``key: value`` lines."""

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from truerank.datasets._core.reading.content import opened
from truerank.errors import UserError

LONGEST = 1_000_000
MOST_UNREADABLE = 0.01
MOST_BESIDE_TEXT = 10_000  # characters of a literal; Python takes some 500 bytes to read one
QUOTED = re.compile(r"(?s)'[^'\\]*+(?:\\.[^'\\]*+)*+'?|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"?")
ASSIGNED = ")] = {"  # in reviews[('work', 'user')] = {..}


class Records:
    """The records of a file as dictionaries, one at a time; what cannot be read is passed over and counted.

    parse : a line of text -> a dictionary, None for a line that is no record; any ValueError means unreadable. So is an
    escape that stands for half a character.
    More than one unreadable line in a hundred is an error: the file is then of another kind.
    """

    def __init__(
        self,
        path: str | Path,
        member: str | Sequence[str] | None = None,
        parse: Callable[[str], Any] = json.loads,
        encoding: str = "utf-8",
    ) -> None:
        self.path, self.member, self.parse, self.encoding = path, member, parse, encoding
        self.unreadable = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        read, first = 0, None
        for number, line in enumerate(self.lines(), start=1):
            try:
                record = self.parse(line.decode(self.encoding)) if line.strip() else None
                if not isinstance(record, dict | None):
                    raise ValueError("not a record")
                if b"\\u" in line.lower():
                    json.dumps(record, ensure_ascii=False, skipkeys=True, default=str).encode()
            except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
                self.unreadable += 1
                first = first or number
                continue
            if record is not None:
                read += 1
                yield record
        check_readable(self.path, self.unreadable, read, first)
        if not read:
            raise UserError(f"{self.path} is empty, expected one record per line; download the file again")

    def lines(self) -> Iterator[bytes]:
        """Yield lines as bytes; one of more than a million bytes is no record."""
        with opened(self.path, self.member) as (stream, _):
            while line := stream.readline(LONGEST + 1):
                if len(line) > LONGEST:
                    raise UserError(f"{self.path} has a line of more than {LONGEST:,} bytes; download the file again")
                yield line


def check_readable(path: str | Path, unreadable: int, read: int, first: int | None) -> None:
    """Refuse a file of which more than one line in a hundred, ``first`` of all, cannot be read."""
    if unreadable > MOST_UNREADABLE * read:
        raise UserError(
            f"{path}: found {unreadable:,} lines that cannot be read and {read:,} that can, the first "
            f"on line {first}, expected one record per line; download the file again"
        )


def literal(line: str) -> Any:
    """A Python dictionary, alone or assigned, read as data and never run; None for the line ``reviews = {}``."""
    if line.startswith("reviews"):
        assigned = line.find(ASSIGNED)
        if assigned < 0:
            return None
        line = line[assigned + len(ASSIGNED) - 1 :]
    if len(QUOTED.sub("''", line)) > MOST_BESIDE_TEXT:
        raise ValueError("more than a record")
    return ast.literal_eval(line.strip())


def paragraphs(records: Iterable[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Join the ``key: value`` pairs of lines, as ``pair`` reads them, into records: each starts at the same key."""
    record: dict[str, str] = {}
    start = None
    for line in records:
        ((key, value),) = line.items()
        start = start or key
        if key == start and record:
            yield record
            record = {}
        record[key] = value
    if record:
        yield record


def pair(line: str) -> dict[str, str]:
    """One line ``key: value`` as a dictionary."""
    key, colon, value = line.strip().partition(":")
    if not colon:
        raise ValueError("no colon")
    return {key: value.strip()}
