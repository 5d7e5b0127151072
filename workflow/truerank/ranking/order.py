"""One seeded order of every user's items, by hashing: it decides ties, and scores the random recommender.

``h(u, i) = mix(mix(key + u) + i)`` with the finaliser of SplitMix64, so an order costs nothing to store, and a user's
does not depend on the other users. Steele, Lea & Flood 2014, doi:10.1145/2660193.2660195.
"""

import numpy as np
from numpy.typing import ArrayLike

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)


def mix(x: np.ndarray) -> np.ndarray:
    """Scatter 64-bit integers so that every bit of ``x`` reaches every bit of the result."""
    x = x + GOLDEN
    x = (x ^ (x >> np.uint64(30))) * FIRST
    x = (x ^ (x >> np.uint64(27))) * SECOND
    return x ^ (x >> np.uint64(31))


def order_key(rng: np.random.Generator) -> np.uint64:
    """Draw the key of an order."""
    return rng.integers(0, 2**64, dtype=np.uint64)


def salt(key: np.uint64, users: ArrayLike) -> np.ndarray:
    """Return what distinguishes each user's order."""
    return mix(np.uint64(key) + np.asarray(users).astype(np.uint64))


def hashes(key: np.uint64, users: ArrayLike, items: ArrayLike) -> np.ndarray:
    """Return h(u, i) for arrays of users and items that broadcast against each other."""
    return mix(salt(key, users) + np.asarray(items).astype(np.uint64))


def tie_hashes(policy: str, key: np.uint64, user: np.ndarray, item: np.ndarray, rating: np.ndarray) -> np.ndarray:
    """Return, per test row, the hash that places it among the candidates with its score: smaller comes first.

    ``random`` : h(u, i), like any other item. ``optimistic`` : ahead of all others, the best rated first.
    ``pessimistic`` : behind all others, the best rated last. Rows of equal rating keep their seeded order.
    """
    drawn = hashes(key, user, item)
    if policy == "random":
        return drawn
    seeded = drawn if policy == "optimistic" else ~drawn  # reversed here, and once more at the end
    nth = np.empty(len(user), np.uint64)
    nth[np.lexsort((seeded, -np.asarray(rating), user))] = np.arange(len(user), dtype=np.uint64)
    return nth if policy == "optimistic" else ~nth
