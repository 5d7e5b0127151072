"""Truncated singular value decomposition of the zero-filled matrix."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import linalg

from truerank.models._core.base import FactorModel, Learnt, Train
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count


@MODELS.register(
    "pure_svd",
    uses=("interactions", "ratings"),
    predicts_ratings=False,
    time="factors x interactions + (users + items) x factors^2",
    memory="(users + items) x factors",
)
@dataclass(kw_only=True)
class PureSVD(FactorModel):
    r"""Project the user's ratings, 0 where there is none, on the main singular vectors of all ratings.

    .. math:: \hat y_u = r_u Q Q^\top, \qquad R \approx U \Sigma Q^\top

    Q has the ``factors`` right singular vectors of the largest singular values of R, users x items. Implicit data have
    1 in place of a rating. With as many factors as the rank of R, an item that the user does not have scores 0.

    Cremonesi, Koren & Turrin 2010, doi:10.1145/1864708.1864721; their figures for MovieLens are with 50 and 150.
    """

    factors: Count = 50

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        rated = train.rated.astype(np.float64)
        if self.factors < min(rated.shape):
            start = rng.normal(size=min(rated.shape))
            _, value, directions = linalg.svds(rated, self.factors, v0=start, return_singular_vectors="vh")
        else:
            _, value, directions = np.linalg.svd(rated.toarray(), full_matrices=False)
        items = directions[value > np.finfo(np.float32).eps * value.max()].T
        return {"users": (rated @ items).astype(np.float32), "items": np.ascontiguousarray(items, np.float32)}
