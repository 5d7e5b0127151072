"""Cells of neighbouring ranks, [a, b], that share one unknown chance."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

SINGLE = 40  # first ranks that are cells of their own
RATIO = 1.06  # of the last ranks of neighbouring cells
EVEN = 60  # cells of the same width to a sample, whose spread is that of a binomial
PARTS = 4


@dataclass(frozen=True)
class Cells:
    """Ranks 1 .. N cut into cells. first, last : a and b of each, rising; every rank is in one cell."""

    first: np.ndarray
    last: np.ndarray

    @property
    def size(self) -> np.ndarray:
        return self.last - self.first + 1

    def split(self, chosen: np.ndarray) -> "Cells":
        """Cut the chosen cells into up to four of about the same size. chosen : bool per cell."""
        steps = self.size[chosen, None] * np.arange(1, PARTS + 1) // PARTS
        cuts = (self.first[chosen, None] - 1 + steps).ravel()
        return cells_of(np.concatenate([self.last, cuts]), int(self.last[-1]))


def cells_of(last: Iterable[int] | np.ndarray, n_items: int) -> Cells:
    """Return the cells that end at the given ranks; those beyond 1 .. N are ignored, and the last ends at N."""
    ends = np.unique(np.append(np.asarray(list(last), np.int64), n_items))
    ends = ends[(ends >= 1) & (ends <= n_items)]
    return Cells(np.append(1, ends[:-1] + 1), ends)


def coarse_cells(n_items: int, cuts: Iterable[int] = (), single: int = SINGLE, ratio: float = RATIO) -> Cells:
    """Return single ranks at the head, then cells that grow with the rank, and near N shrink again.

    cuts : ranks where a cell must end.
    """
    steps = max(2, int(np.log(max(n_items / single, 2)) / np.log(ratio)))
    growing = np.rint(np.geomspace(min(single, n_items), n_items, steps)).astype(np.int64)
    even = np.rint(n_items * np.sin(np.linspace(0, np.pi / 2, EVEN)) ** 2).astype(np.int64)
    return cells_of([*range(1, min(single, n_items) + 1), *growing, *even, *cuts], n_items)
