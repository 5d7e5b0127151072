"""Searches by which candidates come ahead of a test item, without scores: to try designs on models that are there."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from truerank.informed.order import ProxyOrder, known
from truerank.informed.search import Search, Tests
from truerank.ranking.shards import blocks
from truerank.value_counts import ValueCounts

OWN = -1  # stands for the test item itself


@dataclass(frozen=True)
class Ahead:
    """Of each instance, which candidates a model puts ahead of its test item, in the order of a proxy.

    bits : instances x bytes; bit j, from the highest of the first byte, is position j. n : candidates other than the
    test item. own_rank : the proxy's rank of the test item. first : the number of the first instance.
    """

    bits: np.ndarray
    n: np.ndarray
    own_rank: np.ndarray
    first: int = 0

    @property
    def rank(self) -> np.ndarray:
        """The exact rank of each test item."""
        return 1 + np.bitwise_count(self.bits).sum(axis=1, dtype=np.int64)

    def search(self, n_places: int) -> Search:
        """Return a search that asks nobody: the score of a candidate is whether it is ahead."""
        every = np.arange(len(self.n))
        own = np.full(len(every), OWN)
        tests = Tests(self.first + every, every, own, np.zeros(len(every), np.uint64), np.uint64(0))
        return Search(tests, Positions(self.n, self.own_rank), self.ask, n_places)

    def ask(self, instances: np.ndarray, positions: np.ndarray) -> np.ndarray:
        byte = self.bits[instances - self.first, positions >> 3]
        ahead = (byte >> (7 - (positions & 7)).astype(np.uint8)) & 1
        return np.where(positions == OWN, 0.5, ahead).astype(np.float32)


@dataclass(frozen=True)
class LinedUp:
    """What some models put ahead, of all instances, some of which are in memory at a time.

    n_models : how many. n : of all instances, ``Ahead.n``, counted. read : from a model's number and a slice of the
    instances to what is ahead of them.
    """

    n_models: int
    n: ValueCounts
    read: Callable[[int, slice], Ahead]

    @classmethod
    def of(cls, models: Sequence[Ahead]) -> "LinedUp":
        """Return models that are in memory."""

        def read(model: int, rows: slice) -> Ahead:
            own = models[model]
            return Ahead(own.bits[rows], own.n[rows], own.own_rank[rows], rows.start)

        return cls(len(models), ValueCounts.of(models[0].n), read)

    def parts(self, model: int, size: int) -> Iterator[Ahead]:
        """Yield what a model puts ahead, of ``size`` instances at a time."""
        return (self.read(model, rows) for rows in blocks(len(self.n), size))

    def some(self, model: int, rows: np.ndarray) -> Ahead:
        """Return what a model puts ahead of some instances, which are numbered anew."""
        return joined([self.read(model, slice(row, row + 1)) for row in rows.tolist()])


class Positions(ProxyOrder):
    """An order whose items are the positions themselves."""

    def __init__(self, n: np.ndarray, own_rank: np.ndarray) -> None:
        self.n, self.own_rank = n, own_rank

    def items(self, rows: np.ndarray, positions: np.ndarray) -> np.ndarray:
        return positions


@dataclass(frozen=True)
class Line:
    """The items of each instance, candidates first, in the order of a proxy. n, own_rank : as of ``Ahead``."""

    items: np.ndarray
    n: np.ndarray
    own_rank: np.ndarray

    def ahead(self, is_ahead: np.ndarray) -> Ahead:
        """Return what a model puts ahead. is_ahead : instances x items; what is no candidate does not count."""
        bits = np.take_along_axis(is_ahead, self.items, axis=1)
        bits &= np.arange(bits.shape[1]) < self.n[:, None]
        return Ahead(np.packbits(bits, axis=1), self.n, self.own_rank)


def line_up(proxy: np.ndarray, placed: np.ndarray, own: np.ndarray, is_candidate: np.ndarray) -> Line:
    """Return the order of candidates other than the test item.

    proxy : instances x items; what has no score, NaN or minus infinity, comes last. placed : a number per item, which
    decides between equal scores, smaller first. own : the test item of each. is_candidate : instances x items.
    """
    rows = np.arange(len(own))
    others = is_candidate.copy()
    others[rows, own] = False
    by_place = np.argsort(placed, kind="stable")
    items = by_place[np.argsort(-known(proxy)[:, by_place], axis=1, kind="stable")]
    free = np.take_along_axis(others, items, axis=1)
    place = np.argmax(items == own[:, None], axis=1)
    own_rank = 1 + np.cumsum(free, axis=1)[rows, place]
    first = np.argsort(~free, axis=1, kind="stable")
    return Line(np.take_along_axis(items, first, axis=1), others.sum(axis=1), own_rank)


def joined(parts: Sequence[Ahead]) -> Ahead:
    """Return the instances of several parts one after another, numbered on from the first."""
    if len(parts) == 1:
        return parts[0]
    bits, n, own_rank = zip(*((part.bits, part.n, part.own_rank) for part in parts), strict=True)
    return Ahead(np.concatenate(bits), np.concatenate(n), np.concatenate(own_rank), parts[0].first)
