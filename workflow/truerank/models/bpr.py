"""Bayesian personalised ranking of factors."""

from dataclasses import dataclass
from typing import Literal

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
    r"""Rank the user's items above other items, by gradient steps on random pairs of items.

    .. math:: \max \sum_{(u, i, j)} \ln \sigma(\hat y_{ui} - \hat y_{uj}) - \tfrac{\lambda}{2} \lVert \Theta \rVert^2,
        \qquad \hat y_{ui} = p_u^\top q_i + b_i

    i is one of u's items, j any other item, all with equal probability; an epoch has as many steps as there are
    interactions. ``draw: interactions`` takes each (u, i) once, in random order; ``draw: users`` draws a user
    uniformly, then one of the user's items, so users with few items count as much as others. ``l2`` is lambda, ``rate``
    the step, which falls by the same factor after every epoch until it is ``last_rate`` in the last one, and stays if
    that is not given. b is 0 without ``bias``. A user or item without interactions starts at 0; such a user stays there
    and is ranked by the items' biases.

    Rendle et al. 2009, arXiv:1205.2618. The library implicit draws j in proportion to its number of users instead,
    which ranks worse among uniformly drawn candidates, as in He et al. 2017.
    """

    factors: Count = 64
    rate: Positive = 0.05
    l2: NonNegative = 0.01
    epochs: Count = 40
    last_rate: Positive = None  # type: ignore[assignment]  # null in a config
    draw: Literal["interactions", "users"] = "interactions"
    bias: bool = True

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        from truerank.models.compiled.bpr import epoch

        def begin(degree: np.ndarray) -> np.ndarray:
            noise = NOISE / np.sqrt(self.factors) * rng.normal(size=(len(degree), self.factors))
            return noise.astype(np.float32) * (degree > 0)[:, None]

        matrix, n = train.matrix, len(train.user)
        users, items = begin(train.per_user), begin(train.degree)
        bias = np.zeros(train.n_items, np.float32)
        for number, rate in enumerate(self.rates()):
            rows = self.drawn(train, rng), rng.integers(train.n_items, size=n, dtype=np.int32), train.user, train.item
            learnt = bias, users, items, np.float32(rate), np.float32(self.l2), self.bias
            loss = epoch(*rows, matrix.indptr, matrix.indices, *learnt)
            check_finite(number + 1, self.epochs, loss, bias, users, items)
            if callback is not None:
                callback(number + 1, self.epochs, loss)
        return {
            "users": np.column_stack([users, np.ones(train.n_users, np.float32)]),
            "items": np.column_stack([items, bias]),
        }

    def rates(self) -> np.ndarray:
        """Return the step of every epoch."""
        last = self.rate if self.last_rate is None else self.last_rate
        return np.geomspace(self.rate, last, self.epochs)

    def drawn(self, train: Train, rng: np.random.Generator) -> np.ndarray:
        """Return the rows of an epoch."""
        n = len(train.user)
        if self.draw == "interactions":
            return rng.permutation(n)
        start, count = train.matrix.indptr, train.per_user
        users = rng.choice(np.flatnonzero(count), n)
        return np.argsort(train.user, kind="stable")[start[users] + rng.integers(count[users])]
