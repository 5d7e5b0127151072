"""What a search within a budget asks: first positions of the proxy order, then levels of a random tail."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from truerank.informed.search import Search
from truerank.ranking.order import salt

SPARE_ROOM = 1000  # for positions beyond what is expected and a tenth


@dataclass(frozen=True)
class Design:
    """What a search asks: the first positions of everybody, in stages that have ``ends``, and of those not decided by
    them a tail, in rounds that reach ``levels``; nothing of anybody once decided.

    head : how many first positions. level : behind them position j, from 1, has the chance min(1, level j^-1/2).
    """

    ends: tuple[int, ...] = ()
    levels: tuple[float, ...] = ()

    @property
    def head(self) -> int:
        return self.ends[-1] if self.ends else 0

    @property
    def level(self) -> float:
        return self.levels[-1] if self.levels else 0.0


@dataclass(frozen=True)
class Due:
    """Positions of a search's tail that come due, row after row, and the levels at which they do.

    rows : that were not decided. start : an offset per row.
    """

    search: Search
    rows: np.ndarray
    start: np.ndarray
    positions: np.ndarray
    levels: np.ndarray

    def between(self, low: float, high: float) -> np.ndarray:
        """Tell which have a level from ``low`` up to ``high``, and a row that is not decided yet."""
        is_open = np.repeat(~self.search.decided[self.rows], np.diff(self.start))
        return is_open & (self.levels >= low) & (self.levels < high)

    def ask(self, low: float, high: float) -> None:
        """Ask about those."""
        kept = self.between(low, high)
        start = np.append(0, np.cumsum(kept))[self.start]
        self.search.run(self.rows, start[:-1], start[1:], self.positions[kept])
        self.search.stages += 1


def follow(search: Search, design: Design, key: np.uint64, up_to: float = 0.0) -> Due:
    """Ask what a design asks and was not asked yet; return what comes due behind it, below the level ``up_to``."""
    n = search.order.n
    for place, (begin, end) in enumerate(pairwise((0, *design.ends))):
        if place >= search.stages:
            rows = np.flatnonzero(~search.decided)
            own = np.minimum(end, n[rows])
            search.run(rows, np.minimum(begin, own), own)
            search.stages += 1
    levels = (0.0, *design.levels)[search.stages - len(design.ends) :]
    due = come_due(search, design.head, levels[0], max(up_to, design.level), key)
    for low, high in pairwise(levels):
        due.ask(low, high)
    return due


def come_due(search: Search, head: int, low: float, high: float, key: np.uint64) -> Due:
    """Return what comes due behind the head between two levels, of rows that are not decided."""
    from truerank.informed.compiled import due

    rows = np.flatnonzero(~search.decided) if low < high else np.zeros(0, np.int64)
    n, salts = search.order.n[rows].astype(np.int64), salt(key, search.tests.users[rows])
    weight = tail_weight(head, int(n.max(initial=0)))
    start, room = np.zeros(len(rows) + 1, np.int64), int(1.1 * len(rows) * expected(weight, low, high)) + SPARE_ROOM
    while True:
        positions, levels = np.empty(room, np.int64), np.empty(room)
        found = due.find_due(salts, head, n, low, high, start, positions, levels)
        if found <= room:
            return Due(search, rows, start, positions[:found], levels[:found])
        room = found


def tail_weight(head: int, most: int) -> np.ndarray:
    """Return the chance of each position behind the head at level 1."""
    return np.sqrt(np.arange(head + 1, most + 1)) ** -1.0


def expected(weight: np.ndarray, low: float, high: float) -> float:
    """Return how many positions of a row come due between two levels, on average."""
    return np.minimum(1, high * weight).sum() - np.minimum(1, low * weight).sum()
