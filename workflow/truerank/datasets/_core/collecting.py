"""Gather interactions one at a time, in little memory, and what is known of users and items."""

from array import array
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.datasets._core.cleaning import merged
from truerank.datasets._core.interactions import EARLIEST, LATEST, NO_TIME, Bounds, Entities, Interactions
from truerank.errors import UserError

if TYPE_CHECKING:
    from truerank.datasets._core.reading.records import Records

Attributes = dict[str, dict[str, Any]]  # name -> {id: value}, None for what is not known of an id


class Collector:
    """Rows of users and items by their ids, and how many records gave no row, by reason."""

    def __init__(self) -> None:
        self.users: dict[str, int] = {}
        self.items: dict[str, int] = {}
        self.user, self.item = array("i"), array("i")
        self.rating, self.timestamp = array("f"), array("q")
        self.left_out: Counter[str] = Counter()

    def add(self, user: str, item: str, rating: float = np.nan, timestamp: int = NO_TIME) -> None:
        self.user.append(self.users.setdefault(user, len(self.users)))
        self.item.append(self.items.setdefault(item, len(self.items)))
        self.rating.append(rating)
        self.timestamp.append(timestamp)

    def add_reviews(
        self, reviews: "Records", scale: Bounds, *, user: str, item: str, rating: str, timestamp: str
    ) -> None:
        """Add records, named by their fields; one without a user, an item or a rating on the scale is left out."""
        for review in reviews:
            who, what = name(review.get(user)), name(review.get(item))
            value = number(review.get(rating), *scale)
            if not who or not what or value is None:
                self.left_out["rows_without_rating"] += 1
                continue
            self.add(who, what, value, moment(review.get(timestamp)))
        self.left_out["lines_unreadable"] = reviews.unreadable

    def rows(self, path: str | Path, scale: Bounds | None = None) -> Interactions:
        """All rows, canonical; of a pair that occurs again the last row of the file is kept."""
        if not len(self.user):
            raise UserError(f"{path} has no interaction that can be used; download the file again")
        every = Interactions(
            user=np.array(self.user, np.int32),
            item=np.array(self.item, np.int32),
            rating=np.array(self.rating, np.float32),
            timestamp=np.array(self.timestamp, np.int64),
            users={"id": list(self.users)},
            items={"id": list(self.items)},
            scale=scale,
        )
        kept = merged(every, "last")
        notes = {"duplicate_policy": "last", "duplicates_removed": len(every) - len(kept)}
        return kept.noting(**notes, **dict(sorted(self.left_out.items()))).canonical()


def moment(value: Any) -> int:
    """Seconds since 1970, a number or text, as an int; ``NO_TIME`` for what is no time in the years 1 to 9999."""
    time = number(value, EARLIEST, LATEST)
    return NO_TIME if time is None else int(time // 1)


def knowing(rows: Interactions, users: Attributes | None = None, items: Attributes | None = None) -> Interactions:
    """Give canonical rows attributes."""
    return replace(rows, users=known(rows.users, users or {}), items=known(rows.items, items or {}))


def known(table: Entities, attributes: Attributes) -> Entities:
    return table | {name: [values.get(code) for code in table["id"]] for name, values in attributes.items()}


def name(value: object) -> str | None:
    """What a record calls somebody, as text; None if it is nothing, or a number of thousands of digits."""
    try:
        return str(value) if value else None
    except ValueError:
        return None


def number(text: Any, low: float, high: float) -> float | None:
    """Text, or a number, as a float from low to high; None if it is not one."""
    try:
        value = float(text)
    except (TypeError, ValueError, OverflowError):
        return None
    return value if low <= value <= high else None
