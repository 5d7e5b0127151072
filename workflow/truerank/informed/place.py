"""The value at a place of the sorted order of values that come in parts."""

from collections.abc import Iterable

import numpy as np

BINS = 1 << 16


def bins_of(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """Return a number from 0 to 65,535 per value from ``low`` up to ``high``, which never falls as values rise."""
    return np.clip((values - low) * (BINS / (high - low)), 0, BINS - 1).astype(np.int64)


def counted(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """Return how many values are in each bin."""
    return np.bincount(bins_of(values, low, high), minlength=BINS)


def value_at(place: int, counts: np.ndarray, parts: Iterable[np.ndarray], low: float, high: float) -> float:
    """Return ``np.sort(values)[place]``, with the values of one bin in memory.

    counts : of all values, by bin. parts : the values, some at a time.
    """
    ends = np.cumsum(counts)
    wanted = int(np.searchsorted(ends, place, side="right"))
    held = np.concatenate([part[bins_of(part, low, high) == wanted] for part in parts])
    place -= int(ends[wanted] - counts[wanted])
    return float(np.partition(held, place)[place])
