"""Whether a proxy is worth following, by a few users who are asked about its head and about the rest."""

from dataclasses import dataclass

import numpy as np

from truerank.informed.search import Search

LEAST_LIFT = 1.5  # of the head's rate of hits over that of the rest
SCORES_PER_PLACE = 5  # of the budget, for each of the K places, at least
SHARE, FEWEST, MOST = 0.05, 100, 400  # of the users


@dataclass(frozen=True)
class Pilot:
    """The rates of candidates ahead of the best test item: in the head of the proxy's order, and behind it."""

    head: float
    rest: float
    n_users: int

    @property
    def lift(self) -> float:
        return self.head / self.rest if self.rest else np.inf if self.head else 1.0

    @property
    def follows(self) -> bool:
        """Whether the proxy lifts: its head has half as many hits again as the rest."""
        return self.lift >= LEAST_LIFT


def enough_for(budget: float, n_places: int) -> bool:
    """Tell whether a budget is large enough to follow a proxy at all."""
    return budget >= SCORES_PER_PLACE * n_places


def pilot(search: Search, budget: float, rng: np.random.Generator) -> Pilot:
    """Ask some users, at random, about K positions of the head and about K behind it, and compare the rates of hits.

    The head is as long as half of ``budget``, scores per user, would buy: in the first K positions alone the items of a
    proxy that knows nothing may be good ones by chance. Nobody stops early: a search begun here would be another one.
    """
    k, n = search.n_places, len(search.hits)
    n_users = min(n, max(FEWEST, min(MOST, int(SHARE * n))))
    rows = np.sort(rng.choice(n, n_users, replace=False))
    own = search.order.n[rows]
    ends = np.minimum(max(k, int(budget / 2)), own)
    rates: list[float] = []
    for first, last in ((np.zeros_like(own), ends), (ends, own)):
        size = np.minimum(k, last - first)
        before = search.hits.sum()
        if size.sum():
            spans = zip(first, last, size, strict=True)
            drawn = [start + rng.choice(stop - start, m, replace=False) for start, stop, m in spans]
            search.take(np.repeat(rows, size), np.concatenate(drawn))
        rates.append(float((search.hits.sum() - before) / max(size.sum(), 1)))
    return Pilot(rates[0], rates[1], n_users)


def uniform_search(search: Search, n_scores: int, rng: np.random.Generator) -> int:
    """Ask every user about the same number of candidates at random, as far as the scores go; return that number.

    Users with fewer candidates are asked about all of them.
    """
    n = search.order.n.astype(np.int64)
    left = max(n_scores - search.n_scores, 0)
    size = int(left // max(len(n), 1))
    while size and np.minimum(size + 1, n).sum() <= left and size < n.max():
        size += 1
    own = np.minimum(size, n)
    if own.sum():
        drawn = [rng.choice(last, m, replace=False, shuffle=False) for last, m in zip(n, own, strict=True)]
        search.take(np.repeat(np.arange(len(n)), own), np.concatenate(drawn))
    return size
