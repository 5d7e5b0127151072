"""Interactions from a file of the user's own."""

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from truerank.datasets._core.cleaning import Duplicates, merged, repeated, wrong
from truerank.datasets._core.interactions import Bounds, Context, Interactions
from truerank.datasets._core.missing import likely_missing_note
from truerank.datasets._core.reading import Columns, Format, Layout, Number, Scale, Text, TimeUnit
from truerank.errors import UserError
from truerank.registry import DATASETS

MOST_REPEATED = 0.01  # of rows

if TYPE_CHECKING:
    from truerank.datasets._core.reading.table import TableFile


@DATASETS.register("file", inputs=("path",))
def file(
    context: Context,
    *,
    path: str,
    columns: Columns = None,
    format: Format = "auto",
    header: bool = True,
    encoding: str = "auto",
    member: Text = None,
    scale: Scale = None,
    missing_rating: Number = None,
    timestamp_unit: TimeUnit = "auto",
    duplicates: Duplicates = "auto",
) -> Interactions:
    """Read interactions from one file: delimited text, Parquet, qrels or JSON; plain, gzipped or zipped.

    The columns of qrels and JSON are known and not to be named. Rows are checked first, then those whose rating is
    ``missing_rating`` are left out, then duplicate pairs are settled.
    """
    from truerank.datasets._core.reading.table import TableFile

    layout = Layout(columns, format, header, encoding, checked(scale, context), missing_rating, timestamp_unit)
    table = TableFile(path, layout, member)
    check_columns(columns, [table], context)
    rows = table.read()
    notes = {"origin": str(path)} | logged(likely_missing_note(rows))
    return unique(rows, table, duplicates, context).noting(**notes).canonical()


def logged(notes: dict[str, str]) -> dict[str, str]:
    """Log notes and return them."""
    for sentence in notes.values():
        logging.info("%s", sentence)
    return notes


def unique(rows: Interactions, table: "TableFile", policy: Duplicates, context: Context) -> Interactions:
    """One row per pair by the policy; with ``error``, and with ``auto`` where many are, a repeated pair is one."""
    twice = repeated(rows)
    if twice is None:
        return rows.noting(duplicate_policy=policy, duplicates_removed=0)
    last = merged(rows, "last")
    if policy == "error" or (policy == "auto" and len(rows) - len(last) > MOST_REPEATED * len(rows)):
        user, item = rows.pair_ids(twice[0])
        raise UserError(
            f"{table.whereabouts(user, item, most=2)}: found the pair user {user!r}, item {item!r} more than once, "
            f"expected one row per pair; set datasets.{context.name}.duplicates to first, last, mean or max"
        )
    policy = "last" if policy == "auto" else policy
    kept = last if policy == "last" else merged(rows, policy)
    logging.info("%s: %d rows repeat a pair, duplicates: %s", table.path, len(rows) - len(kept), policy)
    return kept.noting(duplicate_policy=policy, duplicates_removed=len(rows) - len(kept))


def check_columns(columns: Mapping[str, str | int] | None, tables: Sequence["TableFile"], context: Context) -> None:
    """Refuse columns that are named where no file needs it."""
    if columns is not None and all(table.kind in table.known for table in tables):
        path, kind = tables[0].path, tables[0].kind
        raise wrong(context.name, "columns", f"is given, but those of {path} ({kind}) are known; leave it out")


def checked(scale: Sequence[float] | None, context: Context) -> Bounds | None:
    """The rating scale as two numbers, the lower first."""
    if scale is not None and not scale[0] < scale[1]:
        raise wrong(context.name, "scale", f"is {scale}, expected the lowest and then the highest rating; correct it")
    return None if scale is None else (scale[0], scale[1])
