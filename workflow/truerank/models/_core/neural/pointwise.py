"""Fit a head, and the vectors under it unless they are given, pair by pair: to ratings, or to what users have."""

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
import optax

from truerank.models._core.base import Train
from truerank.models._core.neural.examples import has_ratings, rated, with_negatives
from truerank.models._core.neural.heads import HEADS, head_weights
from truerank.models._core.neural.layers import Weights
from truerank.models._core.neural.training import in_batches, minimise
from truerank.models._core.progress import Callback


def fit_head(
    head: str,
    train: Train,
    vectors: Weights,
    rng: np.random.Generator,
    callback: Callback | None,
    *,
    learn_vectors: bool,
    layers: Sequence[int],
    negatives: int,
    epochs: int,
    batch: int,
    rate: float,
    l2: float = 0.0,
) -> Weights:
    """Return the weights that fit best, with the vectors and the context.

    vectors : ``user_vectors``, ``item_vectors`` and ``context``, of which the first two are learnt or left alone.
    The loss is the squared error of the rating where ratings differ, else the logistic loss of having the item
    against ``negatives`` items that the user does not have. The penalty ``l2`` is on the vectors that are learnt.
    """
    by_rating = has_ratings(train)
    width, n_context = vectors["item_vectors"].shape[1], vectors["context"].shape[1]
    offset = train.rating.mean() if by_rating else 0  # type: ignore[union-attr]  # not None
    weights = head_weights(rng, head, width, n_context, layers, offset)
    learnable = ("user_vectors", "item_vectors") if learn_vectors else ()
    given = {name: array for name, array in vectors.items() if name not in learnable}
    settings = {"head": head, "by_rating": by_rating, "l2": l2}

    def epoch() -> list[list[np.ndarray]]:
        examples = rated(train) if by_rating else with_negatives(rng, train, negatives)
        return [in_batches(rng, batch, *examples)]

    weights |= {name: vectors[name] for name in learnable}
    return vectors | minimise(loss, settings, weights, epoch, epochs, rate, rng, callback, tuple(vectors), given)


def loss(
    weights: Weights,
    key: jax.Array,
    user: jax.Array,
    item: jax.Array,
    target: jax.Array,
    real: jax.Array,
    head: str,
    by_rating: bool,
    l2: float,
) -> jax.Array:
    found = HEADS[head](weights, user, item)
    error = (found - target) ** 2 if by_rating else optax.sigmoid_binary_cross_entropy(found, target)
    vectors = weights["user_vectors"][user], weights["item_vectors"][item]
    size = sum((vector**2).sum(axis=1) for vector in vectors)
    return jnp.sum(real * (error + l2 * size)) / jnp.sum(real)
