"""How the vectors of a user and an item, and the user's context, become a score: three networks of one kind.

Each takes ``weights`` with ``user_vectors``, ``item_vectors`` and ``context``, and the codes of users and items.
"""

from collections.abc import Sequence

import numpy as np

from truerank.models._core.base import Learnt
from truerank.models._core.neural.layers import Array, Weights, normal
from truerank.models._core.neural.tower import folded, tower, tower_weights


def product(weights: Weights, user: Array, item: Array) -> Array:
    """Sum both vectors and the products of their numbers, each with a weight of its own; the context is not used."""
    users, items = weights["user_vectors"][user], weights["item_vectors"][item]
    levels = users @ weights["out_users"] + items @ weights["out_items"]
    return (users * items) @ weights["out"] + levels + weights["offset"]


def ncf(weights: Weights, user: Array, item: Array) -> Array:
    """Send both vectors and the context through layers, and sum the last with weights."""
    import jax.numpy as jnp

    parts = weights["user_vectors"][user], weights["context"][user], weights["item_vectors"][item]
    return tower(weights, jnp.concatenate(parts, axis=1)) @ weights["out"] + weights["offset"]


def latent_cross(weights: Weights, user: Array, item: Array) -> Array:
    """Send both vectors through layers, and multiply the last with a vector made of the context."""
    import jax.numpy as jnp

    parts = weights["user_vectors"][user], weights["item_vectors"][item]
    cross = weights["context"][user] @ weights["cross"] + weights["out"]
    return (tower(weights, jnp.concatenate(parts, axis=1)) * cross).sum(axis=1) + weights["offset"]


HEADS = {"bpr": product, "ncf": ncf, "lc_nn": latent_cross}


def head_weights(
    rng: np.random.Generator, head: str, width: int, n_context: int, layers: Sequence[int], offset: float
) -> Weights:
    """Return the weights of a head over vectors of ``width`` numbers; it starts at ``offset``."""
    start = {"offset": np.full(1, offset, np.float32)}
    if head == "bpr":
        zeros = np.zeros(width, np.float32)
        return start | {"out": np.ones(width, np.float32), "out_users": zeros, "out_items": zeros}
    end = layers[-1]
    n_in = 2 * width + (n_context if head == "ncf" else 0)
    start |= {**tower_weights(rng, n_in, layers), "out": normal(rng, end, scale=end**-0.5)}
    return start | ({"cross": normal(rng, n_context, end, scale=0.1)} if head == "lc_nn" else {})


def scored(head: str, weights: Weights) -> Learnt:
    """Return what scoring needs, as ``TowerModel`` takes it."""
    users, items, context = (weights[name] for name in ("user_vectors", "item_vectors", "context"))
    end = {"out": weights["out"], "offset": weights["offset"]}
    if head == "bpr":
        level = users @ weights["out_users"], items @ weights["out_items"]
        return {
            "users": np.column_stack([users * weights["out"], level[0], np.ones_like(level[0])]),
            "items": np.column_stack([items, np.ones_like(level[1]), level[1]]),
            "offset": weights["offset"],
        }
    if head == "ncf":
        return folded(weights, np.concatenate([users, context], axis=1), items) | end
    return folded(weights, users, items) | end | {"out": context @ weights["cross"] + weights["out"]}
