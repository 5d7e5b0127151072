"""Choices about rows: duplicate pairs, which a source settles, and filters that any dataset may have."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np

from truerank.datasets._core.interactions import Context, Interactions
from truerank.errors import UserError

if TYPE_CHECKING:
    from truerank.datasets._core.spilled import SpilledRows

MOST_REPEATED = 0.01  # of rows
Duplicates = Literal["auto", "error", "first", "last", "mean", "max"]


AnyRows = TypeVar("AnyRows", Interactions, "SpilledRows")


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


def policy_for(
    policy: Duplicates, n: int, removed: int, twice: Callable[[], tuple[str, str, str]], context: Context
) -> Duplicates:
    """The policy that settled ``removed`` of ``n`` rows; with ``error``, and with ``auto`` where many are, an error.

    twice : returns where the first pair is that occurs again, and its user and item.
    """
    if not removed:
        return policy
    if policy == "error" or (policy == "auto" and removed > MOST_REPEATED * n):
        place, user, item = twice()
        raise UserError(
            f"{place}: found the pair user {user!r}, item {item!r} more than once, "
            f"expected one row per pair; set datasets.{context.name}.duplicates to first, last, mean or max"
        )
    return "last" if policy == "auto" else policy


def implicit(rows: Interactions, threshold: float) -> Interactions:
    """Rows rated ``threshold`` or more, their ratings dropped: what was liked, not how much."""
    kept = rows.take(rows.rating >= np.float32(threshold))
    return replace(kept, rating=np.full_like(kept.rating, np.nan), scale=None)


def binary(rows: Interactions, threshold: float) -> Interactions:
    """All rows, rated 1 if they were rated ``threshold`` or more and 0 if not: liked and not liked."""
    rating = np.where(np.isnan(rows.rating), rows.rating, rows.rating >= np.float32(threshold))
    return replace(rows, rating=rating.astype(np.float32), scale=(0.0, 1.0))


def dense_core(rows: AnyRows, k: int) -> AnyRows:
    """The largest set of rows in which every user and every item has ``k`` rows or more; it may be empty.

    Removing users can leave items with too few rows and the reverse, so both are removed until all is stable.
    """
    while True:
        fewer = of_enough(rows, rows.per_user, rows.per_item, k)
        if len(fewer) == len(rows):
            return rows
        rows = fewer


def of_enough(rows: AnyRows, per_user: np.ndarray, per_item: np.ndarray, k: int) -> AnyRows:
    """The rows whose user and whose item have ``k`` or more."""
    return rows.each(lambda part: part.take((per_user[part.user] >= k) & (per_item[part.item] >= k)))


def narrowed(
    rows: AnyRows,
    name: str,
    *,
    binary_threshold: float | None = None,
    implicit_threshold: float | None = None,
    per_user: int | None = None,
    core: int | None = None,
) -> AnyRows:
    """What filters leave of rows, canonical: first the thresholds, then users with few rows, then the dense core."""
    origin = rows.notes.get("origin")
    if binary_threshold is not None and implicit_threshold is not None:
        sentence = "keeps the liked rows alone and binary_threshold the others as 0; set one of the two"
        raise wrong(name, "implicit_threshold", sentence)
    if binary_threshold is not None:
        if not len(rows.ratings):
            raise wrong(name, "binary_threshold", "needs ratings; add columns.rating or leave the threshold out")
        limit = binary_threshold
        rows = rows.each(lambda part: binary(part, limit))
        if len(rows.ratings.values) == 1:
            sentence = f"is {binary_threshold:g}, and all ratings in {origin} are on one side of it; set another"
            raise wrong(name, "binary_threshold", sentence)
    if implicit_threshold is not None:
        if not len(rows.ratings):
            raise wrong(name, "implicit_threshold", "needs ratings; add columns.rating or leave the threshold out")
        least = implicit_threshold
        rated, rows = rows, rows.each(lambda part: implicit(part, least))
        rows = rows.noting(rows_below_threshold=len(rated) - len(rows))
        if not len(rows):
            highest = f"the highest rating in {origin} is {rated.ratings.values[-1]:g}"
            raise wrong(name, "implicit_threshold", f"is {implicit_threshold:g}, but {highest}; lower it")
    if per_user is not None:
        whole, few, counts = rows, per_user, rows.per_user
        rows = rows.each(lambda part: part.take(counts[part.user] >= few))
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
