"""Bounds of a metric: the program on coarse cells, which are then split where it matters."""

from collections.abc import Iterable

import numpy as np

from truerank.bounding.cells import Cells
from truerank.bounding.laws import Laws, Metric
from truerank.bounding.program import Limits, least

ROUNDS = 8
MOST_CELLS = 700
ENOUGH = 5e-4  # by how much cells may widen a bound, as a share of the metric's range


class NoLawError(Exception):
    """No admitted law of exact ranks gives what was seen."""


class Search:
    """Finds bounds of several metrics with one set of limits; cells that one metric split serve the next."""

    def __init__(self, laws: Laws, limits: Limits, cuts: Iterable[int] = (), enough: float = ENOUGH) -> None:
        self.laws, self.limits, self.enough = laws, limits, enough
        self.cells = self.start = laws.start(cuts)
        self._seen: tuple[Cells, tuple[np.ndarray, np.ndarray]] | None = None

    def bounds(self, metric: Metric) -> tuple[float, float]:
        """Return the least and the most that the metric can be, each from above or below as the proof gives it."""
        return self._least(metric, 1), -self._least(metric, -1)

    def _least(self, metric: Metric, sign: int) -> float:
        value, self.cells = -np.inf, self.start
        for _ in range(ROUNDS):
            low, high = self.laws.metric(metric, self.cells)
            target = low if sign == 1 else -high
            found = least(target, *self._spans(), self.limits, self.laws.rows(self.cells))
            if found is None:
                raise NoLawError
            value = max(value, found.value)
            enough = self.enough * float(high.max() - low.min())
            slack = np.where(self.cells.size > 1, found.slack + found.chances * (high - low), 0)
            if slack.sum() <= enough or len(self.cells.first) > MOST_CELLS:
                break
            self.cells = self.cells.split(slack > enough / (2 * np.count_nonzero(slack)))
        return value

    def _spans(self) -> tuple[np.ndarray, np.ndarray]:
        if self._seen is None or self._seen[0] is not self.cells:
            self._seen = self.cells, self.laws.seen(self.limits.functions, self.cells)
        return self._seen[1]
