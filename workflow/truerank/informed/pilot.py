"""Whether a proxy is worth following, by a few users who are asked about its head and about the rest."""

from dataclasses import dataclass

import numpy as np

from truerank.informed.search import Search, ragged

LEAST_LIFT = 1.5  # of the head's rate of hits over that of the rest
SCORES_PER_PLACE = 5  # of the budget, for each of the K places, at least
SHARE, FEWEST, MOST = 0.05, 30, 400  # of the users


@dataclass(frozen=True)
class Pilot:
    """The rates of candidates ahead of the best test item: among the proxy's first K, and among others at random."""

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


def pilot(search: Search, rng: np.random.Generator) -> Pilot:
    """Ask some users, at random, about the first K positions and about K others, and compare the rates of hits.

    Nobody stops early: a search begun here would be another one. Users with fewer than 2 K candidates are asked about
    all of them.
    """
    k, n = search.n_places, len(search.hits)
    n_users = min(n, max(FEWEST, min(MOST, int(SHARE * n))))
    rows = np.sort(rng.choice(n, n_users, replace=False))
    own = search.order.n[rows]
    head = np.minimum(k, own)
    rest = np.minimum(k, own - head)
    before = search.hits.copy()
    search.take(np.repeat(rows, head), ragged(np.zeros(n_users, np.int64), head))
    ahead = search.hits - before
    ends = zip(head, own, rest, strict=True)
    drawn = [first + rng.choice(last - first, size, replace=False) for first, last, size in ends]
    if rest.sum():
        search.take(np.repeat(rows, rest), np.concatenate(drawn))
    of_rest = (search.hits - before - ahead).sum()
    return Pilot(ahead.sum() / max(head.sum(), 1), of_rest / max(rest.sum(), 1), n_users)


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
