"""The linear program behind a bound, with a value that its dual proves."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Limits:
    r"""What is known of the outcomes: :math:`L_j \le E[\phi_j] \le U_j` for functions that fall with it.

    functions : outcomes x J. low, high : J.
    """

    functions: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class Extreme:
    """The least value of a program. chances : of the cells, where it is attained. slack : per cell, by how much the
    span of what is seen may have lowered the value at most."""

    value: float
    chances: np.ndarray
    slack: np.ndarray


def least(
    value: np.ndarray, lowest: np.ndarray, highest: np.ndarray, limits: Limits, shape: tuple[np.ndarray, np.ndarray]
) -> Extreme | None:
    r"""Return the least sum of q_c v_c over chances q of cells that may have led to what is known, None if none may.

    .. math:: \min_q \sum_c q_c v_c, \qquad \sum_c q_c\,\mathrm{lowest}_{cj} \le U_j, \quad
              \sum_c q_c\,\mathrm{highest}_{cj} \ge L_j, \quad S q \le t, \quad q \ge 0, \; \sum_c q_c = 1

    value : v, the least that the metric can be in each cell. lowest, highest : what E[phi_j] can be in each cell, cells
    x J. shape : S and t, further rows. A cell may take any value between its two for each j on its own, so no further
    variables are needed: the sum over cells reaches all that lies between the sums of the two. The value is not the
    solver's but what its multipliers prove: for any y >= 0, no q has less than

    .. math:: -y^\top b + \min_c (v + A^\top y)_c

    with A and b the rows above as A q <= b; so a solver's tolerance cannot make a bound too narrow.
    """
    from scipy.optimize import linprog  # slow to import

    further, most = shape
    rows = np.vstack([lowest.T, -highest.T, further])
    limit = np.concatenate([limits.high, -limits.low, most])
    found = linprog(value, A_ub=rows, b_ub=limit, A_eq=np.ones((1, len(value))), b_eq=[1], method="highs")
    if found.status == 2:
        return None
    if found.x is None:
        return Extreme(float(value.min()), np.ones(len(value)), np.full(len(value), np.inf))
    multipliers = np.maximum(-found.ineqlin.marginals, 0)
    proven = (value + multipliers @ rows).min() - multipliers @ limit
    each = multipliers[: 2 * len(limits.low)].reshape(2, -1).sum(axis=0)
    return Extreme(float(max(proven, value.min())), found.x, found.x * ((highest - lowest) @ each))
