"""Networks that score a user and an item: layers over both vectors, a product of factors, or the two together."""

from collections.abc import Sequence

import numpy as np

from truerank.models._core.base import Learnt, Recommender, Train
from truerank.models._core.neural.layers import Array, Weights, dense, relu, through


def tower_weights(rng: np.random.Generator, n_in: int, layers: Sequence[int]) -> Weights:
    """Return the weights of layers of the given widths, the first of which takes ``n_in`` numbers."""
    weights: Weights = {}
    for place, (before, width) in enumerate(zip([n_in, *layers], layers, strict=False)):
        weights |= dense(rng, f"layer{place}", before, width)
    return weights


def tower(weights: Weights, x: Array) -> Array:
    """Return what the layers make of x, each followed by a rectifier."""
    for place in range(n_layers(weights)):
        x = relu(through(weights, f"layer{place}", x))
    return x


def n_layers(weights: Weights) -> int:
    return sum(name.startswith("layer") and name.endswith("_weights") for name in weights)


def folded(weights: Weights, users: np.ndarray, items: np.ndarray) -> Weights:
    """Return the tower with the first layer already applied to the vectors of users and of items.

    The first layer is linear in the two halves of its input, so that a pair costs a sum instead of a product.
    """
    width = users.shape[1]
    first, bias = weights["layer0_weights"], weights["layer0_bias"]
    later = {name: array for name, array in weights.items() if name.startswith("layer") and "layer0" not in name}
    return {"deep_users": users @ first[:width] + bias, "deep_items": items @ first[width:], **later}


class TowerModel(Recommender):
    """A recommender whose score is a product of factors, the end of a tower, or their sum, and an offset.

    learnt : ``users`` and ``items`` if there is a product; ``folded`` and ``out`` if there is a tower, where ``out``
    has one weight per number of the last layer, or a row of them for each user.
    """

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        every = np.arange(train.n_items)
        return np.stack([score_items(learnt, user, every) for user in users])

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        return np.stack([score_items(learnt, user, asked) for user, asked in zip(users, items, strict=True)])


def score_items(learnt: Learnt, user: int, items: np.ndarray) -> np.ndarray:
    """Return the scores of ``items`` for one user: a user at a time, its numbers stay in the processor's cache."""
    score = learnt["offset"]
    if "users" in learnt:
        score = score + learnt["items"][items] @ learnt["users"][user]
    if "deep_users" in learnt:
        deep = relu(learnt["deep_users"][user] + learnt["deep_items"][items])
        for place in range(1, n_layers(learnt) + 1):
            deep = relu(through(learnt, f"layer{place}", deep))
        out = learnt["out"]
        score = score + deep @ (out[user] if out.ndim == 2 else out)
    return score
