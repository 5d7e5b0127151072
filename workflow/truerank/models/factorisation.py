"""Rating factorisation by stochastic gradient descent, with biases and without.

Both learn from observed ratings alone. Where training has no ratings that differ, every prediction would be that one
rating; they then learn 1 for what a user has and 0 for ``negatives`` items per interaction, drawn again in each epoch
among those that the user lacks. What is learnt is measured in its own standard deviation, so that the same rate and
penalty suit stars, percentages and choices.
"""

from dataclasses import asdict, dataclass

import numpy as np

from truerank.models._core.base import FactorModel, Learnt, Train
from truerank.models._core.finite_check import check_finite
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count, NonNegative, Positive

NOISE = 0.1  # standard deviation of a vector's entries at the start


def descend(
    train: Train,
    rng: np.random.Generator,
    callback: Callback | None,
    *,
    factors: int,
    rate: float,
    l2: float,
    epochs: int,
    negatives: int,
    biased: bool,
) -> tuple[np.float32, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return mean, users' and items' biases and vectors after some epochs over the rows in random order.

    The start predicts the mean rating for all. Without biases the first factor holds it, its root on either side, and
    its sign with the users. A user or item without a row stays at the start, which has no noise for it. The reported
    loss is the mean squared error.
    """
    from truerank.models.compiled.sgd import epoch

    implicit = train.rating is None or train.rating.min() == train.rating.max()
    negatives = negatives if implicit else 0
    rating = np.ones(len(train.user)) if implicit else train.rating.astype(np.float64)  # type: ignore[union-attr]  # not None
    mean = rating.mean() / (1 + negatives)
    unit = np.sqrt((rating**2).mean() / (1 + negatives) - mean**2)
    target, middle = (rating / unit).astype(np.float32), np.float32(mean / unit)

    def begin(degree: np.ndarray, sign: float) -> np.ndarray:
        vectors = (NOISE * rng.normal(size=(len(degree), factors)) * (degree > 0)[:, None]).astype(np.float32)
        if not biased:
            vectors[:, 0] += sign * np.sqrt(abs(middle))
        return vectors

    vectors = begin(train.per_user, np.sign(middle)), begin(train.degree, 1)
    biases = np.zeros(train.n_users, np.float32), np.zeros(train.n_items, np.float32)
    matrix = train.matrix
    for number in range(epochs):
        order = rng.permutation(len(target))
        drawn = rng.integers(train.n_items, size=(len(target), negatives), dtype=np.int32)
        rows = order, train.user, train.item, target, drawn, matrix.indptr, matrix.indices
        prior = middle if biased else np.float32(0)
        loss = epoch(*rows, prior, *biases, *vectors, np.float32(rate), np.float32(l2), biased)
        check_finite(number + 1, epochs, loss, *biases, *vectors)
        if callback is not None:
            callback(number + 1, epochs, loss * unit**2)
    unit = np.float32(unit)
    return np.float32(mean), unit * biases[0], unit * biases[1], unit * vectors[0], vectors[1]


@dataclass(kw_only=True)
class Descent(FactorModel):
    """The settings of both."""

    factors: Count = 50
    rate: Positive = 0.02
    l2: NonNegative = 0.06
    epochs: Count = 20
    negatives: Count = 4


@MODELS.register(
    "svd",
    uses=("interactions", "ratings"),
    predicts_ratings=True,
    time="epochs x interactions x factors, without ratings x (1 + negatives)",
    memory="(users + items) x factors",
)
class SVD(Descent):
    r"""Predict a rating from the mean, the user's and the item's bias, and the product of their vectors.

    .. math:: \min \sum_{(u,i)} (r_{ui} - \hat r_{ui})^2 + \lambda (b_u^2 + b_i^2 + |p_u|^2 + |q_i|^2),
        \qquad \hat r_{ui} = \mu + b_u + b_i + p_u^\top q_i

    The sum is over the training ratings: ``l2`` is lambda, ``rate`` the step. If all ratings are equal, the target is 1
    for the user's items and 0 for ``negatives`` items per interaction that the user does not have, drawn again in each
    epoch. With ratings, it orders items by the predicted rating, not by the probability that the user chooses them, so
    its lists have fewer hits than those of popularity; Cremonesi, Koren & Turrin 2010 found the same.

    Takács et al. 2009, doi:10.1145/1577069.1577061.
    """

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        mean, user_bias, item_bias, users, items = descend(train, rng, callback, biased=True, **asdict(self))
        one = np.ones_like
        users = np.column_stack([users, mean + user_bias, one(user_bias)])
        return {"users": users, "items": np.column_stack([items, one(item_bias), item_bias])}


@MODELS.register(
    "mf",
    uses=("interactions", "ratings"),
    predicts_ratings=True,
    time="epochs x interactions x factors, without ratings x (1 + negatives)",
    memory="(users + items) x factors",
)
@dataclass(kw_only=True)
class MF(Descent):
    r"""Predict a rating by the product of the user's and the item's vector, without biases.

    .. math:: \min \sum_{(u,i)} (r_{ui} - p_u^\top q_i)^2 + \lambda (|p_u|^2 + |q_i|^2)

    The sum is over the training ratings: ``l2`` is lambda, ``rate`` the step; if all ratings are equal, it learns
    choices against ``negatives``, as ``svd`` does. The defaults of ``factors`` and ``epochs`` are those that Aftab &
    Ramampiaro use for their embeddings; they give none for this model. As with ``svd``, lists by predicted ratings have
    fewer hits than those of popularity.

    Koren, Bell & Volinsky 2009, doi:10.1109/MC.2009.263, as in Aftab & Ramampiaro 2022.
    """

    factors: Count = 150
    epochs: Count = 10

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        *_, users, items = descend(train, rng, callback, biased=False, **asdict(self))
        return {"users": users, "items": items}
