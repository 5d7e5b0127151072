"""Ask for at most so many scores: the head of the proxy order, then a random tail that thins out."""

from dataclasses import dataclass

import numpy as np

from truerank.informed.design import Design, expected, follow, tail_weight
from truerank.informed.place import BINS, counted, value_at
from truerank.informed.search import Search, Searches

HEAD_SHARE = 0.5  # of the budget, at most, for the head
WORTH_A_ROUND = 1.5  # a round of the tail must leave half as much as it takes, or all that is left is spent at once
LEFT_OVER = 0.1  # scores per undecided user that are not worth one


@dataclass
class Standing:
    """Sums over searches: scores asked for, rows that are not decided, the most candidates of a row; and K."""

    n_scores: int = 0
    undecided: int = 0
    most: int = 0
    n_places: int = 0

    def add(self, search: Search) -> None:
        self.n_scores += search.n_scores
        self.undecided += int(np.count_nonzero(~search.decided))
        self.most = max(self.most, int(search.order.n.max(initial=0)))
        self.n_places = search.n_places


def budget_search(searches: Searches, n_scores: int, key: np.uint64) -> Design:
    r"""Ask until ``n_scores`` are spent, test items included, or everybody is decided; return what was asked.

    The head grows by K, 2K, 4K, .. positions as long as it takes at most half of the scores. The tail takes position j
    if :math:`U_{uj} \sqrt j < c`, with c doubled from round to round; U comes from ``key``, the user and the
    position, so that models which are searched for with one key and one proxy are asked about the same candidates. The
    last round takes the positions with the least :math:`U_{uj} \sqrt j` for as long as scores are left. Each stage
    follows from sums over all rows, and what was asked from the stages: searches that begin anew ask the same again.
    """
    design, now = head_of(searches, n_scores, key)
    return tail_of(searches, design, now, n_scores, key)


def standing(searches: Searches, design: Design, key: np.uint64) -> Standing:
    """Return where searches stand after what a design asks."""
    now = Standing()
    for search in searches():
        follow(search, design, key)
        now.add(search)
    return now


def head_of(searches: Searches, n_scores: int, key: np.uint64) -> tuple[Design, Standing]:
    """Ask about the head, and return it, and where searches stand."""
    design = Design()
    now = standing(searches, design, key)
    allowed = now.n_scores + HEAD_SHARE * (n_scores - now.n_scores)
    while design.head < now.most and now.undecided:
        end = min(2 * design.head or now.n_places, now.most)
        if now.n_scores + (end - design.head) * now.undecided > allowed:
            if design.head:
                break
            end = int((allowed - now.n_scores) / now.undecided)  # a budget below 2 K: a head as long as it buys
            if end <= 0:  # an audit may have taken all
                break
        design = Design((*design.ends, end))
        now = standing(searches, design, key)
        if end < now.n_places:
            break
    return design, now


def tail_of(searches: Searches, design: Design, now: Standing, n_scores: int, key: np.uint64) -> Design:
    """Ask about the tail in rounds, and return all that was asked. now : where searches stand after the head."""
    weight, whole = tail_weight(design.head, now.most), np.sqrt(now.most) + 1.0
    while design.level < whole and now.undecided:
        left = n_scores - now.n_scores
        if left < max(1, LEFT_OVER * now.undecided):
            break
        wanted = 2 * design.level or max(now.n_places, design.head / 2) / weight.sum()
        if expected(weight, design.level, wanted) * WORTH_A_ROUND > left / now.undecided:
            wanted = enough(weight, design.level, left / now.undecided)
        design, now = next_round(searches, design, min(wanted, whole), left, key)
    return design


def next_round(searches: Searches, design: Design, wanted: float, left: int, key: np.uint64) -> tuple[Design, Standing]:
    """Ask about what comes due below the level ``wanted``, or if it is more than is left, the first of that."""
    now, low, counts = Standing(), design.level, np.zeros(BINS, np.int64)
    for search in searches():
        due = follow(search, design, key, wanted)
        counts += counted(due.levels[due.between(low, wanted)], low, wanted)
        if counts.sum() <= left:
            due.ask(low, wanted)
            now.add(search)
    if counts.sum() <= left:
        return with_level(design, wanted), now
    everything = (follow(search, design, key, wanted) for search in searches())
    levels = (due.levels[due.between(low, wanted)] for due in everything)
    cut = with_level(design, value_at(left, counts, levels, low, wanted))
    return cut, standing(searches, cut, key)


def with_level(design: Design, level: float) -> Design:
    return Design(design.ends, (*design.levels, level))


def enough(weight: np.ndarray, reached: float, more: float) -> float:
    """Return a level at which ``more`` positions come due, on average, than at the one that was reached."""
    goal = np.minimum(1, reached * weight).sum() + more
    low, high = reached, 1 / weight[-1] + 1
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if np.minimum(1, middle * weight).sum() < goal else (low, middle)
    return high
