"""Whether a proxy is worth following, by a few users who are asked about its head and about the rest."""

from dataclasses import dataclass

import numpy as np

from truerank.informed.search import Search
from truerank.value_counts import ValueCounts

LEAST_LIFT = 3.0  # of the head's rate of hits over that of the rest
SCORES_PER_PLACE = 5  # of the budget, for each of the K places, at least; and what a pilot asks of a user
SHARE, FEWEST, MOST = 0.05, 200, 400  # of the users
OF_BUDGET = 0.1  # that a pilot takes at most


@dataclass(frozen=True)
class Pilot:
    """Rates of candidates ahead of the best test item: in the head of the proxy's order, and behind it.

    n_users : that were asked. n_open : of these, users whose test item may be among the first K, whom the rates are of.
    rest : of one hit more than there were, since few hits are often none by chance.
    """

    head: float
    rest: float
    n_users: int
    n_open: int

    @property
    def lift(self) -> float:
        return self.head / self.rest

    @property
    def follows(self) -> bool:
        """Whether the proxy lifts: its head has three times the hits of the rest."""
        return self.lift >= LEAST_LIFT


def enough_for(budget: float, n_places: int) -> bool:
    """Tell whether a budget is large enough to follow a proxy at all."""
    return budget >= SCORES_PER_PLACE * n_places


def pilot_rows(n: int, n_places: int, budget: float, rng: np.random.Generator) -> np.ndarray:
    """Return which of ``n`` users a pilot asks, ascending. budget : scores per user."""
    affordable = int(OF_BUDGET * budget * n / (SCORES_PER_PLACE * n_places))
    n_users = max(1, min(n, affordable, max(FEWEST, min(MOST, int(SHARE * n)))))
    return np.sort(rng.choice(n, n_users, replace=False))


def pilot(search: Search, rows: np.ndarray, budget: float, rng: np.random.Generator) -> Pilot:
    """Ask some users about K positions of the head and 4 K behind it, at random, and compare the rates of hits.

    Half of those behind the head tell whose test item may be among the first K: none of them is ahead of it. Other
    users are decided in a few scores whatever the proxy, and would hide that it knows nothing, or what it knows. The
    head is as long as half of ``budget``, scores per user, would buy: in the first K positions alone the items of a
    proxy that knows nothing may be good ones by chance. Nobody stops early: a search begun here would be another one.
    """
    k, own = search.n_places, search.order.n[rows]
    end = np.minimum(max(k, int(budget / 2)), own)
    spans = list(zip(end, own, strict=True))
    head = hits_at(search, rows, [rng.choice(last, min(k, last), replace=False) for last, _ in spans])
    behind = [first + rng.choice(last - first, min(4 * k, last - first), replace=False) for first, last in spans]
    rest, apart = (hits_at(search, rows, [drawn[half::2] for drawn in behind]) for half in (0, 1))
    is_open = apart[0] == 0
    (hits, size), (hits_behind, size_behind) = (
        (each[0][is_open].sum(), each[1][is_open].sum()) for each in (head, rest)
    )
    return Pilot(
        float(hits / max(size, 1)), float((hits_behind + 1) / (size_behind + 1)), len(rows), int(is_open.sum())
    )


def hits_at(search: Search, rows: np.ndarray, positions: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Ask rows about positions; return how many of them are ahead, per row, and how many there are."""
    before, size = search.hits[rows], np.array([len(each) for each in positions])
    if size.sum():
        search.take(np.repeat(rows, size), np.concatenate(positions))
    return search.hits[rows] - before, size


def affordable_size(n: ValueCounts, n_scores: int) -> int:
    """Return how many candidates every user can be asked about. n : how many users have, counted.

    Users with fewer candidates are asked about all of them.
    """
    size = max(n_scores, 0) // max(len(n), 1)
    while size and np.minimum(size + 1, n.values) @ n.n <= n_scores and size < n.values[-1]:
        size += 1
    return size


def uniform_search(search: Search, size: int, rng: np.random.Generator) -> None:
    """Ask every user about ``size`` candidates at random, or all."""
    n = search.order.n.astype(np.int64)
    own = np.minimum(size, n)
    if own.sum():
        drawn = [rng.choice(last, m, replace=False, shuffle=False) for last, m in zip(n, own, strict=True)]
        search.take(np.repeat(np.arange(len(n)), own), np.concatenate(drawn))
