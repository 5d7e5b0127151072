"""What is wrong with one row, in words: found, expected, what to do."""

import re

import numpy as np

NUMBER = re.compile(r"[ \t]*-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?[ \t]*|-?(nan|inf(inity)?)", re.IGNORECASE)
MEND = "correct or delete the row"


def fault(fields, width, places, layout):
    """Say what is wrong with a row's fields; None if nothing is."""
    if len(fields) != width:
        return f"found {count(len(fields))}, expected {width} as in the first row; {MEND}"
    values = {role: fields[place] for role, place in places.items()}
    for role in ("user", "item"):
        if not values[role].strip():
            return f"found an empty {role} id in column {layout.columns[role]!r}, expected text; {MEND}"
    for role, check in (("rating", rating_fault), ("timestamp", timestamp_fault)):
        told = role in values and check(values[role], layout)
        if told:
            return f"found {role} {values[role]!r} in column {layout.columns[role]!r}, {told}; {MEND}"
    return None


def rating_fault(text, layout):
    if not text.strip():
        return "an empty cell, expected a number"
    if not NUMBER.fullmatch(text):
        return "expected a number"
    value = float(text)
    with np.errstate(over="ignore"):
        if not np.isfinite(np.float32(value)):
            return "expected a finite number"
    if layout.scale and not layout.scale[0] <= value <= layout.scale[1]:
        return f"expected {layout.scale[0]:g} to {layout.scale[1]:g} as `scale` says"
    return None


def timestamp_fault(text, layout):
    if not text:
        return None
    if not NUMBER.fullmatch(text) or not np.isfinite(float(text)):
        return "expected whole seconds since 1970, or an empty cell"
    value = float(text)
    if value < 0 or value != np.floor(value) or value >= 2**63:
        return "expected whole seconds since 1970, 0 or more"
    return None


def count(n):
    return f"{n} field{'s' * (n != 1)}"
