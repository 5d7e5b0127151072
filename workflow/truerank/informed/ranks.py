"""From what was scored to ranks: those that are known, and the least and largest that are possible."""

from dataclasses import dataclass

import numpy as np

from truerank.informed.search import Search, is_ahead, ragged
from truerank.ranking.order import hashes


@dataclass(frozen=True)
class Known:
    """What is certain of the rank of each test item.

    least : 1 + candidates known to come ahead, test items included. largest : with all candidates that were not scored
    ahead as well, and K + 1 or more where K are known. Equal where the rank is known.
    """

    least: np.ndarray
    largest: np.ndarray

    @property
    def certain(self) -> np.ndarray:
        return self.least == self.largest


def known_ranks(search: Search) -> Known:
    """Return the ranks that are possible after a search."""
    tests = search.tests
    least = 1 + tests_ahead(search) + scored_ahead(search)
    left = (search.order.n - search.asked)[tests.row]
    beyond = search.n_places + 1
    return Known(least, np.where(least >= beyond, least, least + left))


def tests_ahead(search: Search) -> np.ndarray:
    """Return, per test item, how many of the user's other test items come ahead of it."""
    tests = search.tests
    ahead = np.empty(len(tests.row), np.int64)
    ahead[np.lexsort((tests.tie_hash, -search.score, tests.row))] = np.arange(len(tests.row))
    return ahead - tests.start[tests.row]


def scored_ahead(search: Search) -> np.ndarray:
    """Return, per test item, how many of the scored candidates come ahead of it."""
    tests = search.tests
    _, test, score, placed, _ = pairs_of(search)
    hit = is_ahead(score, placed, search.score[test], tests.tie_hash[test])
    return np.bincount(test, hit, len(tests.row)).astype(np.int64)


def pairs_of(search: Search) -> tuple[np.ndarray, ...]:
    """Return all pairs of a scored candidate and a test item of its user: row, test, score, hash, position."""
    tests = search.tests
    row, position, score = search.scored()
    placed = hashes(tests.key, tests.users[row], search.order.items(row, position))
    size = np.diff(tests.start)[row]
    each = np.repeat(np.arange(len(row)), size)
    test = ragged(tests.start[row], size)
    return row[each], test, score[each], placed[each], position[each]
