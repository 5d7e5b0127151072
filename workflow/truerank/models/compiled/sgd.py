"""Stochastic gradient descent on the squared error of a factor model with biases."""

import numpy as np
from numba import njit

from truerank.models.compiled import FAST


@njit(**FAST)
def epoch(order, user, item, target, drawn, start, index, mean, bu, bi, p, q, rate, l2, biased):
    """Take one step for each row, in the given order, and for each item drawn with it; return the mean squared error.

    target : per row. drawn : rows x n items whose target is 0, passed over where the user has them: ``start`` and
    ``index`` are the users' items in CSR form, ascending. mean : what is predicted before all else. bu, bi : users' and
    items' biases, learnt if ``biased``. p, q : users and items x factors. All float32, changed in place.
    """
    total = 0.0
    steps = 0
    for row in order:
        u = user[row]
        total += step(target[row], u, item[row], mean, bu, bi, p, q, rate, l2, biased)
        steps += 1
        own = index[start[u] : start[u + 1]]
        for i in drawn[row]:
            place = np.searchsorted(own, i)
            if place == len(own) or own[place] != i:
                total += step(np.float32(0), u, i, mean, bu, bi, p, q, rate, l2, biased)
                steps += 1
    return total / steps


@njit(**FAST)
def step(target, u, i, mean, bu, bi, p, q, rate, l2, biased):
    """Move the vectors and biases of one pair down the gradient; return the squared error before."""
    mine, its = p[u], q[i]
    guess = mean + bu[u] + bi[i]
    for f in range(len(mine)):
        guess += mine[f] * its[f]
    error = target - guess
    if biased:
        bu[u] += rate * (error - l2 * bu[u])
        bi[i] += rate * (error - l2 * bi[i])
    for f in range(len(mine)):
        before = mine[f]
        mine[f] += rate * (error * its[f] - l2 * before)
        its[f] += rate * (error * before - l2 * its[f])
    return error * error
