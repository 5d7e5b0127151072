"""Interactions that come as a training file and a test file."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from truerank.datasets._core.cleaning import Duplicates
from truerank.datasets._core.interactions import Context, Interactions, joined
from truerank.datasets._core.missing import likely_missing_note
from truerank.datasets._core.reading import Columns, Format, Layout, Number, Scale, Text, TimeUnit
from truerank.datasets.file import check_columns, checked, logged, unique
from truerank.errors import UserError
from truerank.registry import DATASETS

OPTIONAL = ("rating", "timestamp")

if TYPE_CHECKING:
    from truerank.datasets._core.reading.table import TableFile


@DATASETS.register("files", inputs=("train", "test"), comes_split=True)
def files(
    context: Context,
    *,
    train: str,
    test: str,
    columns: Columns = None,
    format: Format = "auto",
    header: bool = True,
    encoding: str = "auto",
    train_member: Text = None,
    test_member: Text = None,
    scale: Scale = None,
    missing_rating: Number = None,
    timestamp_unit: TimeUnit = "auto",
    duplicates: Duplicates = "auto",
    cold_users: Literal["error", "drop"] = "error",
) -> Interactions:
    """Read a given training file and test file, to be used with the split ``given``.

    Ratings or timestamps may stand in only one of the two; the other's are then missing. Every test user
    occurs in training, or with ``cold_users: drop`` the others' rows are dropped; no test pair is in training. Test
    items that are not in training are part of the catalogue.
    """
    from truerank.datasets._core.reading.table import TableFile

    layout = Layout(columns, format, header, encoding, checked(scale, context), missing_rating, timestamp_unit)
    tables = [TableFile(train, layout, train_member), TableFile(test, layout, test_member)]
    check_columns(columns, tables, context)
    for role in OPTIONAL:
        if role in (columns or ()) and not any(table.has(role) for table in tables):
            named = [table for table in tables if table.kind not in table.known]
            raise UserError(f"{named[0].missing(role)} (the column is not in {test} either)")
    parts = [unique(table.read(optional=OPTIONAL), table, duplicates, context) for table in tables]
    rows = joined(*parts)
    if cold_users == "drop":
        rows = without_cold(rows, tables[1], train)
    check_users(rows, tables[1], train, f"remove this user or set datasets.{context.name}.cold_users to drop")
    check_pairs(rows, tables)
    notes = {"origin": f"{train}, {test}"} | both(parts)
    return rows.noting(**notes, **logged(likely_missing_note(rows.ratings))).canonical()


def both(parts: Sequence[Interactions]) -> dict[str, Any]:
    """The notes of two files: counts are added, what else differs is told of both."""
    notes = {}
    for key in parts[0].notes | parts[1].notes:
        values = [part.notes[key] for part in parts if key in part.notes]
        if isinstance(values[0], int):
            notes[key] = sum(values)
        else:
            notes[key] = values[0] if len(set(values)) == 1 else ", ".join(map(str, values))
    return notes


def cold_rows(rows: Interactions) -> np.ndarray:
    """Mark the test rows of users whom training does not know."""
    assert rows.part is not None
    return rows.part & ~np.isin(rows.user, rows.user[~rows.part])


def without_cold(rows: Interactions, test: "TableFile", train: str | Path) -> Interactions:
    """Drop the test rows of users whom training does not know, and count them."""
    cold = cold_rows(rows)
    if cold[rows.part].all():
        raise UserError(f"{test.path} has no user of {train}, so `cold_users: drop` leaves no test row; check the ids")
    counts = {"cold_test_users_dropped": len(np.unique(rows.user[cold])), "cold_test_rows_dropped": int(cold.sum())}
    return rows.take(~cold).noting(**counts)


def check_users(
    rows: Interactions, test: "TableFile", train: str | Path, remedy: str = "remove this user from the test file"
) -> None:
    """Refuse a test user whom training does not know."""
    unknown = np.flatnonzero(cold_rows(rows))
    if len(unknown):
        user, _ = rows.pair_ids(unknown[0])
        raise UserError(
            f"{test.whereabouts(user)}: found the test user {user!r}, who has no row in {train}, expected "
            f"only users that are in training; {remedy}"
        )


def check_pairs(rows: Interactions, tables: Sequence["TableFile"]) -> None:
    """Refuse a test pair that is in training too."""
    assert rows.part is not None
    both = np.flatnonzero(rows.part & np.isin(rows.pair, rows.pair[~rows.part]))
    if len(both):
        user, item = rows.pair_ids(both[0])
        raise UserError(
            f"{tables[1].whereabouts(user, item)}: found the pair user {user!r}, item {item!r}, which is in "
            f"training too ({tables[0].whereabouts(user, item)}), expected it in one; delete it in the other"
        )
