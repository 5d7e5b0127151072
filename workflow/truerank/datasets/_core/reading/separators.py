"""Which separator a file of text has, from its first rows."""

import contextlib
import io
from collections.abc import Callable, Collection
from itertools import islice
from pathlib import Path

from truerank.datasets._core.reading.delimited import SEPARATORS, DelimitedText
from truerank.errors import UserError

SURE = ("double_colon", "tsv")  # no field holds one by accident, so they win where others would do too
CANDIDATES = (*SURE, "semicolon", "pipe", "csv")
MOST_BYTES, MOST_ROWS = 1 << 16, 100


def separator_of(
    path: str | Path, data: bytes, named: str | None, header: bool, fits: Callable[[Collection[str]], bool]
) -> str:
    """The format, by its separator, of a file of text, given as UTF-8.

    A separator is possible if it parts the first row. The one is taken with which the first row has the columns of the
    config, as ``fits`` tells from their names, and with which most of the first hundred rows have as many fields as the
    first. Of several, ``::`` and tabs are taken before others, then the one that the file's name says, ``named``, if no
    other gives more fields. Where that decides nothing, it is an error.
    """
    sample = data[:MOST_BYTES]
    if len(sample) < len(data):
        sample = sample[: sample.rfind(b"\n") + 1 or None]
    widths, scores = {}, {}
    for kind in CANDIDATES:
        table = DelimitedText(path, sample, kind, header)
        rows = first_rows(table)
        if rows and len(rows[0]) > 1:
            widths[kind] = len(rows[0])
            scores[kind] = fits(table.names), sum(len(row) == len(rows[0]) for row in rows) / len(rows)
    if not scores:
        return named or "csv"
    best = max(scores.values())
    tied = [kind for kind in scores if scores[kind] == best]
    widest = max(tied, key=lambda kind: widths[kind])
    if len(tied) == 1 or tied[0] in SURE:
        return tied[0]
    if named in tied and widths[named] == widths[widest]:
        return named
    if not best[0]:  # the message that a column is missing says more
        return widest
    seen = " and ".join(f"{SEPARATORS[kind]!r} ({widths[kind]} columns)" for kind in tied)
    raise UserError(f"{path}: the first rows can be split at {seen}; set `format` to {' or '.join(tied)}")


def first_rows(table: DelimitedText) -> list[list[str]]:
    """The fields of the first rows, as far as they can be parsed."""
    rows = []
    with contextlib.suppress(UserError):
        for _, fields in islice(table.parsed(io.BytesIO(table.data)), MOST_ROWS):
            rows.append(fields)
    return rows
