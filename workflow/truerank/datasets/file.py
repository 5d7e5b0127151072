"""Interactions from a file of the user's own."""

from truerank.datasets.cleaning import Duplicates, dense_core, implicit, merged, repeated
from truerank.datasets.reading import Columns, Format, Layout, Number, Scale, Text
from truerank.errors import UserError
from truerank.registry import DATASETS, Count


@DATASETS.register("file", inputs=("path",))
def file(
    context,
    *,
    path: str,
    columns: Columns,
    format: Format = "auto",
    header: bool = True,
    encoding: str = "utf-8",
    member: Text = None,
    scale: Scale = None,
    duplicates: Duplicates = "error",
    implicit_threshold: Number = None,
    core: Count = None,
):
    """Read interactions from one file: CSV, TSV, ``::``-separated or Parquet, plain, gzipped or zipped.

    Rows are checked first, then duplicate pairs are settled, then rows rated below ``implicit_threshold``
    and all ratings are dropped, then the ``core`` is taken.
    """
    from truerank.datasets.reading.table import TableFile

    table = TableFile(path, Layout(columns, format, header, encoding, checked(scale, context)), member)
    rows = unique(table.read(), table, duplicates, context).noting(origin=str(path))
    if implicit_threshold is not None:
        if "rating" not in columns:
            raise wrong(context, "implicit_threshold", "needs ratings; add columns.rating or leave the threshold out")
        rated, rows = rows, implicit(rows, implicit_threshold)
        rows = rows.noting(rows_below_threshold=len(rated) - len(rows))
        if not len(rows):
            highest = f"the highest rating in {path} is {rated.rating.max():g}"
            raise wrong(context, "implicit_threshold", f"is {implicit_threshold:g}, but {highest}; lower it")
    if core is not None:
        whole, rows = rows, dense_core(rows, core)
        rows = rows.noting(rows_outside_core=len(whole) - len(rows))
        if not len(rows):
            raise wrong(context, "core", f"is {core}, which leaves no row of {path}; lower it")
    return rows.canonical()


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


def checked(scale, context):
    """The rating scale as two numbers, the lower first."""
    if scale is not None and not scale[0] < scale[1]:
        raise wrong(context, "scale", f"is {scale}, expected the lowest and then the highest rating; correct it")
    return scale and tuple(scale)


def wrong(context, key, sentence):
    return UserError(f"datasets.{context.name}.{key} {sentence}")
