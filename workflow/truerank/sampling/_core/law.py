"""The law of a rank among sampled candidates."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

Numbers = int | np.ndarray
MOST_BITS = 20  # of a number whose factorial is looked up


def rank_law(rank: ArrayLike, candidates: ArrayLike, negatives: int, replace: bool = True) -> np.ndarray:
    r"""Return P(r | R) for r = 1 .. m + 1, one row per instance.

    .. math:: r - 1 \sim \mathrm{Binomial}\Big(m, \frac{R - 1}{C - 1}\Big)
              \quad\text{or}\quad \mathrm{Hypergeometric}(C - 1,\, R - 1,\, m)

    rank, candidates : R and C, numbers or one per row. negatives : m, drawn from the other C - 1 candidates with or
    without replacement; without, m is at most C - 1.

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, section 4.3.
    """
    rank, candidates = np.broadcast_arrays(np.atleast_1d(rank), candidates)
    return rank_pmf(np.arange(1, negatives + 2), rank[:, None], candidates[:, None], negatives, replace)


def rank_pmf(
    sampled: ArrayLike, rank: ArrayLike, candidates: ArrayLike, negatives: Numbers, replace: bool = True
) -> np.ndarray:
    """Return P(r | R) elementwise; all arguments broadcast against each other."""
    above = np.asarray(sampled) - 1
    if replace:
        return binomial(above, negatives, (np.asarray(rank) - 1) / np.maximum(np.asarray(candidates) - 1, 1))
    return hypergeometric(above, negatives, np.asarray(rank) - 1, np.asarray(candidates) - 1)


def binomial(hits: np.ndarray, draws: Numbers, share: np.ndarray) -> np.ndarray:
    tiny = np.finfo(float).tiny  # its logarithm, unlike that of 0, can be multiplied by 0
    chance = hits * np.log(np.maximum(share, tiny)) + (draws - hits) * np.log(np.maximum(1 - share, tiny))
    return np.exp(log_binom(draws, hits) + chance)


def hypergeometric(hits: np.ndarray, draws: Numbers, good: np.ndarray, total: np.ndarray) -> np.ndarray:
    bad, misses = total - good, draws - hits
    possible = (hits <= good) & (misses <= bad) & (misses >= 0)
    hits, misses = np.minimum(hits, good), np.clip(misses, 0, bad)
    chance = log_binom(good, hits) + log_binom(bad, misses) - log_binom(total, draws)
    return np.exp(np.where(possible, chance, -np.inf))


def log_binom(n: Numbers, k: Numbers) -> np.ndarray:
    """Return the logarithm of the number of ways to choose k of n."""
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k)


def log_factorial(n: Numbers) -> np.ndarray:
    """Return log n!, looked up where n is an array, which is many times faster unless the table is large."""
    bits = int(np.max(n, initial=1)).bit_length()
    return log_factorials(bits)[n] if bits <= MOST_BITS else gammaln(np.asarray(n) + 1.0)


@lru_cache
def log_factorials(bits: int) -> np.ndarray:
    """Return log n! for all n below two to the power ``bits``."""
    return gammaln(np.arange(1 << bits) + 1.0)
