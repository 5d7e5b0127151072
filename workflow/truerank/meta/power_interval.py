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


def power_interval(columns: Columns, distinct: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
    """Return the ends between which the sum of p over pairs falls for another sample of as many users like these.

    columns : the scores of one metric, and its pairs. distinct : which of the pairs count. p is that of the normal form
    of the sign-flip test. Without a pair, or a user, NaN.
    """
    left, right = columns.left[distinct], columns.right[distinct]
    if not len(left) or not len(columns.scores):
        return np.nan, np.nan
    difference = columns.scores[:, left] - columns.scores[:, right]
    square = (difference**2).sum(axis=0)
    root = np.divide(1.0, np.sqrt(square), where=square > 0, out=np.zeros(len(square)))
    z = difference.sum(axis=0) * root
    influence = difference * root - (z * root**2 / 2) * difference**2
    influence -= influence.mean(axis=0)
    starts = np.linspace(0, len(influence), min(GROUPS, len(influence)), endpoint=False).astype(int)
    noise = rng.standard_normal((DRAWS, len(starts))) @ np.add.reduceat(influence, starts, axis=0)
    shrunk = np.maximum(1 - np.divide(1.0, z**2, where=z != 0, out=np.full(len(z), np.inf)), 0)
    ends = [
        np.quantile(2 * ndtr(-np.abs(share * z + np.sqrt(1 + share) * noise)).sum(axis=1), level)
        for share, level in ((np.ones(len(z)), (1 - LEVEL) / 2), (shrunk, (1 + LEVEL) / 2))
    ]
    return float(ends[0]), float(ends[1])
