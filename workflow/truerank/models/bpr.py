"""Bayesian personalised ranking of factors."""

from dataclasses import dataclass

import numpy as np

from truerank.models._core.base import FactorModel, Learnt, Train
from truerank.models._core.finite_check import check_finite
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count, NonNegative, Positive

NOISE = 0.1  # standard deviation of the length of a vector at the start


@MODELS.register(
    "bpr",
    uses=("interactions",),
    predicts_ratings=False,
    time="epochs x interactions x factors",
    memory="(users + items) x factors",
)
@dataclass(kw_only=True)
class BPR(FactorModel):
    r"""Rank what the user has above what the user lacks, by steps on random pairs of items.

    .. math:: \max \sum_{(u, i, j)} \ln \sigma(\hat y_{ui} - \hat y_{uj}) - \tfrac{\lambda}{2} \lVert \Theta \rVert^2,
        \qquad \hat y_{ui} = p_u^\top q_i + b_i

    i is one of u's items, j one of all others, each as likely: an epoch has a step for every interaction, in random
    order. ``l2`` is lambda, ``rate`` the step. A user or item without interactions starts at 0; such a user stays there
    and is ranked by the items' biases.

    Rendle et al. 2009, arXiv:1205.2618. The library implicit draws j in proportion to its users instead, which ranks
    worse among candidates that are drawn evenly, as in He et al. 2017.
    """

    factors: Count = 64
    rate: Positive = 0.05
    l2: NonNegative = 0.01
    epochs: Count = 40

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        from truerank.models.compiled.bpr import epoch

        def begin(degree: np.ndarray) -> np.ndarray:
            noise = NOISE / np.sqrt(self.factors) * rng.normal(size=(len(degree), self.factors))
            return noise.astype(np.float32) * (degree > 0)[:, None]

        matrix, n = train.matrix, len(train.user)
        users, items = begin(train.per_user), begin(train.degree)
        bias = np.zeros(train.n_items, np.float32)
        for number in range(self.epochs):
            rows = rng.permutation(n), rng.integers(train.n_items, size=n, dtype=np.int32), train.user, train.item
            learnt = bias, users, items, np.float32(self.rate), np.float32(self.l2)
            loss = epoch(*rows, matrix.indptr, matrix.indices, *learnt)
            check_finite(number + 1, self.epochs, loss, bias, users, items)
            if callback is not None:
                callback(number + 1, self.epochs, loss)
        return {
            "users": np.column_stack([users, np.ones(train.n_users, np.float32)]),
            "items": np.column_stack([items, bias]),
        }
