"""Interactions that come as a training file and a test file."""

import numpy as np

from truerank.datasets.cleaning import Duplicates
from truerank.datasets.file import check_columns, checked, unique
from truerank.datasets.interactions import joined
from truerank.datasets.reading import Columns, Format, Layout, Scale, Text
from truerank.errors import UserError
from truerank.registry import DATASETS

OPTIONAL = ("rating", "timestamp")


@DATASETS.register("files", inputs=("train", "test"), comes_split=True)
def files(
    context,
    *,
    train: str,
    test: str,
    columns: Columns = None,
    format: Format = "auto",
    header: bool = True,
    encoding: str = "utf-8",
    train_member: Text = None,
    test_member: Text = None,
    scale: Scale = None,
    duplicates: Duplicates = "error",
):
    """Read a given training file and test file, to be used with the split ``given``.

    Ratings or timestamps may stand in only one of the two; the other's are then missing. Every test user
    occurs in training, and no test pair does. Test items that are not in training are part of the catalogue.
    """
    from truerank.datasets.reading.table import TableFile

    layout = Layout(columns, format, header, encoding, checked(scale, context))
    tables = [TableFile(train, layout, train_member), TableFile(test, layout, test_member)]
    check_columns(columns, tables, context)
    for role in OPTIONAL:
        if role in (columns or ()) and not any(table.has(role) for table in tables):
            named = [table for table in tables if table.kind not in table.known]
            raise UserError(f"{named[0].missing(role)} (the column is not in {test} either)")
    parts = [unique(table.read(optional=OPTIONAL), table, duplicates, context) for table in tables]
    rows = joined(*parts)
    check_users(rows, tables[1], train)
    check_pairs(rows, tables)
    removed = sum(part.notes["duplicates_removed"] for part in parts)
    rows = rows.noting(origin=f"{train}, {test}", duplicate_policy=duplicates, duplicates_removed=removed)
    return rows.canonical()


def check_users(rows, test, train):
    """Refuse a test user whom training does not know."""
    unknown = np.flatnonzero(rows.part & ~np.isin(rows.user, rows.user[~rows.part]))
    if len(unknown):
        user, _ = rows.pair_ids(unknown[0])
        raise UserError(
            f"{test.whereabouts(user)}: found the test user {user!r}, who has no row in {train}, expected "
            "only users that are in training; remove this user from the test file"
        )


def check_pairs(rows, tables):
    """Refuse a test pair that is in training too."""
    both = np.flatnonzero(rows.part & np.isin(rows.pair, rows.pair[~rows.part]))
    if len(both):
        user, item = rows.pair_ids(both[0])
        raise UserError(
            f"{tables[1].whereabouts(user, item)}: found the pair user {user!r}, item {item!r}, which is in "
            f"training too ({tables[0].whereabouts(user, item)}), expected it in one; delete it in the other"
        )
