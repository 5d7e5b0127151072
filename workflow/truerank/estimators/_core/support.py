"""The exact ranks that a fit gives chances to: all of them, or cells of ranks that no sample tells apart."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from truerank.ranking.shards import blocks

AT_A_TIME = 512  # ranks for which a function is computed, whose steps are as large as its result
MOST_SINGLE = 50_000  # items up to which every rank stands for itself
GROWTH = 0.02  # size of a cell as a share of its rank, for the metrics
RESOLUTION = 0.1  # size of a cell as a share of the standard deviation of a sampled rank


@dataclass(frozen=True)
class Support:
    """Ranks 1 .. C in cells, whose chance is shared evenly by their ranks. first, last : of each cell.

    What depends on the rank is averaged over a cell from its first, middle and last rank, with the weights that are
    right for every quadratic function; the size of a cell is odd.
    """

    first: np.ndarray
    last: np.ndarray

    @property
    def size(self) -> np.ndarray:
        return self.last - self.first + 1

    @property
    def is_full(self) -> bool:
        return len(self.first) == int(self.last[-1])

    def mean(self, function: Callable[[np.ndarray], np.ndarray], part: slice = slice(None)) -> np.ndarray:
        """Return the mean of a function of the rank over each cell. function : ranks to ranks x anything."""
        first, last = self.first[part], self.last[part]
        ends = by_parts(function, first)
        if self.is_full:
            return ends
        wide = last > first
        size = self.size[part][wide]
        outer = (size + 1) / (6 * (size - 1))
        middle, other = by_parts(function, (first[wide] + last[wide]) // 2), by_parts(function, last[wide])
        outer = outer.reshape(-1, *(1,) * (ends.ndim - 1))
        ends[wide] = outer * (ends[wide] + other) + (1 - 2 * outer) * middle
        return ends


def by_parts(function: Callable[[np.ndarray], np.ndarray], ranks: np.ndarray) -> np.ndarray:
    """Return a function of some ranks, computed for a few of them at a time."""
    start = function(ranks[:AT_A_TIME])
    found = np.empty((len(ranks), *start.shape[1:]), start.dtype)
    for rows in blocks(len(ranks), AT_A_TIME):
        found[rows] = function(ranks[rows]) if rows.start else start
    return found


def support(n_items: int, negatives: int) -> Support:
    """Return every rank for up to 50,000 items, and cells that m negatives do not resolve for more.

    A sampled rank of an item at share p of the catalogue has the standard deviation sqrt(p (1 - p) / m) of that share:
    cells are a tenth of it, and no more than a fiftieth of their rank.
    """
    if n_items <= MOST_SINGLE:
        ranks = np.arange(1, n_items + 1)
        return Support(ranks, ranks)
    return cells(n_items, negatives)


def cells(n_items: int, negatives: int) -> Support:
    first = []
    rank = 1
    while rank <= n_items:
        first.append(rank)
        share = rank / n_items
        spread = max(np.sqrt(share * max(1 - share, 0) / negatives), RESOLUTION / negatives)
        size = int(min(GROWTH * rank, RESOLUTION * spread * n_items, n_items - rank + 1))
        rank += max(1, size - 1 + size % 2)  # odd
    starts = np.array(first)
    return Support(starts, np.append(starts[1:] - 1, n_items))
