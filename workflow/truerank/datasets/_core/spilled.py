"""Interactions of which those of some users are in memory at a time, and all on disk."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from truerank.datasets._core.ids import Ids
from truerank.datasets._core.interactions import Bounds, Interactions, checksum
from truerank.spill import ROWS_PER_PART, Spill
from truerank.value_counts import ValueCounts

ROW = np.dtype([("user", "i4"), ("item", "i4"), ("rating", "f4"), ("timestamp", "i8"), ("row", "i8")])
Change = Callable[[Interactions], Interactions]


@dataclass(frozen=True)
class SpilledRows:
    """What ``Interactions`` are, in parts of consecutive users.

    stored : rows of ``ROW``, those of each part sorted by user, then item. changes : what has been done to parts since.
    """

    stored: Spill
    users: dict[str, Any]
    items: dict[str, Any]
    bounds: Bounds | None = None
    notes: dict[str, Any] = field(default_factory=dict)
    changes: Sequence[Change] = ()

    def parts(self) -> Iterator[Interactions]:
        """Yield the rows of some users at a time."""
        return (self.changed(self.stored.read(number)) for number in range(len(self.stored.sizes)))

    def changed(self, rows: np.ndarray) -> Interactions:
        found = interactions(rows, self.users, self.items, self.bounds)
        for change in self.changes:
            found = change(found)
        return found

    def each(self, change: Change) -> Self:
        """Return what a function makes of the rows of all users, some at a time."""
        return replace(self, changes=[*self.changes, change])

    def noting(self, **notes: Any) -> Self:
        return replace(self, notes=self.notes | notes)

    @property
    def scale(self) -> Bounds | None:
        return self.changed(np.empty(0, ROW)).scale

    @cached_property
    def counts(self) -> tuple[np.ndarray, np.ndarray, ValueCounts]:
        """The rows of each user, of each item, and how often each rating occurs."""
        per_user, per_item = np.zeros(len(self.users["id"]), int), np.zeros(len(self.items["id"]), int)
        ratings = ValueCounts(np.float32)
        for part in self.parts():
            per_user += part.per_user
            per_item += part.per_item
            ratings.add(part.rating[~np.isnan(part.rating)])
        return per_user, per_item, ratings

    @property
    def per_user(self) -> np.ndarray:
        return self.counts[0]

    @property
    def per_item(self) -> np.ndarray:
        return self.counts[1]

    @property
    def ratings(self) -> ValueCounts:
        return self.counts[2]

    def __len__(self) -> int:
        return int(self.per_user.sum())

    def checksum(self) -> str:
        """See ``Interactions.checksum``."""
        return checksum(self)

    def canonical(self) -> "SpilledRows":
        """Number users and items anew without those who have no row left. See ``Interactions.canonical``."""
        (user, users), (item, items) = (
            renumbered(*own) for own in ((self.users["id"], self.per_user), (self.items["id"], self.per_item))
        )
        counts = self.per_user[self.per_user > 0]
        found = Parts(np.bincount(user[user >= 0], counts, len(users)).astype(int))
        for part in self.parts():
            found.add(stored(user[part.user], item[part.item], part.rating, part.timestamp, np.arange(len(part))))
        return SpilledRows(found.sorted(), {"id": users}, {"id": items}, self.scale, self.notes)


def interactions(rows: np.ndarray, users: dict[str, Any], items: dict[str, Any], scale: Bounds | None) -> Interactions:
    """Return rows of ``ROW`` as interactions."""
    user, item, rating, timestamp = (np.ascontiguousarray(rows[name]) for name in ROW.names[:4])  # type: ignore[index]
    return Interactions(user, item, rating, timestamp, users, items, scale=scale)


def stored(
    user: np.ndarray, item: np.ndarray, rating: np.ndarray, timestamp: np.ndarray, row: np.ndarray
) -> np.ndarray:
    """Return rows of ``ROW``. row : the number of each."""
    rows = np.empty(len(user), ROW)
    for name, column in zip(ROW.names or (), (user, item, rating, timestamp, row), strict=True):
        rows[name] = column
    return rows


def renumbered(ids: Ids, counts: np.ndarray) -> tuple[np.ndarray, Ids]:
    """Return the new code of each old one, -1 for none, and the ids that have a row, in their order."""
    used = np.flatnonzero(counts)
    left = ids.take(used)
    order = left.order
    new = np.full(len(ids), -1, np.int32)
    new[used[order]] = np.arange(len(order))
    return new, left.take(order)


class Parts:
    """Rows that are put into parts of consecutive users, about equally many in each. per_user : how many they have."""

    def __init__(self, per_user: np.ndarray) -> None:
        before = np.cumsum(per_user) - per_user
        self.part_of = (before // ROWS_PER_PART).astype(np.int64)
        self.spill = Spill(int(self.part_of.max(initial=0)) + 1, ROW)

    def add(self, rows: np.ndarray) -> None:
        self.spill.add(self.part_of[rows["user"]], rows)

    def sorted(self, change: Callable[[np.ndarray], np.ndarray] = lambda rows: rows) -> Spill:
        """Return the rows of each part sorted by user and item, and changed after."""
        found = Spill(len(self.spill.sizes), ROW)
        for number in range(len(self.spill.sizes)):
            rows = self.spill.read(number)
            pair = rows["user"].astype(np.int64) << 32 | rows["item"]
            rows = change(rows[np.argsort(pair, kind="stable")])
            found.add(np.full(len(rows), number), rows)
            self.spill.drop(number)
        return found
