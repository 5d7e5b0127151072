"""How ranks were sampled: the law of what is seen, given the exact rank.

A design lists what may be seen, its *outcomes*, from the best to the worst, such that an item with a better exact rank
never sees worse ones: P(outcome among the first j | R) falls with R, for every j. That alone is what bounds need.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from truerank.sampling._core.law import binomial, log_binom, rank_pmf

MOST_KEPT = 1 << 22  # chances of outcomes that a design remembers: 32 MB


class Design(Protocol):
    """n_items : N. outcomes : how many there are."""

    @property
    def n_items(self) -> int: ...

    @property
    def n_outcomes(self) -> int: ...

    def best(self, rank: np.ndarray) -> np.ndarray:
        """Return the best law of outcomes that each exact rank may have, ranks x outcomes."""
        ...

    def worst(self, rank: np.ndarray) -> np.ndarray:
        """Return the worst one, which is the same where the rank decides the law."""
        ...


class ByRank:
    """A design in which the rank decides the law. Laws are kept, since bounds ask for those of the same ranks often."""

    n_items: int

    @property
    def n_outcomes(self) -> int:
        raise NotImplementedError

    def law(self, rank: np.ndarray) -> np.ndarray:
        """Return the law of outcomes of each exact rank, ranks x outcomes."""
        raise NotImplementedError

    def best(self, rank: np.ndarray) -> np.ndarray:
        rank = np.asarray(rank)
        if self.n_items * self.n_outcomes > MOST_KEPT:
            return self.law(rank)
        laws, known = self._kept
        new = np.unique(rank[~known[rank]])
        laws[new] = self.law(new)
        known[new] = True  # after its law is there: threads may share a design
        return laws[rank]

    worst = best

    @cached_property
    def _kept(self) -> tuple[np.ndarray, np.ndarray]:
        return np.empty((self.n_items + 1, self.n_outcomes)), np.zeros(self.n_items + 1, bool)


@dataclass(frozen=True)
class Uniform(ByRank):
    """m negatives, every other candidate as likely: the outcomes are r = 1 .. m + 1.

    Of two items the one that is ranked better has no more of the same negatives above it, which shows the order. With
    and without replacement.
    """

    n_items: int
    negatives: int
    replace: bool = False

    @property
    def n_outcomes(self) -> int:
        return self.negatives + 1

    def law(self, rank: np.ndarray) -> np.ndarray:
        sampled = np.arange(1, self.negatives + 2)
        return rank_pmf(sampled, np.asarray(rank)[:, None], self.n_items, self.negatives, self.replace)


@dataclass(frozen=True)
class Adaptive(ByRank):
    r"""Sets of m_1 < m_2 < .. negatives, doubled while the item is first in them.

    The outcomes are (last m; r = 1, 2, ..), then (the m before; r = 2, 3, ..), and so on: an item that is ranked better
    stays first at least as long. Given r - 1 above among m_j, that none was among the first m_{j-1} has a chance that
    does not depend on R:

    .. math:: P(m_j, r \mid R) = P(r \mid R, m_j) \binom{m_j - m_{j-1}}{r - 1} \Big/ \binom{m_j}{r - 1}
    """

    n_items: int
    sizes: tuple[int, ...]
    replace: bool = False

    @property
    def outcomes(self) -> tuple[np.ndarray, np.ndarray]:
        """m and r of the outcomes."""
        sets, ranks = [], []
        for place in reversed(range(len(self.sizes))):
            m, before = self.sizes[place], self.sizes[place - 1] if place else 0
            first = 1 if place == len(self.sizes) - 1 else 2
            found = np.arange(first, m - before + 2)
            sets.append(np.full(len(found), m))
            ranks.append(found)
        return np.concatenate(sets), np.concatenate(ranks)

    @property
    def n_outcomes(self) -> int:
        return len(self.outcomes[0])

    def law(self, rank: np.ndarray) -> np.ndarray:
        m, r = self.outcomes
        before = np.append(0, self.sizes)[np.searchsorted(self.sizes, m)]
        waited = np.exp(log_binom(m - before, r - 1) - log_binom(m, r - 1))
        return waited * rank_pmf(r, np.asarray(rank)[:, None], self.n_items, m, self.replace)


@dataclass(frozen=True, eq=False)
class Weighted:
    r"""m negatives drawn with replacement, item i with chance w_i: the outcomes are r = 1 .. m + 1.

    The exact rank alone does not say how likely the R - 1 items above are drawn. It is at least as for the R - 1 least
    likely items and at most as for the likeliest,

    .. math:: r - 1 \sim \mathrm{Binomial}(m, s), \qquad
              \sum_{j \le R - 1} w_{(j)} \le s \le \sum_{j \le R - 1} w_{(N + 1 - j)}

    chances : w of all items, summing to 1. The test item itself is not drawn: the others' chances are divided by 1
    less its own, which is at least the smallest w and at most the largest. Where users have candidates of their own:
    kept, the least and the largest sum of w over what may be drawn for one of them, which are divided by instead; and
    candidates, how many they have.
    """

    chances: np.ndarray
    negatives: int
    kept: tuple[float, float] | None = None
    candidates: int | None = None

    @property
    def n_items(self) -> int:
        return len(self.chances) if self.candidates is None else self.candidates

    @property
    def n_outcomes(self) -> int:
        return self.negatives + 1

    def best(self, rank: np.ndarray) -> np.ndarray:
        rising = np.sort(self.chances)
        least = np.append(0, np.cumsum(rising))[np.asarray(rank) - 1]
        return self._law(least / (1 - rising[0] if self.kept is None else self.kept[1]))

    def worst(self, rank: np.ndarray) -> np.ndarray:
        falling = np.sort(self.chances)[::-1]
        most = np.append(0, np.cumsum(falling))[np.asarray(rank) - 1]
        return self._law(most / (1 - falling[0] if self.kept is None else self.kept[0]))

    def _law(self, share: np.ndarray) -> np.ndarray:
        return binomial(np.arange(self.negatives + 1), self.negatives, np.minimum(share, 1)[:, None])
