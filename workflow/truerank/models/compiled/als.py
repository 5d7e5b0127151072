"""Weighted least squares of one side of a factor model, given the other: solved, or some steps nearer."""

import numpy as np
from numba import njit

from truerank.models.compiled import FAST

SOLVED = 1e-20  # squared length of what is left of an equation that needs no further step


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


@njit(**FAST)
def refine_rows(start, index, other, gram, confidence, steps, found):
    r"""Take some steps of conjugate gradients from ``found``, rows x factors, towards the best vectors of the rows.

    .. math:: \Big(G + (c - 1) \sum_i y_i y_i^\top\Big) x = c \sum_i y_i

    start, index : rows x columns in CSR form; i runs over the entries of a row, and without one x is 0. other : y,
    columns x factors. gram : G. confidence : c. All float32. A step takes time in proportion to entries x factors.

    Takács, Pilászy & Tikk 2011, doi:10.1145/2043932.2043987.
    """
    n = other.shape[1]
    residual, direction, product = np.empty(n, np.float32), np.empty(n, np.float32), np.empty(n, np.float32)
    for row in range(len(found)):
        own, x = index[start[row] : start[row + 1]], found[row]
        if len(own) == 0:
            x[:] = 0
            continue
        multiply(gram, own, other, confidence - np.float32(1), x, product)
        residual[:] = 0
        for i in own:
            y = other[i]
            for f in range(n):
                residual[f] += y[f]
        for f in range(n):
            residual[f] = confidence * residual[f] - product[f]
            direction[f] = residual[f]
        squares = dot(residual, residual)
        for _ in range(steps):
            if squares < SOLVED:
                break
            multiply(gram, own, other, confidence - np.float32(1), direction, product)
            step = squares / dot(direction, product)
            for f in range(n):
                x[f] += step * direction[f]
                residual[f] -= step * product[f]
            before, squares = squares, dot(residual, residual)
            for f in range(n):
                direction[f] = residual[f] + squares / before * direction[f]


@njit(**FAST)
def multiply(gram, own, other, extra, vector, product):
    """Write (G + extra sum of y y') vector to ``product``, where y are the rows ``own`` of ``other``."""
    for f in range(len(vector)):
        product[f] = dot(gram[f], vector)
    for i in own:
        y = other[i]
        share = extra * dot(y, vector)
        for f in range(len(vector)):
            product[f] += share * y[f]


@njit(**FAST)
def dot(left, right):
    total = np.float32(0)
    for f in range(len(left)):
        total += left[f] * right[f]
    return total


@njit(**FAST)
def squared_errors(start, index, users, items, gram, confidence):
    """Return the sum of the squared scores of all pairs, in which observed ones are c times their distance from 1."""
    total = 0.0
    for row in range(len(users)):
        x = users[row]
        for f in range(len(x)):
            total += x[f] * dot(gram[f], x)
        for i in index[start[row] : start[row + 1]]:
            score = dot(items[i], x)
            total += confidence * (1 - score) ** 2 - score**2
    return total
