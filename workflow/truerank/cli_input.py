"""Numbers in text files, one per line."""

import csv
import re
import sys
from pathlib import Path
from reprlib import repr as shortened

import numpy as np

from truerank.errors import UserError

STANDARD_INPUT = "-"
MOST_DIGITS = 12
LARGEST_VALUE = 1e9
NUMBER = re.compile(r"[+-]?(\d++(\.\d*+)?|\.\d++)(e[+-]?\d++)?", re.ASCII | re.IGNORECASE)
DECIMAL_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})++|\d*+),\d++(e[+-]?\d++)?", re.ASCII | re.IGNORECASE)
QUOTED = re.compile(r'"[^"]*+"')


def read_ranks(path: str, negatives: int) -> np.ndarray:
    """Read one rank per line; 3.0 is the rank 3."""
    ranks = []
    for number, cell in read_cells(path, "rank"):
        rank = float(cell) if NUMBER.fullmatch(cell) else 0.0
        if not (rank.is_integer() and 1 <= rank <= negatives + 1):
            raise UserError(
                f"{named(path)}, line {number}: the rank is {shortened(cell)}, expected a whole number from 1 to "
                f"{negatives + 1}, that is negatives + 1; correct the line or --negatives"
            )
        ranks.append(int(rank))
    return np.array(ranks)


def read_values(path: str) -> np.ndarray:
    """Read one number per line, those of two users at least."""
    cells = read_cells(path, "value")
    for number, cell in cells:
        if not NUMBER.fullmatch(cell) or not abs(float(cell)) <= LARGEST_VALUE:
            raise UserError(
                f"{named(path)}, line {number}: the value is {shortened(cell)}, expected a number from "
                f"{-LARGEST_VALUE:,.0f} to {LARGEST_VALUE:,.0f}; correct the line, or remove a user without a value"
            )
    if len(cells) < 2:
        raise UserError(f"{named(path)} has 1 value, expected those of two users at least; add more")
    return np.array([float(cell) for _, cell in cells])


def read_cells(path: str, noun: str) -> list[tuple[int, str]]:
    """Return line numbers and texts: the last column counts, and a first line without any number is a heading.

    Semicolons or tabs separate columns, commas where there are none of these. A comma that may as well be a decimal
    one is refused, unless a heading has as many columns.
    """
    lines = enumerate(read_text(path, noun).split("\n"), 1)
    rows = [(number, line.strip(), split(line)) for number, line in lines if line.strip()]
    n_named = 0
    if rows and not any(is_number(cell.replace(",", ".", 1)) for cell in rows[0][2]):
        n_named = len(rows[0][2])
        rows = rows[1:]
    if not rows:
        raise UserError(f"{named(path)} has no {noun}s; give a text file with one {noun} per line")
    for number, line, cells in rows:
        tail = ",".join(line.split(",")[-2:])
        one_cell = DECIMAL_COMMA.fullmatch(cells[-1])
        if one_cell or (DECIMAL_COMMA.fullmatch(tail) and len(cells) != n_named):
            found = cells[-1] if one_cell else tail
            remedy = f"write {shortened(found.replace('.', '').replace(',', '.'))}"
            if not one_cell:
                remedy += f", or, if it is two columns, name all columns in the first line, such as user,{noun}"
            raise UserError(
                f"{named(path)}, line {number}: the {noun} is {shortened(found)}, expected a number without a decimal "
                f"comma; {remedy}"
            )
    return [(number, cells[-1]) for number, _, cells in rows]


def split(line: str) -> list[str]:
    """Return the columns of a line, without the blanks and quotes around them."""
    bare = QUOTED.sub("", line) if '"' in line else line
    separator = next((sign for sign in ";\t" if sign in bare), ",")
    if bare is line:
        cells = line.split(separator)
    else:
        try:
            (cells,) = csv.reader([line.strip()], delimiter=separator, skipinitialspace=True)
        except csv.Error:  # a cell that is longer than any number
            cells = [line]
    return [cell.strip() for cell in cells]


def read_text(path: str, noun: str) -> str:
    try:
        if path != STANDARD_INPUT:
            return Path(path).read_text(encoding="utf-8-sig")
        if sys.stdin is None:
            raise UserError(f"standard input is closed, expected one {noun} per line; give a text file")
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="strict")  # type: ignore[union-attr]  # a TextIOWrapper
        return sys.stdin.read()
    except (OSError, ValueError) as failure:
        reason = (failure.strerror or str(failure)).lower() if isinstance(failure, OSError) else "it is not UTF-8 text"
        raise UserError(f"{named(path)} cannot be read: {reason}; give a text file with one {noun} per line") from None


def named(path: str) -> str:
    return "standard input" if path == STANDARD_INPUT else path


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def whole_number(text: str) -> int | None:
    """Return the number that plain digits mean, None for other signs and for more digits than any count has."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None
