"""Compiled inner loops of the sign-flip test; ``significance`` calls them, and nothing else does."""

import numpy as np
from numba import njit

from truerank.ranking import order

mix = njit(order.mix, cache=True, inline="always")

# Eight signs for every byte, lowest bit first: 0 is +1, 1 is -1.
SIGNS = (1 - 2 * ((np.arange(256)[:, None] >> np.arange(8)) & 1)).astype(np.float32)


@njit(nogil=True, cache=True)
def draw_signs(salts, first_word, table, words, signs):
    """Draw 64 signs per user and word: ``words`` (words x users) as bits, ``signs`` (users x 64 words) as +1 and -1."""
    for u in range(len(salts)):
        for w in range(len(words)):
            word = mix(salts[u] + np.uint64(first_word + w))
            words[w, u] = word
            for byte in range(8):
                eight = table[(word >> np.uint64(8 * byte)) & np.uint64(255)]
                out = signs[u, 64 * w + 8 * byte : 64 * w + 8 * byte + 8]
                for bit in range(8):
                    out[bit] = eight[bit]


@njit(nogil=True, cache=True)
def count_extreme(sums, n_draws, words, scores, left, right, unlikely, likely, limit, counts):
    """Add to ``counts``, per pair, the draws whose difference is at least ``limit`` in size.

    sums : columns x draws, of rounded scores: below ``unlikely`` a difference does not count, from ``likely`` on it
    does, and in between the scores themselves decide (columns x users).
    """
    for p in range(len(left)):
        one, other = sums[left[p]], sums[right[p]]
        above = 0
        near = 0
        for j in range(n_draws):
            difference = abs(one[j] - other[j])
            above += difference >= likely[p]
            near += difference >= unlikely[p]
        if near > above:
            for j in range(n_draws):
                difference = abs(one[j] - other[j])
                if unlikely[p] <= difference < likely[p]:
                    above += abs(flipped(words[j // 64], j % 64, scores[left[p]], scores[right[p]])) >= limit[p]
        counts[p] += above


@njit(nogil=True, cache=True, fastmath={"reassoc"})
def flipped(words, bit, one, other):
    """Sum the users' differences, each with its sign."""
    total = 0.0
    for u in range(len(words)):
        sign = 1.0 - 2.0 * np.float64((words[u] >> np.uint64(bit)) & np.uint64(1))
        total += sign * (one[u] - other[u])
    return total
