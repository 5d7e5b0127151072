"""What a sampled metric is in expectation, without drawing anything."""

import numpy as np

from truerank.sampling.law import rank_law

CELLS_PER_BLOCK = 1 << 22


def expected_metric(rank, candidates, negatives, values, replace=True):
    r"""Return E[F(r) | R] = sum over r of P(r | R) F(r), instances x columns.

    rank, candidates : per instance. values : F(1) .. F(m + 1), (m + 1) x columns. With m = 1 every metric becomes a
    linear function of R, that is of AUC.

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, section 4.4.
    """
    rank, candidates = np.broadcast_arrays(rank, candidates)
    step = max(1, CELLS_PER_BLOCK // (negatives + 1))
    blocks = [slice(start, start + step) for start in range(0, len(rank), step)]
    return np.concatenate([rank_law(rank[b], candidates[b], negatives, replace) @ values for b in blocks])


def expected_ap(rank, candidates, negatives):
    r"""Return the expected sampled AP without cut-off, draws with replacement, in closed form.

    .. math:: \frac{1 - \big(\frac{C - R}{C - 1}\big)^{m + 1}}{(R - 1) \frac{m + 1}{C - 1}}

    and 1 for R = 1. Krichene & Rendle 2020, eq. 19.
    """
    share = (np.asarray(rank, float) - 1) / (candidates - 1)
    positive = np.where(share > 0, share, 1)
    return np.where(share > 0, (1 - (1 - share) ** (negatives + 1)) / (positive * (negatives + 1)), 1.0)
