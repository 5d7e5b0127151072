"""When rows happened: counts of all moments, of more rows than there is memory for."""

from collections.abc import Iterable, Iterator
from typing import Self

import numpy as np

from truerank.spill import Spill, n_parts
from truerank.value_counts import ValueCounts


class Moments:
    """The times of rows, whole numbers, of which those between two edges are in memory at a time."""

    def __init__(self, edges: np.ndarray | None = None) -> None:
        self.edges = np.empty(0, np.int64) if edges is None else edges
        self.spill = Spill(len(self.edges) + 1, np.int64)

    @classmethod
    def of(cls, times: np.ndarray) -> Self:
        """Return times that are in memory."""
        found = cls()
        found.add(times)
        return found

    def add(self, times: np.ndarray) -> None:
        self.spill.add(np.searchsorted(self.edges, times, side="right"), times)

    def __len__(self) -> int:
        return int(self.spill.sizes.sum())

    def counts(self, part: int) -> ValueCounts:
        """Return how many rows each moment between two edges has."""
        found = ValueCounts(np.int64)
        for piece in self.spill.pieces(part):
            found.add(piece)
        return found

    def parts(self) -> Iterator[ValueCounts]:
        """Yield all counts, the latest first."""
        return (self.counts(part) for part in reversed(range(len(self.spill.sizes))))

    def at(self, place: int) -> int:
        """Return the moment that is at a place, from 0, when all rows are put into the order of their times."""
        ends = np.cumsum(self.spill.sizes)
        part = int(np.searchsorted(ends, place, side="right"))
        own, before = self.counts(part), ends[part] - self.spill.sizes[part]
        return int(own.values[np.searchsorted(np.cumsum(own.n), place - before, side="right")])

    def quantile(self, share: float) -> int:
        r"""Return the moment at the place :math:`\lfloor q (n - 1) \rfloor`."""
        return self.at(int(np.floor(share * (len(self) - 1))))

    def median(self) -> float:
        return float(np.mean([self.at((len(self) - 1) // 2), self.at(len(self) // 2)]))

    def later_than(self, moment: float) -> int:
        """Return how many rows are later than a moment."""
        part = int(np.searchsorted(self.edges, moment, side="right"))
        own = self.counts(part)
        return int(self.spill.sizes[part + 1 :].sum() + own.n[own.values > moment].sum())


def pairs_later(rows: Moments, than: Moments) -> int:
    """Return in how many pairs of one row each the first is later. The two have the same edges."""
    pairs, after = 0, 0
    for own, other in zip(rows.parts(), than.parts(), strict=True):
        until = np.append(0, np.cumsum(own.n))
        later = after + until[-1] - until[np.searchsorted(own.values, other.values, side="right")]
        pairs += int(later @ other.n)
        after += int(until[-1])
    return pairs


def edges_from(samples: Iterable[np.ndarray], n_rows: int) -> np.ndarray:
    """Return where to cut times so that parts fit into memory. samples : some of the times of all rows."""
    some = np.sort(np.concatenate([np.empty(0, np.int64), *samples]))
    n = n_parts(n_rows)
    return np.unique(some[np.arange(1, n) * len(some) // n]) if n > 1 and len(some) else np.empty(0, np.int64)
