"""The recommender that knows only what everybody likes."""

import numpy as np

from truerank.models._core.base import Learnt, Recommender, Train
from truerank.models._core.progress import Callback
from truerank.registry import MODELS


@MODELS.register("popularity", uses=("interactions",), predicts_ratings=False, time="interactions", memory="items")
class Popularity(Recommender):
    """Score an item by the number of users who have it in training."""

    needs_only_own_history = True

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        return {"degree": train.degree.astype(np.float32)}

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        return np.tile(learnt["degree"], (len(users), 1))

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        return learnt["degree"][items]
