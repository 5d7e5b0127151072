"""Choices about rows: duplicate pairs, which a source settles, and filters that any dataset may have."""

from dataclasses import replace
from typing import Literal

import numpy as np

from truerank.datasets._core.interactions import Interactions
from truerank.errors import UserError

Duplicates = Literal["auto", "error", "first", "last", "mean", "max"]


def repeated(rows: Interactions) -> tuple[int, int] | None:
    """The places of two rows with the same pair, the second as early as can be; None if there are none."""
    order = np.argsort(rows.pair, kind="stable")
    pair = rows.pair[order]
    again = np.flatnonzero(pair[1:] == pair[:-1]) + 1
    if not len(again):
        return None
    second = again[np.argmin(order[again])]
    return order[second - 1], order[second]


def merged(rows: Interactions, policy: str) -> Interactions:
    """One row per pair.

    ``first`` and ``last`` keep that row of the file; ``mean`` and ``max`` combine the ratings, where there
    are any, and keep the latest timestamp.
    """
    order = np.argsort(rows.pair, kind="stable")
    pair = rows.pair[order]
    start = np.flatnonzero(np.append(True, pair[1:] != pair[:-1]))
    count = np.diff(np.append(start, len(order)))
    kept = rows.take(order[start + count - 1] if policy == "last" else order[start])
    if policy in ("mean", "max"):
        rating, timestamp = rows.rating[order].astype(np.float64), rows.timestamp[order]
        combined = np.add.reduceat(rating, start) / count if policy == "mean" else np.maximum.reduceat(rating, start)
        kept = replace(kept, rating=combined.astype(np.float32), timestamp=np.maximum.reduceat(timestamp, start))
    return kept


def implicit(rows: Interactions, threshold: float) -> Interactions:
    """Rows rated ``threshold`` or more, their ratings dropped: what was liked, not how much."""
    kept = rows.take(rows.rating >= np.float32(threshold))
    return replace(kept, rating=np.full_like(kept.rating, np.nan), scale=None)


def binary(rows: Interactions, threshold: float) -> Interactions:
    """All rows, rated 1 if they were rated ``threshold`` or more and 0 if not: liked and not liked."""
    rating = np.where(np.isnan(rows.rating), rows.rating, rows.rating >= np.float32(threshold))
    return replace(rows, rating=rating.astype(np.float32), scale=(0.0, 1.0))


def dense_core(rows: Interactions, k: int) -> Interactions:
    """The largest set of rows in which every user and every item has ``k`` rows or more; it may be empty.

    Removing users can leave items with too few rows and the reverse, so both are removed until all is stable.
    """
    keep = np.ones(len(rows), dtype=bool)
    while True:
        per_user = np.bincount(rows.user[keep], minlength=len(rows.users["id"]))
        per_item = np.bincount(rows.item[keep], minlength=len(rows.items["id"]))
        fewer = keep & (per_user[rows.user] >= k) & (per_item[rows.item] >= k)
        if fewer.sum() == keep.sum():
            return rows.take(keep)
        keep = fewer


def narrowed(
    rows: Interactions,
    name: str,
    *,
    binary_threshold: float | None = None,
    implicit_threshold: float | None = None,
    per_user: int | None = None,
    core: int | None = None,
) -> Interactions:
    """What filters leave of rows, canonical: first the thresholds, then users with few rows, then the dense core."""
    origin = rows.notes.get("origin")
    if binary_threshold is not None and implicit_threshold is not None:
        sentence = "keeps the liked rows alone and binary_threshold the others as 0; set one of the two"
        raise wrong(name, "implicit_threshold", sentence)
    if binary_threshold is not None:
        if np.isnan(rows.rating).all():
            raise wrong(name, "binary_threshold", "needs ratings; add columns.rating or leave the threshold out")
        rows = binary(rows, binary_threshold)
        if np.nanmin(rows.rating) == np.nanmax(rows.rating):
            sentence = f"is {binary_threshold:g}, and all ratings in {origin} are on one side of it; set another"
            raise wrong(name, "binary_threshold", sentence)
    if implicit_threshold is not None:
        if np.isnan(rows.rating).all():
            raise wrong(name, "implicit_threshold", "needs ratings; add columns.rating or leave the threshold out")
        rated, rows = rows, implicit(rows, implicit_threshold)
        rows = rows.noting(rows_below_threshold=len(rated) - len(rows))
        if not len(rows):
            highest = f"the highest rating in {origin} is {np.nanmax(rated.rating):g}"
            raise wrong(name, "implicit_threshold", f"is {implicit_threshold:g}, but {highest}; lower it")
    if per_user is not None:
        whole, rows = rows, rows.take(np.bincount(rows.user)[rows.user] >= per_user)
        rows = rows.noting(rows_of_users_with_few=len(whole) - len(rows))
        if not len(rows):
            raise wrong(name, "per_user", f"is {per_user}, which leaves no row of {origin}; lower it")
    if core is not None:
        whole, rows = rows, dense_core(rows, core)
        rows = rows.noting(rows_outside_core=len(whole) - len(rows))
        if not len(rows):
            raise wrong(name, "core", f"is {core}, which leaves no row of {origin}; lower it")
    return rows.canonical()


def wrong(name: str, key: str, sentence: str) -> UserError:
    return UserError(f"datasets.{name}.{key} {sentence}")
