"""Interactions from a file of the user's own."""

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from truerank.datasets._core.cleaning import Duplicates, merged, policy_for, repeated, wrong
from truerank.datasets._core.interactions import Bounds, Context, Interactions
from truerank.datasets._core.missing import likely_missing_note
from truerank.datasets._core.reading import SUFFIXES, Columns, Format, Layout, Number, Scale, Text, TimeUnit
from truerank.registry import DATASETS

LARGE = 1 << 29  # bytes of a Parquet file from which on some of its rows are in memory at a time

if TYPE_CHECKING:
    from truerank.datasets._core.reading.table import TableFile
    from truerank.datasets._core.spilled import SpilledRows


@DATASETS.register("file", inputs=("path",), folders=("path",))
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
) -> "Interactions | SpilledRows":
    """Read interactions from one file: delimited text, Parquet, qrels or JSON; plain, gzipped or zipped.

    Or from a folder of Parquet files, which may be larger than memory: the rows of all, files by name. The columns of
    qrels and JSON are known and not to be named. Rows are checked first, then those whose rating is ``missing_rating``
    are left out, then duplicate pairs are settled.
    """
    from truerank.datasets._core.reading.table import TableFile

    layout = Layout(columns, format, header, encoding, checked(scale, context), missing_rating, timestamp_unit)
    if member is None and is_stored(Path(path), format):
        from truerank.datasets._core.reading.stored import StoredTable

        found = StoredTable(path, layout).read(duplicates, context)
        logged({"read": f"{path}: {len(found):,} rows, some in memory at a time"})
        return found
    table = TableFile(path, layout, member)
    check_columns(columns, [table], context)
    rows = table.read()
    notes = {"origin": str(path)} | logged(likely_missing_note(rows.ratings))
    return unique(rows, table, duplicates, context).noting(**notes).canonical()


def is_stored(path: Path, format: Format) -> bool:
    """Tell whether some rows of a path are to be in memory at a time: of a folder, or of a large Parquet file."""
    if path.is_dir():
        return format in ("auto", "parquet")
    is_parquet = format == "parquet" or (format == "auto" and path.suffix.lower() in SUFFIXES)
    return is_parquet and path.is_file() and path.stat().st_size >= LARGE


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
    first = rows.pair_ids(twice[0])
    last = merged(rows, "last")
    place = partial(table.whereabouts, *first, most=2)
    policy = policy_for(policy, len(rows), len(rows) - len(last), lambda: (place(), *first), context)
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
