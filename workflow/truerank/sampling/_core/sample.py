"""What a sampler gives."""

from dataclasses import dataclass

import numpy as np

PER_INSTANCE = ("candidates", "rank", "negatives", "exact", "rank_estimate")  # the last axis, unless it is one number


@dataclass(frozen=True)
class Sample:
    """Ranks among sampled candidates: models x repeats x instances, from 1 to ``negatives`` + 1.

    negatives : how many were drawn; one number, or the same shape as ``rank``. exact : where all candidates were drawn,
    so that the rank is the exact one; False, or the same shape. An instance is a relevant test item. Where items have
    unlike chances: rank_estimate, an estimate of the exact rank whose mean is right, of the same shape as ``rank``;
    chances, of all items, summing to 1; kept, the least and the largest share of these that an instance's candidates
    have.
    """

    rank: np.ndarray
    negatives: np.ndarray | np.integer
    exact: np.ndarray | np.bool_ = np.False_
    rank_estimate: np.ndarray | None = None
    chances: np.ndarray | None = None
    kept: np.ndarray | None = None

    @property
    def n_scores(self) -> np.ndarray:
        """Item scores computed per model and repeat, the test item's own included."""
        return (np.broadcast_to(self.negatives, self.rank.shape) + 1).sum(axis=-1)
