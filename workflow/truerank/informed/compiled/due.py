"""Which positions of a tail come due between two levels."""

import numpy as np
from numba import njit

from truerank.ranking import order

mix = njit(order.mix, cache=True, inline="always")
UNIT = 2.0**-53
SPARE = 1 << 20  # of the 2^53 that U is drawn from, for what the bounds round


@njit(nogil=True, cache=True)
def level(drawn, position):
    """Return the level at which a position comes due: U (j + 1)^(1/2), with U uniform by hash."""
    return (np.float64(drawn) + 0.5) * UNIT * np.sqrt(position + 1.0)


@njit(nogil=True, cache=True)
def find_due(salts, head, n, low, high, start, positions, levels):
    """Write, row after row, the positions from ``head`` to n - 1 whose level is from ``low`` up to ``high``, and their
    levels, as many as there is room for; ``start`` gets an offset per row. Return how many there are."""
    most = np.int64(0)
    for row in range(len(n)):
        most = max(most, n[row])
    bound = np.empty(max(most, head), np.uint64)  # a drawn number beyond it is surely too large
    for position in range(head, most):
        bound[position] = np.uint64(min(high / np.sqrt(position + 1.0), 1.0) / UNIT) + np.uint64(SPARE)
    at = 0
    for row in range(len(salts)):
        start[row] = at
        for position in range(head, n[row]):
            drawn = mix(salts[row] + np.uint64(position)) >> np.uint64(11)
            if drawn < bound[position]:
                due = level(drawn, position)
                if low <= due < high:
                    if at < len(positions):
                        positions[at] = position
                        levels[at] = due
                    at += 1
    start[len(salts)] = at
    return at
