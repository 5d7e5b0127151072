"""At which K of the catalogue recall equals sampled recall at k."""

import numpy as np
from scipy.special import betaln, gammaln


def linear(k, n_items, n):
    r"""Return :math:`f(K) = (K - 1) \frac{N - 1}{n - 1} + 1`, as a whole number. n : size of the sampled set."""
    return rounded((np.asarray(k) - 1) * (n_items - 1) / (n - 1) + 1)


def bound(k, n_items, n):
    r"""Return :math:`f(K) = \lfloor (K - \frac12) \frac{N - 1}{n - 1} + \frac12 \rfloor`, at least 1."""
    return np.maximum(np.floor((np.asarray(k) - 0.5) * (n_items - 1) / (n - 1) + 0.5).astype(int), 1)


def beta(k, n_items, n, a):
    r"""Return the f(K) that fits where ranks fall like a power: share a of P(R) proportional to :math:`R^{a-1}`.

    .. math:: [f(K+1) - 1]^a = [f(K) - 1]^a + a (N-1)^a \binom{n-1}{K} B(a + K, n - K), \qquad
              f(1) = (N - 1)(a B(a, n))^{1/a} + 1

    in logarithms. Li et al. 2024, doi:10.1145/3629171; their eq. 24 and 54 lost the plus sign.
    """
    k = np.asarray(k)
    step = np.arange(int(k.max()))
    ways = gammaln(n) - gammaln(step + 1) - gammaln(n - step)
    share = np.cumsum(np.exp(np.log(a) + ways + betaln(a + step, n - step)))
    return rounded((n_items - 1) * share[k - 1] ** (1 / a) + 1)


MAPPINGS = {
    "linear": linear,
    "bound": bound,
    "beta_0.5": lambda k, n_items, n: beta(k, n_items, n, 0.5),
    "beta_1": lambda k, n_items, n: beta(k, n_items, n, 1.0),
}


def rounded(place):
    return np.rint(place).astype(int)
