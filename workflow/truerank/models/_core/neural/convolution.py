"""Fit a head to ratings pair by pair over the convolutional embedder, which is learnt with it."""

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np

from truerank.models._core.base import Train
from truerank.models._core.neural.embedder import embed, embedder_weights, sequence_of_users
from truerank.models._core.neural.examples import has_ratings
from truerank.models._core.neural.heads import HEADS, head_weights
from truerank.models._core.neural.layers import Weights
from truerank.models._core.neural.pairwise import cuts, drop
from truerank.models._core.neural.pointwise import pair_errors, pairs_of_epoch, usual_rating
from truerank.models._core.neural.training import minimise
from truerank.models._core.progress import Callback


def fit_embedder(
    head: str,
    train: Train,
    context: np.ndarray,
    rng: np.random.Generator,
    callback: Callback | None,
    *,
    widths: Sequence[int],
    hidden: int,
    dropout: Sequence[float],
    layers: Sequence[int],
    negatives: int,
    epochs: int,
    batch: int,
    rate: float,
) -> Weights:
    """Return the weights of the head, and the vectors that the embedder ends with, as ``fit_head`` returns them.

    The loss is that of ``fit_head``; vectors have length 1, so they have no penalty.
    """
    weights = embedder_weights(rng, train, context.shape[1], widths, hidden)
    weights |= head_weights(rng, head, widths[-1], context.shape[1], layers, usual_rating(train))
    epoch = pairs_of_epoch(train, rng, negatives, batch)
    settings = {"head": head, "by_rating": has_ratings(train), "dropout": tuple(dropout)}
    tables, given = ("user_table", "item_table", "context"), {"context": context}
    learnt = minimise(loss, settings, weights, epoch, epochs, rate, rng, callback, tables, given)
    users = [embed(learnt, sequence_of_users(learnt, context[cut], cut)) for cut in cuts(train.n_users)]
    items = [embed(learnt, [learnt["item_table"][cut]]) for cut in cuts(train.n_items)]
    vectors = {"user_vectors": np.concatenate(users), "item_vectors": np.concatenate(items), "context": context}
    return learnt | vectors


def loss(
    weights: Weights,
    key: jax.Array,
    user: jax.Array,
    item: jax.Array,
    target: jax.Array,
    real: jax.Array,
    head: str,
    by_rating: bool,
    dropout: Sequence[float],
) -> jax.Array:
    """Return the mean loss of a batch: the vectors of its users and items are made anew, then go to the head."""
    for_users, for_items = jax.random.split(key)
    own = weights["context"][user]
    users = embed(weights, sequence_of_users(weights, own, user), drop(for_users, dropout))
    items = embed(weights, [weights["item_table"][item]], drop(for_items, dropout))
    every = jnp.arange(len(user))
    found = HEADS[head](weights | {"user_vectors": users, "item_vectors": items, "context": own}, every, every)
    error = pair_errors(found, target, by_rating)
    return jnp.sum(real * error) / jnp.sum(real)
