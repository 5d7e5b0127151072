"""What was seen of each test item, added up by ranges of positions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truerank.informed.design import Design
from truerank.informed.ranks import pairs_of, tests_ahead
from truerank.informed.search import Search, is_ahead

FEWEST_IN_GROUP = 150


@dataclass(frozen=True)
class Seen:
    """Per test item and stratum of positions: ``size`` candidates, of which ``draws`` scored and ``hits`` ahead.

    in_head : per stratum. needed : per test item, candidates that have to come ahead for a rank above K. group : test
    items that the proxy puts alike. entered : test items whose search went beyond the head. undecided : those whose
    rank is not known.
    """

    size: np.ndarray
    draws: np.ndarray
    hits: np.ndarray
    in_head: np.ndarray
    needed: np.ndarray
    group: np.ndarray
    entered: np.ndarray
    undecided: np.ndarray

    def rows(self, rows: np.ndarray) -> "Seen":
        """Return what was seen of some test items."""
        return Seen(**{name: own if name == "in_head" else own[rows] for name, own in vars(self).items()})


def joined(parts: Sequence[Seen]) -> Seen:
    """Return the test items of several parts one after another."""
    names = [name for name in vars(parts[0]) if name != "in_head"]
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return Seen(in_head=parts[0].in_head, **arrays)


def seen_by(search: Search, design: Design) -> Seen:
    """Return what a search saw of each test item."""
    tests, n = search.tests, search.order.n
    edges = stratum_edges(int(n.max(initial=1)), design.head)
    hits, draws = by_stratum(search, edges)
    size = np.diff(np.minimum(edges, n[tests.row, None]), axis=1)
    needed = search.n_places - tests_ahead(search)
    undecided = ~search.complete[tests.row] & (hits.sum(axis=1) < needed)
    in_head = edges[1:] <= design.head
    entered = (hits[:, in_head].sum(axis=1) < needed) & (n[tests.row] > design.head)
    group = groups_of(search.order.own_rank)
    as_float = (each.astype(np.float32) for each in (size, draws, hits))
    counts = dict(zip(("size", "draws", "hits"), as_float, strict=True))
    return Seen(**counts, in_head=in_head, needed=needed, group=group, entered=entered, undecided=undecided)


def by_stratum(search: Search, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many scored candidates are ahead, and how many there are: test items x strata."""
    tests = search.tests
    shape = len(tests.row), len(edges) - 1
    _, test, score, placed, position = pairs_of(search)
    hit = is_ahead(score, placed, search.score[test], tests.tie_hash[test])
    cell = test * shape[1] + np.searchsorted(edges, position, side="right") - 1
    hits, draws = (np.bincount(cell, weight, shape[0] * shape[1]).reshape(shape) for weight in (hit, None))
    return hits, draws


def seen_from(
    hits: np.ndarray, draws: np.ndarray, n: np.ndarray, group: np.ndarray, edges: np.ndarray, head: int, n_places: int
) -> Seen:
    """Return what a search saw, from its counts, where every row has one test item.

    hits, draws : rows x strata, those between ``edges`` and any number behind, which are not looked at. group : of each
    row.
    """
    in_head = edges[1:] <= head
    hits, draws = (each[:, : len(in_head)].astype(np.float32) for each in (hits, draws))
    size = np.diff(np.minimum(edges, n[:, None]), axis=1).astype(np.float32)
    undecided = (draws.sum(axis=1) < n) & (hits.sum(axis=1) < n_places)
    entered = (hits[:, in_head].sum(axis=1) < n_places) & (n > head)
    return Seen(size, draws, hits, in_head, np.full(len(n), n_places), group, entered, undecided)


def most_strata(n: int) -> int:
    """Return how many strata there are at most, whatever the head."""
    return 2 * int(np.log2(max(n, 1))) + 5


def stratum_edges(n: int, head: int) -> np.ndarray:
    """Return the ends of ranges that double, with ``head`` one of them: 0, 1, 2, 4, .. and head, 2 head, .. n."""
    powers = 2 ** np.arange(int(np.log2(max(n, 1))) + 2)
    within = powers[powers < head] if head else np.zeros(0, np.int64)
    beyond = max(head, 1) * powers
    return np.unique(np.concatenate([[0, min(head, n), n], within, beyond[beyond < n]]))


def groups_of(own_rank: np.ndarray) -> np.ndarray:
    """Return a number per test item, by powers of two of the proxy's rank of it; small groups join the next."""
    power = power_of(own_rank)
    return group_of_power(np.bincount(power))[power]


def power_of(own_rank: np.ndarray) -> np.ndarray:
    return np.floor(np.log2(own_rank)).astype(np.int64)


def group_of_power(count: np.ndarray, fewest: int = FEWEST_IN_GROUP) -> np.ndarray:
    """Return the group of each power of two. count : of the test items that have it."""
    joined = np.zeros(len(count), np.int64)
    group = held = 0
    for place, here in enumerate(count):
        joined[place] = group
        held += here
        if held >= fewest and count[place + 1 :].sum() >= fewest:
            group, held = group + 1, 0
    return joined
