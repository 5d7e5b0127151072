"""The sign-flip test of very many users: its normal approximation, where that is as good as the test."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from truerank.meta.flips import columns_of
from truerank.meta.significance import Comparison, compare

ENOUGH = 10_000  # users that make the difference, for the approximation
FEWER_DRAWS = 10_000  # where so many users differ that the whole test would take too long


def compare_many(
    scores: Iterable[ArrayLike],
    rng: np.random.Generator,
    draws: int,
    undefined_users: Sequence[str],
    threads: int = 1,
    most_users: int = 100_000,
) -> list[Comparison]:
    r"""Return what ``compare`` returns, in time proportional to the users.

    .. math:: p = 2 \Phi\Big(-\frac{|\sum_u d_u|}{\sqrt{\sum_u d_u^2}}\Big), \quad
        e = \frac{(\sum_u d_u^2)^2}{\sum_u d_u^4}

    The sum of n differences with random signs has this variance, and e users make its spread. Where e is below 10,000
    the test itself is done with the users who differ, by fewer draws if these are more than ``most_users``. p is at
    least 1 / (1 + draws), as that of the test; no difference at all has p = 1.
    """
    found = []
    for table, policy in zip(scores, undefined_users, strict=True):
        problem = columns_of(np.asarray(table), policy)
        p_values = []
        for a, b in zip(problem.left, problem.right, strict=True):
            p = normal_p(problem.scores[:, a] - problem.scores[:, b], draws)
            if p is None:
                rows = np.flatnonzero(problem.scores[:, a] != problem.scores[:, b])
                few = draws if len(rows) <= most_users else min(draws, FEWER_DRAWS)
                (tested,) = compare([problem.scores[rows][:, [a, b]]], rng, few, rows, threads=threads)
                p = tested.p_value[0]
            p_values.append(p)
        left, right = problem.systems
        with np.errstate(invalid="ignore"):
            found.append(Comparison(left, right, problem.sums / problem.n_users, np.array(p_values)))
    return found


def normal_p(difference: np.ndarray, draws: int) -> float | None:
    """Return the approximation, None where too few users make the difference for it."""
    squares = difference * difference
    variance = squares.sum()
    if not variance:
        return 1.0
    if variance**2 < ENOUGH * (squares * squares).sum():
        return None
    return max(float(2 * ndtr(-abs(difference.sum()) / np.sqrt(variance))), 1 / (1 + draws))
