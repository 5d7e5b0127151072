"""Sampled ranks from exact ones: inverse transform of their law, so that all models share the same uniforms."""

import numpy as np

from truerank.errors import UserError
from truerank.sampling._core.law import rank_law

CELLS_PER_BLOCK = 1 << 20
BELOW_ONE = 1 - 2.0**-40  # adding a row number to a uniform must not carry it into the next row


def simulate(
    rank: np.ndarray, candidates: np.ndarray, negatives: int, uniforms: np.ndarray, replace: bool
) -> np.ndarray:
    """Return sampled ranks, repeats x instances.

    rank, candidates : per instance. uniforms : repeats x instances; the same ones for two models make a model that
    ranks an item higher rank it no lower in the sample.
    """
    sampled = np.empty(uniforms.shape, np.int32)
    step = max(1, CELLS_PER_BLOCK // (negatives + 1))
    for start in range(0, len(rank), step):
        rows = slice(start, start + step)
        pairs, pair = np.unique(candidates[rows].astype(np.int64) << 32 | rank[rows], return_inverse=True)
        chances = np.cumsum(rank_law(pairs & 0xFFFFFFFF, pairs >> 32, negatives, replace), axis=1)
        chances /= chances[:, -1:]
        row = np.arange(len(pair))
        flat = (chances[pair] + row[:, None]).ravel()
        place = np.searchsorted(flat, uniforms[:, rows] * BELOW_ONE + row, side="right")
        sampled[:, rows] = place - row * (negatives + 1) + 1
    return sampled


def check_enough(candidates: np.ndarray, wanted: int, setting: str) -> None:
    """Refuse to draw more different items than some user has."""
    fewest = int(np.min(candidates))
    if wanted > fewest - 1:
        raise UserError(
            f"{setting} asks for {wanted:,} different negatives, and some user has {fewest - 1:,}; "
            "set it lower, or replace: true"
        )
