"""How often each value occurs among values that come in parts."""

from typing import Self

import numpy as np


class ValueCounts:
    """Different values, ascending, and how many there are of each."""

    def __init__(self, dtype: np.dtype | type) -> None:
        self.values, self.n = np.empty(0, dtype), np.empty(0, np.int64)

    @classmethod
    def of(cls, values: np.ndarray) -> Self:
        found = cls(values.dtype)
        found.add(values)
        return found

    def add(self, values: np.ndarray) -> None:
        """Count more values, none of them NaN."""
        own, n = np.unique(values, return_counts=True)
        self.values, place = np.unique(np.concatenate([self.values, own]), return_inverse=True)
        self.n = np.bincount(place, np.concatenate([self.n, n]), len(self.values)).astype(np.int64)

    def __len__(self) -> int:
        """Return how many values were counted."""
        return int(self.n.sum())
