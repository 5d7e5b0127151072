"""What a sampler gives."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Sample:
    """Ranks among sampled candidates: models x repeats x instances, from 1 to ``negatives`` + 1.

    negatives : how many were drawn; one number, or the same shape as ``rank``. exact : where all candidates were drawn,
    so that the rank is the exact one; False, or the same shape. An instance is a relevant test item.
    """

    rank: np.ndarray
    negatives: np.ndarray | np.integer
    exact: np.ndarray | np.bool_ = np.False_

    @property
    def n_scores(self) -> np.ndarray:
        """Item scores computed per model and repeat, the test item's own included."""
        return (np.broadcast_to(self.negatives, self.rank.shape) + 1).sum(axis=-1)
