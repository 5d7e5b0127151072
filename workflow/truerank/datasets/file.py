"""Interactions from a file of the user's own."""

from truerank.datasets.cleaning import Duplicates, merged, repeated, wrong
from truerank.datasets.reading import Columns, Format, Layout, Scale, Text
from truerank.errors import UserError
from truerank.registry import DATASETS


@DATASETS.register("file", inputs=("path",))
def file(
    context,
    *,
    path: str,
    columns: Columns = None,
    format: Format = "auto",
    header: bool = True,
    encoding: str = "utf-8",
    member: Text = None,
    scale: Scale = None,
    duplicates: Duplicates = "error",
):
    """Read interactions from one file: CSV, TSV, ``::``-separated, Parquet, qrels or JSON; plain, gzipped or zipped.

    The columns of qrels and JSON are known and not to be named. Rows are checked first, then duplicate pairs are
    settled.
    """
    from truerank.datasets.reading.table import TableFile

    table = TableFile(path, Layout(columns, format, header, encoding, checked(scale, context)), member)
    check_columns(columns, [table], context)
    return unique(table.read(), table, duplicates, context).noting(origin=str(path)).canonical()


def unique(rows, table, policy, context):
    """One row per pair by the policy; with the policy ``error``, a repeated pair is one."""
    twice = repeated(rows)
    if twice is not None and policy == "error":
        user, item = rows.pair_ids(twice[0])
        raise UserError(
            f"{table.whereabouts(user, item, most=2)}: found the pair user {user!r}, item {item!r} more than once, "
            f"expected one row per pair; set datasets.{context.name}.duplicates to first, last, mean or max"
        )
    kept = rows if twice is None else merged(rows, policy)
    return kept.noting(duplicate_policy=policy, duplicates_removed=len(rows) - len(kept))


def check_columns(columns, tables, context):
    """Refuse columns that are named where no file needs it."""
    if columns is not None and all(table.kind in table.known for table in tables):
        path, kind = tables[0].path, tables[0].kind
        raise wrong(context.name, "columns", f"is given, but those of {path} ({kind}) are known; leave it out")


def checked(scale, context):
    """The rating scale as two numbers, the lower first."""
    if scale is not None and not scale[0] < scale[1]:
        raise wrong(context.name, "scale", f"is {scale}, expected the lowest and then the highest rating; correct it")
    return scale and tuple(scale)
