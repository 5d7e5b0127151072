"""RentTheRunway: rented clothes, and the measures of those who rented them."""

import re
from calendar import timegm
from collections.abc import Mapping
from typing import Any

from truerank.datasets._core.archives import Archive, Found, find, without
from truerank.datasets._core.collecting import Attributes, Collector, knowing, number
from truerank.datasets._core.downloads import from_address
from truerank.datasets._core.interactions import NO_TIME, Context, Interactions
from truerank.datasets._core.reading import Layout
from truerank.datasets._core.sizes import check_size
from truerank.datasets._core.unpacked import spellings
from truerank.registry import DATASETS

FILE = "renttherunway_final_data.json.gz"
ARCHIVE = Archive(
    file=FILE,
    inside="renttherunway",
    checksum=None,
    address=f"https://mcauleylab.ucsd.edu/public_datasets/data/renttherunway/{FILE}",
    fetch=from_address,
    mirrors=(f"http://jmcauley.ucsd.edu/data/renttherunway/{FILE}",),
)
TABLE = Archive(file="ratings.csv", inside="renttherunway", checksum=None, address=ARCHIVE.address)
COLUMNS = {"user": "user_id", "item": "item_id", "rating": "rating", "timestamp": "review_date"}
LICENCE = "published for research by the authors of the paper; no licence is stated"
CITATION = "Misra, Wan & McAuley 2018, Decomposing Fit Semantics for Product Size Recommendation in Metric Spaces, \
doi:10.1145/3240323.3240398"
SCALE = (1, 10)
SIZE = {"reviews": 192_544}
HEIGHT, WEIGHT = re.compile(r"(\d)' ?(\d{1,2})\"?"), re.compile(r"(\d+) ?lbs")
DATE = re.compile(r"(\w+) (\d{1,2}), (\d{4})")
ENGLISH = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


@DATASETS.register(
    "renttherunway", archives=(ARCHIVE,), licence=LICENCE, citation=CITATION, scale=SCALE, user_attributes=True
)
def renttherunway(context: Context) -> Interactions:
    """Read RentTheRunway: 192,544 reviews of 5,850 clothes by 105,508 users, rated from 1 to 10.

    A review without a rating is left out. Users have age (None outside 10 to 100), height in inches, weight in pounds,
    body type and bust size, each as the user's last review that tells it; items have a category. Timestamps are days.
    A folder renttherunway in $TRUERANK_DATA may have a table ratings.csv of user_id, item_id, rating and review_date
    instead; there are then no attributes.
    """
    from truerank.datasets._core.reading.records import Records

    archive = find(ARCHIVE, TABLE, marker=FILE)
    if archive.path.name in spellings(TABLE.file):
        return rated(archive)
    reviews, rows = Records(*archive.locate(FILE)), Collector()
    users: Attributes = {"age": {}, "height": {}, "weight": {}, "body_type": {}, "bust_size": {}}
    items: Attributes = {"category": {}}
    for review in reviews:
        user, item = text(review.get("user_id")), text(review.get("item_id"))
        rating = number(review.get("rating"), *SCALE)
        if user is None or item is None or rating is None:
            rows.left_out["rows_without_rating"] += 1
            continue
        rows.add(user, item, rating, day(review.get("review_date")))
        measured = measures(review)
        for name, values in users.items():
            if measured[name] is not None:
                values[user] = measured[name]
        items["category"][item] = text(review.get("category"))
    rows.left_out["lines_unreadable"] = reviews.unreadable
    check_size(archive.path, {"reviews": len(rows.user) + sum(rows.left_out.values())}, SIZE)
    return knowing(rows.rows(archive.path, SCALE).noting(**archive.notes), users, items)


def rated(archive: Found) -> Interactions:
    """The rows of a table of ratings; of a pair that occurs again the last is kept."""
    from truerank.datasets._core.cleaning import merged
    from truerank.datasets._core.reading.table import TableFile

    every = TableFile(archive.path, Layout(COLUMNS, "csv", scale=SCALE)).read()
    check_size(archive.path, {"reviews": len(every) + every.notes.get("rows_without_rating", 0)}, SIZE)
    kept = merged(every, "last")
    notes = {"duplicate_policy": "last", "duplicates_removed": len(every) - len(kept)} | without([FILE])
    return kept.noting(**archive.notes, **notes).canonical()


def measures(review: Mapping[str, Any]) -> dict[str, float | str | None]:
    """What a review tells of the user, None for what it does not tell: 5' 8" is 68, 137lbs is 137."""
    height = HEIGHT.fullmatch(str(review.get("height") or "").strip())
    weight = WEIGHT.fullmatch(str(review.get("weight") or "").strip())
    return {
        "age": number(review.get("age"), 10, 100),
        "height": 12.0 * int(height[1]) + int(height[2]) if height else None,
        "weight": float(weight[1]) if weight else None,
        "body_type": text(review.get("body type")),
        "bust_size": text(review.get("bust size")),
    }


def day(date: object) -> int:
    """Seconds at the start of a day such as "April 20, 2016", in English whatever the locale; else ``NO_TIME``."""
    parts = DATE.fullmatch(str(date or "").strip())
    if not parts or parts[1][:3] not in ENGLISH:
        return NO_TIME
    return timegm((int(parts[3]), ENGLISH.index(parts[1][:3]) + 1, int(parts[2]), 0, 0, 0))


def text(value: object) -> str | None:
    return str(value).strip() or None if value is not None else None
