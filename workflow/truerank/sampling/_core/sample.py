"""What a sampler gives."""

from dataclasses import dataclass

import numpy as np

from truerank.sampling._core.informed_sample import PER_REPEAT

# Arrays with a place per instance, unless they are one number, and its axis; also of what informed samplers give, and
# of what they start from.
PER_INSTANCE = dict.fromkeys(("candidates", "rank", "negatives", "exact", "rank_estimate"), -1)
PER_INSTANCE |= {"bits": -2, "n": -1, "own_rank": -1, **PER_REPEAT}


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
