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
    return np.array(read_rank_rows(path, negatives)[0])


def read_rank_rows(path: str, negatives: int) -> tuple[list[int], list[str] | None, list[int] | None]:
    """Read one rank per line, and its user and the size of its set from columns ``user`` and ``negatives``, if any.

    The rank is in the column that a heading calls ``rank``, in the last if there is none.
    """
    heading, rows = read_rows(path, "rank")
    names = [name.lower() for name in heading] if all(len(cells) == len(heading) for _, cells in rows) else []
    at = names.index("rank") if "rank" in names else -1
    place = names.index("user") if "user" in names[:-1] else None
    ranks: list[int] = []
    users: list[str] = []
    for number, cells in rows:
        cell = cells[at]
        rank = float(cell) if NUMBER.fullmatch(cell) else 0.0
        if not (rank.is_integer() and 1 <= rank <= negatives + 1):
            raise UserError(
                f"{named(path)}, line {number}: the rank is {shortened(cell)}, expected a whole number from 1 to "
                f"{negatives + 1}, that is negatives + 1; correct the line or --negatives"
            )
        ranks.append(int(rank))
        if place is not None:
            users.append(cells[place])
    sizes = [whole_number(cells[names.index("negatives")]) or 0 for _, cells in rows] if "negatives" in names else None
    return ranks, None if place is None else users, sizes


def read_values(path: str) -> np.ndarray:
    """Read one number per line, those of two users at least."""
    values = [value_of(path, number, cell) for number, cell in read_cells(path, "value")]
    check_two(path, len(values))
    return np.array(values)


def read_user_values(path: str) -> dict[str, float]:
    """Read a user and a number per line, those of two users at least.

    The user is in the column that a heading calls ``user``, in the first if there is none.
    """
    heading, rows = read_rows(path, "value")
    width = len(rows[0][1])
    names = [name.lower() for name in heading[:-1]] if len(heading) == width else []
    place = names.index("user") if "user" in names else 0
    values: dict[str, float] = {}
    lines: dict[str, int] = {}
    for number, cells in rows:
        if len(cells) < 2:
            raise UserError(
                f"{named(path)}, line {number} has one column, expected two, user and value, to compare models on the "
                "same users; add the users, or, if every file has users of its own, give --independent"
            )
        if len(cells) != width:
            raise UserError(
                f"{named(path)}, line {number} has {len(cells)} columns, expected {width} as before; correct the line"
            )
        user, value = cells[place], value_of(path, number, cells[-1])
        if not user:
            raise UserError(f"{named(path)}, line {number} has no user, expected one in each line; add it")
        if user in values:
            raise UserError(
                f"{named(path)}, line {number}: the user {shortened(user)} is in line {lines[user]} too, expected one "
                "line for each user; keep one of them"
            )
        values[user], lines[user] = value, number
    check_two(path, len(values))
    return values


def value_of(path: str, number: int, cell: str) -> float:
    if not NUMBER.fullmatch(cell) or not abs(float(cell)) <= LARGEST_VALUE:
        raise UserError(
            f"{named(path)}, line {number}: the value is {shortened(cell)}, expected a number from "
            f"{-LARGEST_VALUE:,.0f} to {LARGEST_VALUE:,.0f}; correct the line, or remove a user without a value"
        )
    return float(cell)


def check_two(path: str, n_values: int) -> None:
    if n_values < 2:
        raise UserError(f"{named(path)} has 1 value, expected those of two users at least; add more")


def read_cells(path: str, noun: str) -> list[tuple[int, str]]:
    """Return line numbers and texts: the last column counts."""
    return [(number, cells[-1]) for number, cells in read_rows(path, noun)[1]]


def read_rows(path: str, noun: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the heading, which is a first line without any number, and line numbers and columns of the others.

    Semicolons or tabs separate columns, commas where there are none of these. A comma that may as well be a decimal
    one is refused, unless a heading has as many columns.
    """
    lines = enumerate(read_text(path, noun).split("\n"), 1)
    rows = [(number, line.strip(), split(line)) for number, line in lines if line.strip()]
    heading: list[str] = []
    if rows and not any(is_number(cell.replace(",", ".", 1)) for cell in rows[0][2]):
        heading = rows[0][2]
        rows = rows[1:]
    if not rows:
        raise UserError(f"{named(path)} has no {noun}s; give a text file with one {noun} per line")
    for number, line, cells in rows:
        tail = ",".join(line.split(",")[-2:])
        one_cell = DECIMAL_COMMA.fullmatch(cells[-1])
        if one_cell or (DECIMAL_COMMA.fullmatch(tail) and len(cells) != len(heading)):
            found = cells[-1] if one_cell else tail
            remedy = f"write {shortened(found.replace('.', '').replace(',', '.'))}"
            if not one_cell:
                remedy += f", or, if it is two columns, name all columns in the first line, such as user,{noun}"
            raise UserError(
                f"{named(path)}, line {number}: the {noun} is {shortened(found)}, expected a number without a decimal "
                f"comma; {remedy}"
            )
    return heading, [(number, cells) for number, _, cells in rows]


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
