r"""How far discriminative power moves with other users: an interval for the sum of p-values of another sample.

A sample's z of a pair is about normal around what it would be on average, and so is that of another sample of as many
users. If nothing else is known, the two differ by :math:`N(0, 2 \Sigma)`, so the sum of p of the other sample is
drawn as :math:`\sum 2 \Phi(-|z + \sqrt 2 \, e|)` with :math:`e \sim N(0, \Sigma)`. That makes pairs that do not
differ look too different, since an observed z is further from 0 than its mean: the upper end is drawn with z shrunk
to 0, :math:`s z + \sqrt{1 + s} \, e` with :math:`s = \max(0, 1 - z^{-2})`.
"""

import numpy as np
from scipy.special import ndtr

from truerank.meta.flips import Columns

GROUPS = 200  # of users, whose sums of influences stand for the covariance of z
DRAWS = 1_000
LEVEL = 0.95


class GroupSums:
    """Sums of the differences of every pair, and of their squares, over groups of users: groups x pairs.

    Users come in blocks, in their order; n_users : of all.
    """

    def __init__(self, n_users: int, n_pairs: int) -> None:
        self.starts = np.linspace(0, n_users, min(GROUPS, n_users), endpoint=False).astype(int)
        self.n_users, self.done = n_users, 0
        self.linear, self.square = np.zeros((2, len(self.starts), n_pairs))

    def add(self, columns: Columns) -> None:
        """Add the users of a block."""
        difference = columns.scores[:, columns.left] - columns.scores[:, columns.right]
        users = np.arange(self.done, self.done + len(difference))
        self.done += len(users)
        if not len(users):
            return
        group = np.searchsorted(self.starts, users, side="right") - 1
        first = np.flatnonzero(np.diff(group, prepend=-1))
        self.linear[group[first]] += np.add.reduceat(difference, first, axis=0)
        self.square[group[first]] += np.add.reduceat(difference**2, first, axis=0)


def power_interval(sums: GroupSums, distinct: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
    """Return the ends between which the sum of p over pairs falls for another sample of as many users like these.

    sums : of one metric. distinct : which of its pairs count. p is that of the normal form of the sign-flip test.
    Without a pair, or a user, NaN.
    """
    if not distinct.any() or not sums.n_users:
        return np.nan, np.nan
    linear, squares = sums.linear[:, distinct], sums.square[:, distinct]
    square = squares.sum(axis=0)
    root = np.divide(1.0, np.sqrt(square), where=square > 0, out=np.zeros(len(square)))
    z = linear.sum(axis=0) * root
    influence = linear * root - (z * root**2 / 2) * squares
    sizes = np.diff(sums.starts, append=sums.n_users)
    influence -= np.outer(sizes / sums.n_users, influence.sum(axis=0))
    noise = rng.standard_normal((DRAWS, len(influence))) @ influence
    shrunk = np.maximum(1 - np.divide(1.0, z**2, where=z != 0, out=np.full(len(z), np.inf)), 0)
    ends = [
        np.quantile(2 * ndtr(-np.abs(share * z + np.sqrt(1 + share) * noise)).sum(axis=1), level)
        for share, level in ((np.ones(len(z)), (1 - LEVEL) / 2), (shrunk, (1 + LEVEL) / 2))
    ]
    return float(ends[0]), float(ends[1])
