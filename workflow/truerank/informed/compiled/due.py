"""Which positions of a tail come due between two levels."""

import numpy as np
from numba import njit

from truerank.ranking import order

mix = njit(order.mix, cache=True, inline="always")
UNIT = 2.0**-53


@njit(nogil=True, cache=True)
def level(salt, position):
    """Return the level at which a position comes due: U (j + 1)^(1/2), with U uniform by hash."""
    drawn = mix(salt + np.uint64(position)) >> np.uint64(11)
    return (np.float64(drawn) + 0.5) * UNIT * np.sqrt(position + 1.0)


@njit(nogil=True, cache=True)
def count_due(salts, head, n, low, high):
    """Count, per row, the positions from ``head`` to n - 1 whose level is from ``low`` up to ``high``."""
    found = np.zeros(len(salts), np.int64)
    for row in range(len(salts)):
        for position in range(head, n[row]):
            at = level(salts[row], position)
            found[row] += low <= at < high
    return found


@njit(nogil=True, cache=True)
def fill_due(salts, head, n, low, high, start, positions, levels):
    """Write those positions and their levels, row after row; ``start`` has an offset per row."""
    for row in range(len(salts)):
        at = start[row]
        for position in range(head, n[row]):
            due = level(salts[row], position)
            if low <= due < high:
                positions[at] = position
                levels[at] = due
                at += 1
