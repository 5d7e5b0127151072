"""Compiled inner loops of the sign-flip test; ``flips`` calls them, and nothing else does.

Eight users have 256 combinations of signs. Their flipped sums are tabulated once, and looked up by a byte that has the
eight signs of a draw: one addition per draw and column instead of eight products, in whole numbers, hence exact.
"""

import numpy as np
from numba import njit

from truerank.ranking import order

mix = njit(order.mix, cache=True, inline="always")


@njit(nogil=True, cache=True)
def draw_bits(salts, first_word, bits):
    """Draw the signs of all users, 64 per word of the hash; 0 is +1, 1 is -1.

    bits : eights of users x draws, a byte each whose lowest bit is the first user's.
    """
    words = np.empty(8, np.uint64)
    for g in range(len(bits)):
        for w in range(bits.shape[1] // 64):
            for i in range(8):
                words[i] = mix(salts[8 * g + i] + np.uint64(first_word + w))
            for byte in range(8):
                square = np.uint64(0)
                for i in range(8):
                    square |= ((words[i] >> np.uint64(8 * byte)) & np.uint64(255)) << np.uint64(8 * i)
                square = transposed(square)
                for bit in range(8):
                    bits[g, 64 * w + 8 * byte + bit] = (square >> np.uint64(8 * bit)) & np.uint64(255)


@njit(nogil=True, cache=True, inline="always")
def transposed(square):
    """Transpose eight by eight bits. Warren 2013, Hacker's Delight, section 7-3."""
    swap = (square ^ (square >> np.uint64(7))) & np.uint64(0x00AA00AA00AA00AA)
    square = square ^ swap ^ (swap << np.uint64(7))
    swap = (square ^ (square >> np.uint64(14))) & np.uint64(0x0000CCCC0000CCCC)
    square = square ^ swap ^ (swap << np.uint64(14))
    swap = (square ^ (square >> np.uint64(28))) & np.uint64(0x00000000F0F0F0F0)
    return square ^ swap ^ (swap << np.uint64(28))


@njit(nogil=True, cache=True)
def add_flipped(bits, whole, sums):
    """Add the flipped scores of users, a multiple of 32, to sums. whole : users x columns. sums : draws x columns."""
    n_columns = whole.shape[1]
    first, second = np.empty((256, n_columns), np.int64), np.empty((256, n_columns), np.int64)
    third, fourth = np.empty((256, n_columns), np.int64), np.empty((256, n_columns), np.int64)
    for g in range(0, len(bits), 4):
        tabulate(whole[8 * g : 8 * g + 8], first)
        tabulate(whole[8 * g + 8 : 8 * g + 16], second)
        tabulate(whole[8 * g + 16 : 8 * g + 24], third)
        tabulate(whole[8 * g + 24 : 8 * g + 32], fourth)
        for j in range(len(sums)):
            a, b, c, d = first[bits[g, j]], second[bits[g + 1, j]], third[bits[g + 2, j]], fourth[bits[g + 3, j]]
            own = sums[j]
            for k in range(n_columns):
                own[k] += a[k] + b[k] + c[k] + d[k]


@njit(nogil=True, cache=True)
def tabulate(whole, table):
    """Write the sums of eight users, by their signs."""
    for k in range(whole.shape[1]):
        total = 0
        for i in range(8):
            total += whole[i, k]
        table[0, k] = total
    for user in range(8):
        for rest in range(1 << user):
            for k in range(whole.shape[1]):
                table[rest + (1 << user), k] = table[rest, k] - 2 * whole[user, k]


@njit(nogil=True, cache=True)
def count_extreme(sums, left, right, limit, counts):
    """Add to ``counts``, per pair, the draws whose difference is at least ``limit`` in size. sums : columns x draws."""
    for p in range(len(left)):
        one, other = sums[left[p]], sums[right[p]]
        above = 0
        for j in range(sums.shape[1]):
            above += abs(one[j] - other[j]) >= limit[p]
        counts[p] += above
