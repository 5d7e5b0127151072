"""What is wrong with one row, in words: found, expected, what to do."""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from truerank.datasets._core.reading import Layout

NUMBER = re.compile(r"[ \t]*-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?[ \t]*|-?(nan|inf(inity)?)", re.IGNORECASE)
EMPTY = "an empty rating"  # which is a fault where there are many
MEND = "correct or delete the row"


class Times(Protocol):
    """What is asked of the ``TimesSoFar`` here."""

    def fault(self, text: str) -> str | None: ...


def fault(fields: Sequence[str], width: int, places: Mapping[str, int], layout: Layout, times: Times) -> str | None:
    """Say what is wrong with a row's fields; None if nothing is.

    times : the ``TimesSoFar`` of the rows before
    """
    if len(fields) != width:
        return f"found {count(len(fields))}, expected {width} as in the first row; {MEND}"
    assert layout.columns is not None
    values = {role: fields[place] for role, place in places.items()}
    for role in ("user", "item"):
        if not values[role].strip():
            return f"found an empty {role} id in column {layout.columns[role]!r}, expected text; {MEND}"
    for role, flaw in (
        ("rating", "rating" in values and rating_fault(values["rating"], layout)),
        ("timestamp", "timestamp" in values and times.fault(values["timestamp"])),
    ):
        if flaw == EMPTY:
            return EMPTY
        if flaw:
            return f"found {role} {values[role]!r} in column {layout.columns[role]!r}, {flaw}; {MEND}"
    return None


def rating_fault(text: str, layout: Layout) -> str | None:
    if not text:
        return EMPTY
    if not NUMBER.fullmatch(text):
        return "expected a number"
    value = float(text)
    with np.errstate(over="ignore"):
        if not np.isfinite(np.float32(value)):
            return "expected a finite number"
    if layout.scale and not layout.scale[0] <= value <= layout.scale[1] and value != layout.missing_rating:
        return f"expected {layout.scale[0]:g} to {layout.scale[1]:g} as `scale` says"
    return None


def count(n: int) -> str:
    return f"{n} field{'s' * (n != 1)}"
