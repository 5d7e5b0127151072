"""A rating that rather says that there is none: very frequent, and apart from all others."""

import numpy as np

from truerank.value_counts import ValueCounts

FEWEST_ROWS, FEWEST_VALUES = 100, 3
SHARE, GAP, TIMES = 0.2, 2, 4


def likely_missing(ratings: ValueCounts) -> tuple[float, int] | None:
    """The lowest or highest rating if it probably means "no rating", and its count; else None.

    More than a fifth of at least a hundred ratings have it, there are three others at least, and it is either more than
    twice as far from the next rating as any two others are from each other, as 99 is from -10 to 10, or it is 0 or
    less, all others are above 0, and it is more than four times as frequent as the next, as 0 is beside 1 to 10.
    """
    values, counts = ratings.values, ratings.n
    if counts.sum() < FEWEST_ROWS or len(values) <= FEWEST_VALUES:
        return None
    for side in (slice(None), slice(None, None, -1)):
        (value, *others), (count, next_count, *_) = values[side], counts[side]
        gap = abs(others[0] - value) > GAP * np.abs(np.diff(others)).max()
        below = value <= 0 < others[0] and count > TIMES * next_count
        if count > SHARE * counts.sum() and (gap or below):
            return float(value), int(count)
    return None


def likely_missing_note(ratings: ValueCounts) -> dict[str, str]:
    """What the summary says of such a rating, as a note; nothing if there is none."""
    found = likely_missing(ratings)
    if found is None:
        return {}
    value, count = found
    seen = f"{count:,} of {len(ratings):,} ratings are {value:g}, apart from all others"
    return {"likely_missing_rating": f"{seen}; if that means a missing rating, set `missing_rating: {value:g}`"}
