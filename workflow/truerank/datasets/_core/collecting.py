"""Gather interactions one at a time, in little memory, and what is known of users and items."""

from array import array
from collections import Counter
from dataclasses import replace

import numpy as np

from truerank.datasets._core.cleaning import merged
from truerank.datasets._core.interactions import EARLIEST, LATEST, NO_TIME, Interactions
from truerank.errors import UserError


class Collector:
    """Rows of users and items by their ids, and how many records gave no row, by reason."""

    def __init__(self):
        self.users, self.items = {}, {}
        self.user, self.item = array("i"), array("i")
        self.rating, self.timestamp = array("f"), array("q")
        self.left_out = Counter()

    def add(self, user, item, rating=np.nan, timestamp=NO_TIME):
        self.user.append(self.users.setdefault(user, len(self.users)))
        self.item.append(self.items.setdefault(item, len(self.items)))
        self.rating.append(rating)
        self.timestamp.append(timestamp)

    def add_reviews(self, reviews, scale, *, user, item, rating, timestamp):
        """Add records, named by their fields; one without a user, an item or a rating on the scale is left out."""
        for review in reviews:
            who, what = name(review.get(user)), name(review.get(item))
            value = number(review.get(rating), *scale)
            if not who or not what or value is None:
                self.left_out["rows_without_rating"] += 1
                continue
            self.add(who, what, value, moment(review.get(timestamp)))
        self.left_out["lines_unreadable"] = reviews.unreadable

    def rows(self, path, scale=None):
        """All rows, canonical; of a pair that occurs again the last row of the file is kept."""
        if not len(self.user):
            raise UserError(f"{path} has no interaction that can be used; fetch the file again")
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


def moment(value):
    """Seconds since 1970, a number or text, as an int; ``NO_TIME`` for what is no time in the years 1 to 9999."""
    time = number(value, EARLIEST, LATEST)
    return NO_TIME if time is None else int(time // 1)


def knowing(rows, users=None, items=None):
    """Give canonical rows attributes: tables are name -> {id: value}, None for what is not known of an id."""
    return replace(rows, users=known(rows.users, users or {}), items=known(rows.items, items or {}))


def known(table, attributes):
    return table | {name: [values.get(code) for code in table["id"]] for name, values in attributes.items()}


def name(value):
    """What a record calls somebody, as text; None if it is nothing, or a number of thousands of digits."""
    try:
        return str(value) if value else None
    except ValueError:
        return None


def number(text, low, high):
    """Text, or a number, as a float from low to high; None if it is not one."""
    try:
        value = float(text)
    except (TypeError, ValueError, OverflowError):
        return None
    return value if low <= value <= high else None
