"""At which K of the catalogue recall equals sampled recall at k."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, gammaln


def linear(k: ArrayLike, n_items: int, n: int) -> np.ndarray:
    r"""Return :math:`f(K) = (K - 1) \frac{N - 1}{n - 1} + 1`, as a whole number. n : size of the sampled set."""
    return rounded((np.asarray(k) - 1) * (n_items - 1) / (n - 1) + 1)


def bound(k: ArrayLike, n_items: int, n: int) -> np.ndarray:
    r"""Return :math:`f(K) = \lfloor (K - \frac12) \frac{N - 1}{n - 1} + \frac12 \rfloor`, at least 1."""
    return np.maximum(np.floor((np.asarray(k) - 0.5) * (n_items - 1) / (n - 1) + 0.5).astype(int), 1)


def beta(k: ArrayLike, n_items: int, n: int, a: float) -> np.ndarray:
    """Return the f(K) of ``beta_place`` as a whole number."""
    return rounded(beta_place(k, n_items, n, a))


def beta_place(k: ArrayLike, n_items: int, n: int, a: float) -> np.ndarray:
    r"""Return the f(K) that fits where ranks fall like a power: share a of P(R) proportional to :math:`R^{a-1}`.

    .. math:: [f(K+1) - 1]^a = [f(K) - 1]^a + a (N-1)^a \binom{n-1}{K} B(a + K, n - K), \qquad
              f(1) = (N - 1)(a B(a, n))^{1/a} + 1

    in logarithms. Li et al. 2024, doi:10.1145/3629171; their eq. 24 and 54 lost the plus sign.
    """
    k = np.asarray(k)
    step = np.arange(int(k.max()))
    ways = gammaln(n) - gammaln(step + 1) - gammaln(n - step)
    share = np.cumsum(np.exp(np.log(a) + ways + betaln(a + step, n - step)))
    return (n_items - 1) * share[k - 1] ** (1 / a) + 1


def beta_exponent(rank: ArrayLike, candidates: int | np.ndarray) -> float:
    r"""Return the a whose Beta(a, 1) makes the ranks most likely: :math:`-1 / \overline{\log x}`.

    rank, candidates : R and C per instance; x = (R - 1/2) / C, so that no x is 0 or 1. Less than 1 where ranks are high
    more often than low, 1 where they are uniform. Li et al. 2024, section 3.6.
    """
    return float(-1 / np.mean(np.log((np.asarray(rank) - 0.5) / candidates)))


MAPPINGS = {
    "linear": linear,
    "bound": bound,
    "beta_0.5": lambda k, n_items, n: beta(k, n_items, n, 0.5),
    "beta_1": lambda k, n_items, n: beta(k, n_items, n, 1.0),
}


def rounded(place: np.ndarray) -> np.ndarray:
    return np.rint(place).astype(int)
