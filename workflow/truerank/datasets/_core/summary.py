"""What there is to know about a dataset before anything is trained on it."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from truerank.datasets._core.interactions import NO_TIME, Interactions

MOST_BARS = 50


def summarise(rows: Interactions) -> dict[str, Any]:
    """Counts, density, inequality, ratings and times of canonical rows, as plain numbers and text."""
    n_users, n_items = len(rows.users["id"]), len(rows.items["id"])
    rating = rows.rating[~np.isnan(rows.rating)]
    time = rows.timestamp[rows.timestamp != NO_TIME]
    scale = rows.scale or ((rating.min(), rating.max()) if len(rating) else None)
    return {
        "users": n_users,
        "items": n_items,
        "interactions": len(rows),
        "density": len(rows) / (n_users * n_items),
        "gini": gini(np.bincount(rows.item, minlength=n_items)),
        "implicit": not len(rating),
        "ratings": len(rating),
        "rating_scale": scale and [float(bound) for bound in scale],
        "rating_histogram": histogram(rating),
        "timestamps": len(time),
        "timestamp_range": [int(time.min()), int(time.max())] if len(time) else None,
        "users_with_one_interaction": int((np.bincount(rows.user, minlength=n_users) == 1).sum()),
    }


def gini(counts: Sequence[int] | np.ndarray) -> float:
    r"""Inequality of counts :math:`x_{(1)} \le \dots \le x_{(n)}`: 0 if all are equal, near 1 if one has all.

    .. math:: G = \frac{2 \sum_i i\, x_{(i)}}{n \sum_i x_{(i)}} - \frac{n+1}{n}

    Nothing to share out is shared equally: 0.
    """
    x = np.sort(np.asarray(counts, dtype=np.float64))
    if not x.sum():
        return 0.0
    n = len(x)
    return float(2 * np.arange(1, n + 1) @ x / (n * x.sum()) - (n + 1) / n)


def histogram(rating: np.ndarray) -> dict[str, int]:
    """Rating -> count; more than 50 different ratings are counted in 50 equal bins named ``low..high``."""
    values, counts = np.unique(rating, return_counts=True)
    names = [f"{value:g}" for value in values]
    if len(values) > MOST_BARS:
        counts, edges = np.histogram(rating, bins=MOST_BARS)
        names = [f"{low:g}..{high:g}" for low, high in pairwise(edges)]
    return dict(zip(names, counts.tolist(), strict=True))
