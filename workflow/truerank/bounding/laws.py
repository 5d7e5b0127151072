"""Which laws of exact ranks are admitted: all, those that fall with the rank, or smooth ones.

Each gives, per cell, the extremes that a metric and the expected functions of what is seen can have, and further rows
of the program. Cells only ever widen: what holds for the cells holds for every law that they stand for.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from truerank.bounding.cells import Cells, cells_of, coarse_cells
from truerank.bounding.designs import Design
from truerank.errors import UserError

FINE = {"single": 2000, "ratio": 1.002}
STEEPEST = 2.0  # of log P over log R, under "smooth"
Metric = Callable[[np.ndarray], np.ndarray]  # F(R)
Span = tuple[np.ndarray, np.ndarray]


class Laws(Protocol):
    def start(self, cuts: Iterable[int]) -> Cells: ...

    def metric(self, metric: Metric, cells: Cells) -> Span:
        """Return the least and the most of the metric per cell."""
        ...

    def seen(self, functions: np.ndarray, cells: Cells) -> Span:
        """Return the least and the most of each expected function of the outcomes per cell, cells x functions."""
        ...

    def rows(self, cells: Cells) -> Span:
        """Return S and t of further rows S q <= t."""
        ...


def ends(metric: Metric, first: np.ndarray, last: np.ndarray) -> Span:
    """Return the metric at both ends of each cell, the lesser first; it must not turn between."""
    one, other = metric(first), metric(last)
    steps = np.diff(np.column_stack([one, other]).ravel())
    if not (np.all(steps <= 1e-12) or np.all(steps >= -1e-12)):
        raise UserError(
            "a metric that both increases and decreases with the rank has no bounds here; choose another metric"
        )
    return np.minimum(one, other), np.maximum(one, other)


@dataclass(frozen=True)
class AnyLaw:
    r"""Every P(R). A cell's chance q may lie anywhere in [a, b].

    So it adds to E[phi] between q E[phi | b] and q E[phi | a]. Whatever a P(R) puts on the ranks of a cell, its sum is
    such a q, so each P(R) that the sample admits is among the admitted q, with the same or a wider span of the metric:
    bounds of cells contain those of single ranks. The same holds for cells that are split, so bounds never widen when
    cells are.
    """

    design: Design

    def start(self, cuts: Iterable[int]) -> Cells:
        return coarse_cells(self.design.n_items, cuts)

    def metric(self, metric: Metric, cells: Cells) -> Span:
        return ends(metric, cells.first, cells.last)

    def seen(self, functions: np.ndarray, cells: Cells) -> Span:
        return self.design.worst(cells.last) @ functions, self.design.best(cells.first) @ functions

    def rows(self, cells: Cells) -> Span:
        return np.zeros((0, len(cells.first))), np.zeros(0)


@dataclass(frozen=True)
class SmoothLaw(AnyLaw):
    r"""P(R) + 1/N changes by no more than a factor ((R + 1)/R)^2 from R to R + 1: by 4 where the rank doubles.

    The 1/N lets P fall to 0 at the bottom. For the mean chance d of a cell [a, b] and d' of the next, up to b', it
    follows that :math:`d + 1/N \le (b'/a)^2 (d' + 1/N)`, and the other way round.
    """

    def rows(self, cells: Cells) -> Span:
        n, count = self.design.n_items, len(cells.first)
        density = np.diag(1 / cells.size)
        most = (cells.last[1:] / cells.first[:-1]) ** STEEPEST
        falls = density[:-1] - most[:, None] * density[1:]
        rises = density[1:] - most[:, None] * density[:-1]
        limit = (most - 1) / n
        return np.vstack([falls, rises]).reshape(-1, count), np.concatenate([limit, limit])


@dataclass(frozen=True)
class FallingLaw:
    r"""P(R) that never rises with R: mixtures of uniforms on 1 .. K, and only such. Cells are of K.

    .. math:: P(R) = \sum_{K \ge R} \frac{w_K}{K}, \qquad
              E[\phi \mid K] = \frac1K \sum_{R \le K} E[\phi \mid R], \qquad G(K) = \frac1K \sum_{R \le K} F(R)

    Both fall with K if they fall with R. Sums over R are between those of the two ends of fine cells, whose ratio is
    1.002 beyond rank 2,000.
    """

    design: Design

    @cached_property
    def fine(self) -> Cells:
        return coarse_cells(self.design.n_items, **FINE)  # type: ignore[arg-type]

    def start(self, cuts: Iterable[int]) -> Cells:
        return coarse_cells(self.design.n_items, cuts)

    def metric(self, metric: Metric, cells: Cells) -> Span:
        cut = self.cut(cells)
        low, high = ends(metric, cut.first, cut.last)
        least, most = self.means(low[:, None], high[:, None], cut)
        first, last = self.at(cut, cells)
        both = np.concatenate([least[first], least[last], most[first], most[last]], axis=1)
        return both.min(axis=1), both.max(axis=1)

    def seen(self, functions: np.ndarray, cells: Cells) -> Span:
        cut = self.cut(cells)
        low, high = self.design.worst(cut.last) @ functions, self.design.best(cut.first) @ functions
        least, most = self.means(low, high, cut)
        first, last = self.at(cut, cells)
        return least[last], most[first]

    def rows(self, cells: Cells) -> Span:
        return np.zeros((0, len(cells.first))), np.zeros(0)

    def cut(self, cells: Cells) -> Cells:
        """Return fine cells that also end where K has a cell's first or last value."""
        return cells_of(np.concatenate([self.fine.last, cells.first, cells.last]), self.design.n_items)

    def means(self, low: np.ndarray, high: np.ndarray, cut: Cells) -> Span:
        size = cut.size[:, None]
        return np.cumsum(size * low, axis=0) / cut.last[:, None], np.cumsum(size * high, axis=0) / cut.last[:, None]

    def at(self, cut: Cells, cells: Cells) -> tuple[np.ndarray, np.ndarray]:
        return np.searchsorted(cut.last, cells.first), np.searchsorted(cut.last, cells.last)


ASSUMPTIONS: dict[str | None, type[AnyLaw] | type[FallingLaw]] = {
    None: AnyLaw,
    "monotone": FallingLaw,
    "smooth": SmoothLaw,
}
