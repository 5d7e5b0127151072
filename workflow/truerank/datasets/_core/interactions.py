"""The form that every data source is brought into, and its checksum."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self

import numpy as np

from truerank.value_counts import ValueCounts

NO_TIME = -(2**63 - 1)  # before any time, and so is minus it after any
EARLIEST, LATEST = -62_135_596_800, 253_402_300_799  # seconds since 1970 in the years 1 to 9999
Bounds = tuple[float, float]  # the lowest and highest possible rating
Entities = dict[str, list]  # column name -> values, first ``id`` (text), then attributes
CHECKED = {"user": "<i4", "item": "<i4", "rating": "<f4", "timestamp": "<i8", "part": "u1"}
IDS_AT_A_TIME = 1 << 17
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


@dataclass(frozen=True)
class Context:
    """What a data source is told beside its settings: the dataset's name and a generator of its own."""

    name: str
    rng: np.random.Generator


@dataclass(frozen=True)
class Interactions:
    """Who chose what, one row per pair.

    user, item : int32 codes, places in the columns of ``users`` and ``items``
    rating : float32, NaN where absent
    timestamp : int64 seconds, ``NO_TIME`` where absent
    users, items : what is known of them
    part : None, or True for the rows of a given test set
    scale : None, or the lowest and highest possible rating
    notes : what the summary says about how the rows came about
    """

    user: np.ndarray
    item: np.ndarray
    rating: np.ndarray
    timestamp: np.ndarray
    users: Entities
    items: Entities
    part: np.ndarray | None = None
    scale: Bounds | None = None
    notes: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.user)

    @property
    def pair(self) -> np.ndarray:
        """One number per row, equal for rows of the same user and item."""
        return self.user.astype(np.int64) * len(self.items["id"]) + self.item

    def pair_ids(self, row: int) -> tuple[str, str]:
        """The user's and the item's id in one row."""
        return self.users["id"][self.user[row]], self.items["id"][self.item[row]]

    @property
    def ratings(self) -> ValueCounts:
        """How often each rating occurs."""
        return ValueCounts.of(self.rating[~np.isnan(self.rating)])

    @property
    def per_user(self) -> np.ndarray:
        """How many rows each user has, by code."""
        return np.bincount(self.user, minlength=len(self.users["id"]))

    @property
    def per_item(self) -> np.ndarray:
        """How many rows each item has, by code."""
        return np.bincount(self.item, minlength=len(self.items["id"]))

    def parts(self) -> Iterator["Interactions"]:
        """Yield all rows, those of some users at a time: all of them."""
        yield self

    def each(self, change: Callable[[Self], Self]) -> Self:
        """Return what a function makes of all rows."""
        return change(self)

    def take(self, rows: np.ndarray) -> Self:
        """The chosen rows, given as a mask or as places; codes stay as they are."""
        columns = {name: getattr(self, name)[rows] for name in ("user", "item", "rating", "timestamp")}
        return replace(self, **columns, part=None if self.part is None else self.part[rows])

    def noting(self, **notes: Any) -> Self:
        return replace(self, notes=self.notes | notes)

    def canonical(self) -> Self:
        """Number users and items by sorted id, leave out those without rows, sort rows by user, then item.

        The result does not depend on the order of the rows.
        """
        user, users = renumbered(self.user, self.users)
        item, items = renumbered(self.item, self.items)
        rows = replace(self, user=user, item=item, users=users, items=items)
        return rows.take(np.argsort(rows.pair, kind="stable"))

    def checksum(self) -> str:
        """SHA-256 of ids, ratings, timestamps and parts of the canonical rows, whatever file held them."""
        return checksum(self.canonical())


class Canonical(Protocol):
    """Rows in the order of ``canonical``, of which some may be in memory at a time."""

    @property
    def users(self) -> Mapping[str, Sequence]: ...
    @property
    def items(self) -> Mapping[str, Sequence]: ...

    def parts(self) -> Iterator[Interactions]: ...


def checksum(rows: Canonical) -> str:
    """SHA-256 of ids, ratings, timestamps and parts, one column after another."""
    digest = hashlib.sha256()
    for table in (rows.users, rows.items):
        for start in range(0, max(len(table["id"]), 1), IDS_AT_A_TIME):
            some = json.dumps(list(table["id"][start : start + IDS_AT_A_TIME]))
            digest.update((f", {some[1:-1]}" if start else some[:-1]).encode())
        digest.update(b"]")
    for name, kind in CHECKED.items():
        for part in rows.parts():
            column = getattr(part, name)
            if column is None:
                break
            if name == "rating":
                column = np.where(np.isnan(column), np.float32(np.nan), column)  # one bit pattern for NaN
            elif name == "timestamp":
                column = np.where(column == NO_TIME, -1, column)  # which checksums had before 1970 was read
            digest.update(np.ascontiguousarray(column, dtype=kind).data)
    return digest.hexdigest()


def joined(train: Interactions, test: Interactions) -> Interactions:
    """One table of two, ``part`` telling them apart; both keep their codes' meaning."""
    users = list(dict.fromkeys(train.users["id"] + test.users["id"]))
    items = list(dict.fromkeys(train.items["id"] + test.items["id"]))
    return Interactions(
        user=np.concatenate([places(part.users["id"], users)[part.user] for part in (train, test)]),
        item=np.concatenate([places(part.items["id"], items)[part.item] for part in (train, test)]),
        rating=np.concatenate([train.rating, test.rating]),
        timestamp=np.concatenate([train.timestamp, test.timestamp]),
        users={"id": users},
        items={"id": items},
        part=np.repeat([False, True], [len(train), len(test)]),
        scale=train.scale,
    )


def places(ids: Sequence[str], among: Sequence[str]) -> np.ndarray:
    """The place of each id among all ids."""
    place = {name: number for number, name in enumerate(among)}
    return np.array([place[name] for name in ids], dtype=np.int32)


def renumbered(code: np.ndarray, table: Entities) -> tuple[np.ndarray, Entities]:
    """Codes by sorted id and the table in that order, without what no row refers to."""
    used = np.flatnonzero(np.bincount(code, minlength=len(table["id"])))
    order = used[id_order([table["id"][place] for place in used])]
    new = np.full(len(table["id"]), -1, dtype=np.int32)
    new[order] = np.arange(len(order))
    return new[code], {name: [column[place] for place in order] for name, column in table.items()}


def id_order(ids: Sequence[str]) -> np.ndarray:
    """Places that sort ids: as numbers if every one is an integer in its usual spelling, else as text."""
    numbers = all(map(INTEGER.fullmatch, ids))
    return np.array(sorted(range(len(ids)), key=lambda place: int(ids[place]) if numbers else ids[place]), dtype=int)
