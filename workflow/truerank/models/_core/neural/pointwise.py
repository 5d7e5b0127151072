"""Fit a head, and the vectors under it unless they are given, pair by pair: to ratings, or to what users have."""

from collections.abc import Callable, Sequence

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
    width, n_context = vectors["item_vectors"].shape[1], vectors["context"].shape[1]
    weights = head_weights(rng, head, width, n_context, layers, usual_rating(train))
    learnable = ("user_vectors", "item_vectors") if learn_vectors else ()
    given = {name: array for name, array in vectors.items() if name not in learnable}
    settings = {"head": head, "by_rating": has_ratings(train), "l2": l2}
    epoch = pairs_of_epoch(train, rng, negatives, batch)
    weights |= {name: vectors[name] for name in learnable}
    return vectors | minimise(loss, settings, weights, epoch, epochs, rate, rng, callback, tuple(vectors), given)


def usual_rating(train: Train) -> float:
    """Return the mean rating, which a head starts from; 0 where ratings are not what is learnt."""
    return train.rating.mean() if has_ratings(train) else 0  # type: ignore[union-attr]  # not None


def pairs_of_epoch(
    train: Train, rng: np.random.Generator, negatives: int, batch: int
) -> Callable[[], list[list[np.ndarray]]]:
    """Return a function that gives the batches of an epoch: rated pairs, or pairs beside negatives that it draws."""

    def epoch() -> list[list[np.ndarray]]:
        examples = rated(train) if has_ratings(train) else with_negatives(rng, train, negatives)
        return [in_batches(rng, batch, *examples)]

    return epoch


def pair_errors(found: jax.Array, target: jax.Array, by_rating: bool) -> jax.Array:
    """Return the squared error of ratings, or the logistic loss of having the item."""
    return (found - target) ** 2 if by_rating else optax.sigmoid_binary_cross_entropy(found, target)


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
    error = pair_errors(found, target, by_rating)
    vectors = weights["user_vectors"][user], weights["item_vectors"][item]
    size = sum((vector**2).sum(axis=1) for vector in vectors)
    return jnp.sum(real * (error + l2 * size)) / jnp.sum(real)
