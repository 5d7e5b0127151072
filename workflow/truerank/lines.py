"""Numbers in text files, one per line."""

from pathlib import Path
from reprlib import repr as shortened

import numpy as np

from truerank.errors import UserError

MOST_DIGITS = 12
LARGEST_VALUE = 1e9


def read_ranks(path, negatives):
    """Read one rank per line."""
    ranks = []
    for number, cell in read_cells(path, "rank"):
        rank = whole_number(cell)
        if rank is None or not 1 <= rank <= negatives + 1:
            raise UserError(
                f"{path}, line {number}: the rank is {shortened(cell)}, expected a whole number from 1 to "
                f"{negatives + 1}, that is negatives + 1; correct the line or --negatives"
            )
        ranks.append(rank)
    return np.array(ranks)


def read_values(path):
    """Read one number per line, those of two users at least."""
    cells = read_cells(path, "value")
    for number, cell in cells:
        if not is_number(cell) or not abs(float(cell)) <= LARGEST_VALUE:
            raise UserError(
                f"{path}, line {number}: the value is {shortened(cell)}, expected a number from {-LARGEST_VALUE:,.0f} "
                f"to {LARGEST_VALUE:,.0f}; correct the line, or remove a user without a value"
            )
    if len(cells) < 2:
        raise UserError(f"{path} has 1 value, expected those of two users at least; add more")
    return np.array([float(cell) for _, cell in cells])


def read_cells(path, noun):
    """Return line numbers and texts: the last column counts, and a first text that is no number is a heading."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
    except (OSError, ValueError) as failure:
        reason = failure.strerror.lower() if isinstance(failure, OSError) else "it is not UTF-8 text"
        raise UserError(f"{path} cannot be read: {reason}; give a text file with one {noun} per line") from None
    cells = [(number, line.split(",")[-1].strip()) for number, line in enumerate(lines, 1) if line.strip()]
    if cells and not is_number(cells[0][1]):
        cells = cells[1:]
    if not cells:
        raise UserError(f"{path} has no {noun}s; give a text file with one {noun} per line")
    return cells


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def whole_number(text):
    """Return the number that plain digits mean, None for other signs and for more digits than any count has."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None
