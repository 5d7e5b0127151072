"""What there is to know about a dataset before anything is trained on it."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from truerank.datasets._core.interactions import EARLIEST, LATEST, NO_TIME, Bounds, Canonical
from truerank.value_counts import ValueCounts

MOST_BARS = 50


def summarise(rows: Canonical, scale: Bounds | None) -> dict[str, Any]:
    """Counts, density, inequality, ratings and times of canonical rows, as plain numbers and text.

    scale : the lowest and highest possible rating, where they are known.
    """
    n_users, n_items = len(rows.users["id"]), len(rows.items["id"])
    ratings, per_user, per_item = ValueCounts(np.float32), np.zeros(n_users, int), np.zeros(n_items, int)
    n_times, ends = 0, [LATEST, EARLIEST]
    for part in rows.parts():
        ratings.add(part.rating[~np.isnan(part.rating)])
        time = part.timestamp[part.timestamp != NO_TIME]
        n_times += len(time)
        ends = [min(ends[0], int(time.min(initial=LATEST))), max(ends[1], int(time.max(initial=EARLIEST)))]
        per_user += part.per_user
        per_item += part.per_item
    n = int(per_user.sum())
    scale = scale or ((ratings.values[0], ratings.values[-1]) if len(ratings) else None)
    return {
        "users": n_users,
        "items": n_items,
        "interactions": n,
        "density": n / (n_users * n_items),
        "gini": gini(per_item),
        "implicit": not len(ratings),
        "ratings": len(ratings),
        "rating_scale": scale and [float(bound) for bound in scale],
        "rating_histogram": histogram(ratings),
        "timestamps": n_times,
        "timestamp_range": ends if n_times else None,
        "users_with_one_interaction": int((per_user == 1).sum()),
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


def histogram(ratings: ValueCounts) -> dict[str, int]:
    """Rating -> count; more than 50 different ratings are counted in 50 equal bins named ``low..high``."""
    values, counts = ratings.values, ratings.n
    names = [f"{value:g}" for value in values]
    if len(values) > MOST_BARS:
        counts, edges = np.histogram(values, bins=MOST_BARS, weights=counts)
        names = [f"{low:g}..{high:g}" for low, high in pairwise(edges)]
    return dict(zip(names, counts.tolist(), strict=True))
