"""Ask for at most so many scores: the head of the proxy order, then a random tail that thins out."""

from dataclasses import dataclass

import numpy as np

from truerank.informed.search import Search
from truerank.ranking.order import salt

HEAD_SHARE = 0.5  # of the budget, at most, for the head
WORTH_A_ROUND = 1.5  # a round of the tail must leave half as much as it takes, or all that is left is spent at once
LEFT_OVER = 0.1  # scores per undecided user that are not worth one


@dataclass(frozen=True)
class Design:
    """What a search has asked: ``head`` positions of everybody, and of those not decided by them a tail in which
    position j, from 1, has the chance min(1, level j^-1/2); nothing of anybody once decided."""

    head: int
    level: float


def budget_search(search: Search, n_scores: int, key: np.uint64) -> Design:
    r"""Ask until ``n_scores`` are spent, test items included, or everybody is decided.

    The head grows by K, 2K, 4K, .. positions as long as it takes at most half of the scores. The tail takes position j
    if :math:`U_{uj} \sqrt j < c`, with c doubled from round to round; U comes from ``key``, the user and the
    position, so that models which are searched for with one key and one proxy are asked about the same candidates. The
    last round takes the positions with the least :math:`U_{uj} \sqrt j` for as long as scores are left.
    """
    head = ask_head(search, n_scores)
    return Design(head, ask_tail(search, n_scores, head, key))


def ask_head(search: Search, n_scores: int) -> int:
    """Ask about the head, and return its length."""
    n, k = search.order.n, search.n_places
    most = int(n.max(initial=0))
    allowed = search.n_scores + HEAD_SHARE * (n_scores - search.n_scores)
    head = 0
    while head < most:
        rows = np.flatnonzero(~search.decided)
        end = min(2 * head if head else k, most)
        if not len(rows):
            break
        if search.n_scores + (end - head) * len(rows) > allowed:
            if head:
                break
            end = int((allowed - search.n_scores) / len(rows))  # a budget below 2 K: a head as long as it buys
            if not end:
                break
        own = np.minimum(end, n[rows])
        search.run(rows, np.minimum(head, own), own)
        head, short = end, end < k
        if short:
            break
    return head


def ask_tail(search: Search, n_scores: int, head: int, key: np.uint64) -> float:
    """Ask about the tail in rounds, and return the level that was reached."""
    from truerank.informed.compiled import due

    n = search.order.n.astype(np.int64)
    salts = salt(key, search.tests.users)
    most = int(n.max(initial=0))
    weight = np.sqrt(np.arange(head + 1, most + 1)) ** -1.0
    whole = np.sqrt(most) + 1.0
    reached = 0.0
    while reached < whole:
        rows = np.flatnonzero(~search.decided)
        left = n_scores - search.n_scores
        if left < max(1, LEFT_OVER * len(rows)) or not len(rows):
            break
        wanted = 2 * reached or max(search.n_places, head / 2) / weight.sum()
        expected = np.minimum(1, wanted * weight).sum() - np.minimum(1, reached * weight).sum()
        if expected * WORTH_A_ROUND > left / len(rows):
            wanted = enough(weight, reached, left / len(rows))
        wanted = min(wanted, whole)
        start = np.append(0, np.cumsum(due.count_due(salts[rows], head, n[rows], reached, wanted)))
        positions, levels = np.empty(start[-1], np.int64), np.empty(start[-1])
        due.fill_due(salts[rows], head, n[rows], reached, wanted, start, positions, levels)
        if len(positions) > left:
            wanted = np.partition(levels, left)[left]
            kept = levels < wanted
            positions, start = positions[kept], np.append(0, np.cumsum(kept))[start]
        search.run(rows, start[:-1], start[1:], positions)
        reached = wanted
    return float(reached)


def enough(weight: np.ndarray, reached: float, more: float) -> float:
    """Return a level at which ``more`` positions come due, on average, than at the one that was reached."""
    goal = np.minimum(1, reached * weight).sum() + more
    low, high = reached, 1 / weight[-1] + 1
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if np.minimum(1, middle * weight).sum() < goal else (low, middle)
    return high
