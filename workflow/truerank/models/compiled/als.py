"""Weighted least squares of one side of a factor model, given the other."""

import numpy as np
from numba import njit

from truerank.models.compiled import FAST


@njit(**FAST)
def solve_rows(start, index, rating, other, gram, weight, found):
    r"""Write the best vectors of the rows, rows x factors, to ``found``; of a row without entries it is 0.

    .. math:: x = \Big(G + \sum_i w r_i \, y_i y_i^\top\Big)^{-1} \sum_i (1 + w r_i) r_i \, y_i

    start, index, rating : rows x columns in CSR form; i runs over the entries of a row. other : y, columns x factors.
    gram : G, positive definite, what the cells without an entry and the penalty add up to. weight : w. All float64.
    """
    n = other.shape[1]
    for row in range(len(found)):
        first, last = start[row], start[row + 1]
        if first == last:
            found[row] = 0
            continue
        left, right = gram.copy(), np.zeros(n)
        for t in range(first, last):
            y, pull = other[index[t]], weight * rating[t]
            for a in range(n):
                right[a] += (1 + pull) * rating[t] * y[a]
                scaled = pull * y[a]
                for b in range(n):
                    left[a, b] += scaled * y[b]
        found[row] = np.linalg.solve(left, right)
