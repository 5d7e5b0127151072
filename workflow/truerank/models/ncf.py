"""Neural collaborative filtering with the user's context, fitted pair by pair."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from truerank.models._core.base import Learnt, Train
from truerank.models._core.neural.context import Context, context_of
from truerank.models._core.neural.heads import scored
from truerank.models._core.neural.layers import Widths, normal
from truerank.models._core.neural.tower import TowerModel
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count, NonNegative, Positive

FACTS = {
    "uses": ("interactions", "ratings", "users"),
    "predicts_ratings": True,
    "time": "epochs x interactions x layer^2, without ratings x (1 + negatives), then users x items x layer^2",
    "memory": "(users + items) x (factors + layer) + interactions x (1 + negatives)",
}


@dataclass(kw_only=True)
class PointwiseNetwork(TowerModel):
    """A network over learnt vectors of users and items; a subclass names the head that it is."""

    head: ClassVar[str]

    context: Context = True
    factors: Count = 16
    layers: Widths = (32, 16, 8)  # type: ignore[assignment]  # a list in a config
    negatives: Count = 4
    epochs: Count = 6
    batch: Count = 1024
    rate: Positive = 0.001
    l2: NonNegative = 0.0

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        context = context_of(train, self.context)
        from truerank.models._core.neural.pointwise import fit_head

        vectors = {
            "user_vectors": normal(rng, train.n_users, self.factors, scale=0.1),
            "item_vectors": normal(rng, train.n_items, self.factors, scale=0.1),
            "context": context,
        }
        names = ("layers", "negatives", "epochs", "batch", "rate", "l2")
        settings = {name: getattr(self, name) for name in names}
        return scored(self.head, fit_head(self.head, train, vectors, rng, callback, learn_vectors=True, **settings))


@MODELS.register("ncf", **FACTS)
class NCF(PointwiseNetwork):
    r"""Predict the rating by layers over the vectors of user and item and the user's context.

    .. math:: \hat r_{ui} = h^\top \phi_L(\cdots \phi_1([p_u \,;\, x_u \,;\, q_i])) + b

    Least squares with the penalty ``l2`` on the vectors p and q of ``factors`` numbers; φ are rectified ``layers``, x
    is what is known of the user (``models/_core/neural/context.py``), nothing with ``context: false``; with
    ``context: auto`` it is used if the dataset has attributes of users. Without ratings that differ: logistic
    regression, 1 for each interaction and 0 for ``negatives`` items that the user does not have.

    Ratings do not show which items users choose to rate. Fitted to ratings, this model predicts them well but orders
    the whole catalogue badly: with MovieLens 100K, ``holdout``, its RMSE is 0.94 and its precision@10 0.05, that of
    popularity 0.13.

    Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, section IV-D, after He et al. 2017,
    doi:10.1145/3038912.3052569, whose layers these are. The ``batch`` of 64, ten ``epochs`` and ``rate`` of 0.005 that
    Aftab & Ramampiaro print in section IV-E are of their embedding learner, ``triplet``. Here they overfit: an RMSE of
    0.952 on the same data, 0.944 with their 150 ``factors``, hence not the defaults.
    """

    head = "ncf"
