"""Columns of a file, by role, as interactions, if all their values are sound."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from truerank.datasets._core.interactions import NO_TIME, Interactions
from truerank.datasets._core.reading import Layout
from truerank.datasets._core.reading.times import seconds

MOST_EMPTY = 0.01  # of ratings


def assembled(columns: Mapping[str, pa.ChunkedArray], layout: Layout) -> Interactions | None:
    """Columns by role as interactions, without rows whose rating says that there is none; None if one is not sound."""
    n = len(columns["user"])
    user, users = encoded(columns["user"])
    item, items = encoded(columns["item"])
    rating, timestamp, notes = np.full(n, np.nan, dtype=np.float32), np.full(n, NO_TIME, dtype=np.int64), {}
    sound, kept = all(name and not name.isspace() for name in users + items), np.ones(n, dtype=bool)
    if "rating" in columns:
        ratings = ratings_of(columns["rating"], layout)
        sound &= ratings is not None and columns["rating"].null_count <= MOST_EMPTY * n
        rating, kept = ratings or (rating, kept)
    taken = None
    if "timestamp" in columns:
        taken = seconds(columns["timestamp"], layout.timestamp_unit)
        sound &= taken is not None
    if not sound:
        return None
    if taken is not None:
        timestamp, unit = taken
        notes = {"timestamp_unit": unit} if unit else {}
    tables = {"id": users}, {"id": items}
    rows = Interactions(user, item, rating, timestamp, *tables, scale=layout.scale, notes=notes)
    return rows if kept.all() else rows.take(kept).noting(rows_without_rating=int((~kept).sum()))


def ratings_of(column: pa.ChunkedArray, layout: Layout) -> tuple[np.ndarray, np.ndarray] | None:
    """Ratings as float32, and which rows have one; None if one is not sound."""
    exact, empty = column.to_numpy(), column.is_null().to_numpy()
    with np.errstate(over="ignore"):
        rating = exact.astype(np.float32)
    low, high = layout.scale or (-np.inf, np.inf)
    kept = ~empty & (exact != layout.missing_rating)
    sound = (np.isfinite(rating) & (exact >= low) & (exact <= high) | ~kept).all()
    return (rating, kept) if sound else None


def encoded(column: pa.ChunkedArray) -> tuple[np.ndarray, list[str]]:
    """Text as int32 codes and the list of texts, in order of appearance."""
    column = column.fill_null("") if column.null_count else column  # which takes seconds where there is none, too
    coded = column.dictionary_encode().unify_dictionaries().combine_chunks()
    return coded.indices.to_numpy().astype(np.int32), coded.dictionary.to_pylist()
