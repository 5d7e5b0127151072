"""Probabilistic latent semantic analysis."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from truerank.models._core.base import FactorModel, Learnt, Train
from truerank.models._core.neighbours import weights_of
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count


@MODELS.register(
    "plsa",
    uses=("interactions",),
    uses_with={"ratings": ("ratings", [True])},
    predicts_ratings=False,
    time="iterations x interactions x topics",
    memory="(users + items) x topics",
)
@dataclass(kw_only=True)
class PLSA(FactorModel):
    r"""Mix topics, each a distribution over items, by the user's own shares: the score is P(i|u).

    .. math:: \max \sum_{(u,i)} w_{ui} \log P(i|u), \qquad P(i|u) = \sum_z P(i|z) P(z|u)

    w is 1 or, with ``ratings``, the rating. By expectation maximisation from random shares. Stopping after few
    ``iterations`` prevents it from memorising the training data. A user without interactions has equal shares; an item
    without interactions scores 0. The loss is minus the log-likelihood per interaction, or per star.

    Hofmann 2004, doi:10.1145/963770.963774.
    """

    topics: Count = 50
    iterations: Count = 30
    ratings: bool = False

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        matrix = weights_of(train).astype(np.float32) if self.ratings else train.matrix
        users, items = maximise(matrix, self.topics, self.iterations, rng, callback)
        return {"users": users, "items": items}


def maximise(
    matrix: sparse.csr_matrix,
    topics: int,
    iterations: int,
    rng: np.random.Generator,
    callback: Callback | None = None,
    user_prior: float = 0.0,
    item_prior: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return P(z|u), users x topics, and P(i|z), items x topics, by expectation maximisation from random shares.

    matrix : users x items in CSR form, how often each counts. The priors are added to what every user has of a topic,
    and every topic of an item, before shares are taken.
    """
    from truerank.models.compiled.plsa import expect

    total = matrix.sum(dtype=np.float64)
    n_users, n_items = matrix.shape
    users = shares(rng.random((n_users, topics), np.float32) + np.float32(1), axis=1)
    items = shares(rng.random((n_items, topics), np.float32) + np.float32(1), axis=0)
    new_users, new_items = np.empty_like(users), np.empty_like(items)
    for step in range(iterations):
        likely = expect(matrix.indptr, matrix.indices, matrix.data, users, items, new_users, new_items)
        users = shares(new_users + np.float32(user_prior), axis=1)
        items = shares(new_items + np.float32(item_prior), axis=0)
        if callback is not None:
            callback(step + 1, iterations, -likely / max(total, 1))
    return users, items


def shares(weights: np.ndarray, axis: int) -> np.ndarray:
    """Scale non-negative weights to sum to 1 along an axis, equal ones where all are 0."""
    total = weights.sum(axis=axis, keepdims=True, dtype=np.float64)
    return np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / weights.shape[axis]).astype(np.float32)
