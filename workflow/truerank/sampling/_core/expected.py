"""What a sampled metric is in expectation, without drawing anything."""

import numpy as np
from numpy.typing import ArrayLike

from truerank.ranking.shards import blocks
from truerank.sampling._core.law import rank_pmf

CELLS_PER_BLOCK = 1 << 22
ROUNDING = 1e-14


def expected_metric(
    rank: ArrayLike, candidates: ArrayLike, negatives: int, values: np.ndarray, replace: bool = True
) -> np.ndarray:
    r"""Return E[F(r) | R] = sum over r of P(r | R) F(r), instances x columns.

    rank, candidates : per instance. values : F(1) .. F(m + 1), (m + 1) x columns. With m = 1 every metric becomes a
    linear function of R, that is of AUC. Beyond the largest cut-off F is a line, the line 0 or that of AUC, whose mean
    follows from that of r, 1 + m (R - 1) / (C - 1): only the ranks before it are summed.

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, section 4.4.
    """
    rank, candidates = np.broadcast_arrays(rank, candidates)
    start, slope, rest = split_line(values)
    mean_rank = 1 + negatives * (rank - 1) / np.maximum(candidates - 1, 1)
    expected = start + slope * mean_rank[:, None]
    sampled = np.arange(1, len(rest) + 1)
    for rows in blocks(len(rank), max(1, CELLS_PER_BLOCK // max(1, len(rest)))):
        chance = rank_pmf(sampled, rank[rows, None], candidates[rows, None], negatives, replace)
        expected[rows] += chance @ rest
    return expected


def split_line(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Split F(1) .. F(m + 1), per column, into a line, F(0) and its slope, and what the first values differ from it."""
    slope = values[-1] - values[-2]
    start = values[-1] - slope * len(values)
    rest = values - (start + slope * np.arange(1, len(values) + 1)[:, None])
    differs = np.abs(rest) > ROUNDING * np.abs(values).max(axis=0, initial=1)
    return start, slope, np.where(differs, rest, 0)[: np.flatnonzero(differs.any(axis=1)).max(initial=-1) + 1]


def expected_ap(rank: ArrayLike, candidates: int | np.ndarray, negatives: int) -> np.ndarray:
    r"""Return the expected sampled AP without cut-off, draws with replacement, in closed form.

    .. math:: \frac{1 - \big(\frac{C - R}{C - 1}\big)^{m + 1}}{(R - 1) \frac{m + 1}{C - 1}}

    and 1 for R = 1. Krichene & Rendle 2020, eq. 19.
    """
    share = (np.asarray(rank, float) - 1) / (candidates - 1)
    positive = np.where(share > 0, share, 1)
    return np.where(share > 0, (1 - (1 - share) ** (negatives + 1)) / (positive * (negatives + 1)), 1.0)
