"""Kendall's tau-b between orders of the same systems, for many orders at once."""

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

DIGITS = 12  # means that agree to so many decimals are equal: the order of a sum's terms must not decide


def pair_orders(values: ArrayLike) -> np.ndarray:
    """Return, ... x pairs, which system of each pair has the larger value: 1, -1, or 0 if equal.

    values : ... x systems. A system without a value (NaN) leaves the whole order undefined: NaN.
    """
    values = np.asarray(values)
    first, second = np.array(list(combinations(range(values.shape[-1]), 2)), int).reshape(-1, 2).T
    rounded = np.round(values, DIGITS)
    orders = np.sign(rounded[..., first] - rounded[..., second]).astype(np.float32)
    orders[np.isnan(values).any(axis=-1)] = np.nan
    return orders


def tau_b(one: ArrayLike, other: ArrayLike) -> np.ndarray:
    r"""Correlate the orders that two rows of values give the same systems.

    .. math:: \tau_b = \frac{C - D}{\sqrt{P_1 P_2}}

    C pairs stand the same way round in both orders, D the other way; P are the pairs that an order does not tie.
    one, other : ... x systems, the larger value first in order. Where one order ties all its systems, or there is one
    system, or one without a value, tau is undefined: NaN.

    Kendall 1945, doi:10.1093/biomet/33.3.239.
    """
    if np.shape(one)[-1:] != np.shape(other)[-1:]:
        raise ValueError(f"the shapes are {np.shape(one)} and {np.shape(other)}, expected values of the same systems")
    return tau_of_pairs(pair_orders(one), pair_orders(other))


def tau_of_pairs(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return tau-b of orders as ``pair_orders`` gives them, ... x pairs."""
    one, other = one.astype(float), other.astype(float)
    untied = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    return np.divide((one * other).sum(axis=-1), untied, where=untied > 0, out=np.full(untied.shape, np.nan))


def correlation(values: ArrayLike) -> np.ndarray:
    """Return tau-b between the orders that all metrics give, metrics x metrics. values : metrics x systems."""
    if np.ndim(values) != 2:
        raise ValueError(f"values has {np.ndim(values)} axes, expected two, metrics x systems")
    orders = pair_orders(values)
    return tau_of_pairs(orders[:, None], orders[None])
