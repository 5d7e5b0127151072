"""Draws by popularity without replacement: how many of the items above are drawn, at least and at most."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

RANKS_AT_ONCE = 256
Laws = dict[int, np.ndarray]


@dataclass(frozen=True, eq=False)
class Successive:
    r"""m negatives drawn one after the other, each with chance in proportion to w among those left: r = 1 .. m + 1.

    After d draws, i of them items above, R - 1 - i items above are left, and the next draw is one of these with chance
    a / (a + b), a and b what is left of the weights of items above and of others. With T_j the sum of the j largest
    weights, B_j that of the j smallest,

    .. math:: B_{R-1-i} \le a \le T_{R-1-i}, \qquad
              t_1 - T_{R-1+d-i} \le b \le t_2 - B_{R-1+d-i},

    since b is all that may be drawn less R - 1 items above and d - i others. A chain whose steps have the largest of
    these chances is never behind the number of items above that were drawn, and one with the least never before it:
    both go by steps of one, and where they are level the chances are in order. So the rank alone sets these limits,
    whichever items are above. They are close as long as m draws take a small part of all weight.

    chances : w of all items, summing to 1. kept : t, the least and the largest sum of w over what may be drawn for a
    user; by default all but the test item. candidates : how many users have, where that is not all items.
    """

    chances: np.ndarray
    negatives: int
    kept: tuple[float, float] | None = None
    candidates: int | None = None
    _found: tuple[Laws, Laws] = field(default_factory=lambda: ({}, {}), repr=False)

    @property
    def n_items(self) -> int:
        return len(self.chances) if self.candidates is None else self.candidates

    @property
    def n_outcomes(self) -> int:
        return self.negatives + 1

    def best(self, rank: np.ndarray) -> np.ndarray:
        rising = np.sort(self.chances)
        return self._laws(rank, rising, 1 - rising[0] if self.kept is None else self.kept[1], self._found[0])

    def worst(self, rank: np.ndarray) -> np.ndarray:
        falling = np.sort(self.chances)[::-1]
        return self._laws(rank, falling, 1 - falling[0] if self.kept is None else self.kept[0], self._found[1])

    def _laws(self, rank: np.ndarray, weights: np.ndarray, total: float, found: Laws) -> np.ndarray:
        """Return the law of each rank, and keep it: cells that are split have most of their ends in common."""
        wanted = np.asarray(rank).tolist()
        new = [each for each in dict.fromkeys(wanted) if each not in found]
        sums = np.append(0.0, np.cumsum(weights))
        for start in range(0, len(new), RANKS_AT_ONCE):
            some = new[start : start + RANKS_AT_ONCE]
            found.update(zip(some, chain_laws(some, sums, total, self.negatives), strict=True))
        return np.stack([found[each] for each in wanted])


def chain_laws(ranks: Iterable[int], sums: np.ndarray, total: float, negatives: int) -> np.ndarray:
    """Return the law of items above among m draws, ranks x m + 1, with the chance of each step as ``Successive`` says.

    sums : T or B for 0, 1, .. items. total : t.
    """
    above = np.asarray(list(ranks), np.int64)[:, None] - 1
    law = np.zeros((len(above), negatives + 1))
    law[:, 0] = 1
    last = len(sums) - 1
    for drawn in range(negatives):
        hits = np.arange(drawn + 1)
        left = sums[np.clip(above - hits, 0, last)]
        others = np.maximum(total - sums[np.minimum(above + drawn - hits, last)], 0)
        step = law[:, : drawn + 1] * np.divide(left, left + others, out=np.zeros_like(left), where=left > 0)
        law[:, : drawn + 1] -= step
        law[:, 1 : drawn + 2] += step
    return law
