"""The recommender that knows nothing."""

import numpy as np

from truerank.models._core.base import Learnt, Recommender, Train
from truerank.models._core.progress import Callback
from truerank.ranking.order import hashes, order_key
from truerank.registry import MODELS


@MODELS.register("random", uses=(), predicts_ratings=False, time="1", memory="1")
class Random(Recommender):
    """Score every item of every user by a seeded hash: a lower reference for all comparisons."""

    needs_only_own_history = True

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        return {"key": np.array(order_key(rng))}

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        return self.scores_of(learnt, train, users, np.arange(train.n_items))

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        drawn = hashes(np.uint64(learnt["key"]), users[:, None], items)
        return (drawn >> np.uint64(40)).astype(np.float32)
