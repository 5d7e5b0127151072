"""Learn vectors of users and items from triplets."""

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from truerank.models._core.base import Train
from truerank.models._core.neural.embedder import DROPPED, embed, embedder_weights, sequence_of_users, triplets
from truerank.models._core.neural.layers import Array, Weights
from truerank.models._core.neural.training import dropped, in_batches, minimise
from truerank.models._core.progress import Callback

ENTITIES_PER_BLOCK = 4096


def learn_vectors(
    train: Train,
    context: np.ndarray,
    rng: np.random.Generator,
    callback: Callback | None,
    *,
    widths: Sequence[int],
    hidden: int,
    liked: float,
    disliked: float,
    limit: int | None,
    margin: float,
    dropout: Sequence[float],
    epochs: int,
    batch: int,
    rate: float,
) -> Weights:
    """Return ``user_vectors`` and ``item_vectors`` of length 1, users near what they like."""
    weights = embedder_weights(rng, train, context.shape[1], widths, hidden)

    def epoch() -> list[list[np.ndarray]]:
        drawn = triplets(rng, train, liked, disliked, limit)
        return [in_batches(rng, batch, *(codes.astype(np.int32) for codes in drawn))]

    settings = {"margin": margin, "dropout": tuple(dropout)}
    tables, given = ("user_table", "item_table", "context"), {"context": context}
    weights = minimise(loss, settings, weights, epoch, epochs, rate, rng, callback, tables, given)
    users = [embed(weights, sequence_of_users(weights, context[cut], cut)) for cut in cuts(train.n_users)]
    items = [embed(weights, [weights["item_table"][cut]]) for cut in cuts(train.n_items)]
    return {"user_vectors": np.concatenate(users), "item_vectors": np.concatenate(items)}


def cuts(n: int) -> list[slice]:
    return [slice(start, min(start + ENTITIES_PER_BLOCK, n)) for start in range(0, n, ENTITIES_PER_BLOCK)]


def loss(
    weights: Weights,
    key: jax.Array,
    user: jax.Array,
    good: jax.Array,
    bad: jax.Array,
    real: jax.Array,
    margin: float,
    dropout: Sequence[float],
) -> jax.Array:
    """Return the mean hinge: the liked item must be nearer than the other by the margin, in squared distance."""
    for_users, for_items = jax.random.split(key)
    own = embed(weights, sequence_of_users(weights, weights["context"][user], user), drop(for_users, dropout))
    near, far = jnp.split(embed(weights, [weights["item_table"][jnp.append(good, bad)]], drop(for_items, dropout)), 2)
    gap = ((own - near) ** 2).sum(axis=1) - ((own - far) ** 2).sum(axis=1)
    return jnp.sum(real * jnp.maximum(margin + gap, 0)) / jnp.sum(real)


def drop(key: jax.Array, shares: Sequence[float]) -> Callable[[str, Array], Array]:
    """Return the function that drops its share of a layer's numbers, with draws of its own."""
    chosen = dict(zip(DROPPED, zip(jax.random.split(key, len(DROPPED)), shares, strict=True), strict=True))

    def drop_from(name: str, x: Array) -> Array:
        own, share = chosen[name]
        return dropped(own, x, share)

    return drop_from
