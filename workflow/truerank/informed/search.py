"""Ask for scores until K candidates come ahead of a user's best test item: its rank is then certainly more than K."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from truerank.informed.order import ProxyOrder
from truerank.ranking.order import hashes

Ask = Callable[[np.ndarray, np.ndarray], np.ndarray]  # of users' codes and items, elementwise, to scores

OVERSHOOT = 32  # a user may be asked one in so many of those asked before beyond what is surely needed


@dataclass(frozen=True)
class Tests:
    """The test items of the users that are searched for, ascending by row.

    users : code per row. row, item : per test item. tie_hash : its place among candidates of equal score, smaller
    first (``ranking.order.tie_hashes``). key : of the seeded order of all other candidates.
    """

    users: np.ndarray
    row: np.ndarray
    item: np.ndarray
    tie_hash: np.ndarray
    key: np.uint64

    @property
    def start(self) -> np.ndarray:
        return np.searchsorted(self.row, np.arange(len(self.users) + 1))


@dataclass
class Search:
    """What has been asked about, and what is known by it.

    n_places : K. score : of the test items, asked first. best : per row, its test item that comes first. hits : per
    row, scored candidates ahead of that. asked : scored candidates. log : per batch, row, position and score. stages :
    of a design, how many were asked (``budget``).
    """

    tests: Tests
    order: ProxyOrder
    ask: Ask
    n_places: int
    score: np.ndarray = field(init=False)
    best: np.ndarray = field(init=False)
    hits: np.ndarray = field(init=False)
    asked: np.ndarray = field(init=False)
    log: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = field(default_factory=list)
    stages: int = 0

    def __post_init__(self) -> None:
        tests, n = self.tests, len(self.tests.users)
        self.score = np.asarray(self.ask(tests.users[tests.row], tests.item), np.float32)
        self.best = np.lexsort((tests.tie_hash, -self.score, tests.row))[tests.start[:-1]]
        self.hits, self.asked = np.zeros(n, np.int64), np.zeros(n, np.int64)

    @property
    def above(self) -> np.ndarray:
        """Per row, whether K candidates are known to come ahead of every test item."""
        return self.hits >= self.n_places

    @property
    def complete(self) -> np.ndarray:
        """Per row, whether all candidates were scored."""
        return self.asked >= self.order.n

    @property
    def decided(self) -> np.ndarray:
        """Per row, whether all ranks up to K are known."""
        return self.above | self.complete

    @property
    def n_scores(self) -> int:
        """The number of scores that were asked for, those of test items included."""
        return int(self.asked.sum()) + len(self.tests.item)

    def run(self, rows: np.ndarray, start: np.ndarray, end: np.ndarray, positions: np.ndarray | None = None) -> None:
        """Ask each row about its positions, in order, until it is decided.

        rows : distinct. start, end : per row, a slice of ``positions``, or the positions themselves if that is None. A
        row with h hits needs K - h more at least, so that many candidates are asked at once and none in vain; one in
        32 of those asked before may be, to save calls. What is asked follows from the scores alone.
        """
        at = start.copy()
        live = np.flatnonzero((at < end) & ~self.above[rows])
        while len(live):
            own = rows[live]
            size = np.maximum(self.n_places - self.hits[own], self.asked[own] // OVERSHOOT)
            size = np.minimum(size, end[live] - at[live])
            index = ragged(at[live], size)
            self.take(np.repeat(own, size), index if positions is None else positions[index])
            at[live] += size
            live = live[(at[live] < end[live]) & ~self.above[own]]

    def take(self, rows: np.ndarray, positions: np.ndarray) -> None:
        """Ask for scores and count those that come ahead of the best test item."""
        items = self.order.items(rows, positions)
        users = self.tests.users[rows]
        scores = np.asarray(self.ask(users, items), np.float32)
        best = self.best[rows]
        hit = is_ahead(scores, hashes(self.tests.key, users, items), self.score[best], self.tests.tie_hash[best])
        n = len(self.hits)
        self.hits += np.bincount(rows, hit, n).astype(np.int64)
        self.asked += np.bincount(rows, minlength=n)
        self.log.append((rows, positions, scores))

    def scored(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return row, position and score of all that was asked, in the order of rows and positions."""
        if not self.log:
            return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32)
        row, position, score = map(np.concatenate, zip(*self.log, strict=True))
        order = np.lexsort((position, row))
        return row[order], position[order], score[order]


Searches = Callable[[], Iterable[Search]]  # of all rows, some at a time; begun anew each time, or one that goes on


def alone(search: Search) -> Searches:
    """Return a search of all rows that are in memory, as one that goes on."""
    return lambda: (search,)


def is_ahead(score: np.ndarray, placed: np.ndarray, test_score: np.ndarray, test_hash: np.ndarray) -> np.ndarray:
    """Tell which candidates come ahead of a test item, elementwise, as the exact ranking has it.

    placed, test_hash : places among candidates of equal score. A test item of minus infinity comes last.
    """
    return (score > test_score) | ((score == test_score) & ((placed < test_hash) | np.isneginf(test_score)))


def ragged(start: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return start, start + 1, .. of each slice, one after another."""
    ends = np.cumsum(size)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(start - (ends - size), size)


def exact_search(search: Search) -> None:
    """Ask until every row is decided: ranks up to K are those of a full ranking."""
    rows = np.arange(len(search.hits))
    search.run(rows, np.zeros(len(rows), np.int64), search.order.n.astype(np.int64))
