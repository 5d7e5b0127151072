"""Aftab & Ramampiaro's convolutional embedder of users and items, and the triplets that it learns from.

A user is a short sequence of vectors, the user's own and one made of the context; an item is a sequence of one. Both go
through the same network: convolutions of filter sizes 1, 2, 2 along the sequence, the mean over it, two dense layers,
and an output of length 1. A filter of size 2 sees a vector and its successor, nothing after the last.
"""

from collections.abc import Callable, Sequence

import numpy as np

from truerank.models._core.base import Train
from truerank.models._core.neural.examples import has_ratings, unseen
from truerank.models._core.neural.layers import Array, Weights, dense, normal, relu, through

FILTERS = (1, 2, 2)
UNRATED = 10_000  # triplets of an epoch without ratings, where all that users have would make one
DROPPED = ("embedding", "dense0", "dense1", "out")  # where dropout is applied


def triplets(
    rng: np.random.Generator, train: Train, liked: float, disliked: float, limit: int | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return user, liked item and disliked item: one triplet for every interaction that can be the liked one.

    Liked is a rating of at least ``liked``, disliked one of at most ``disliked``, drawn from the user's own. If nobody
    has both, as without ratings, all that users have is liked and the other is an item that they do not have.
    At most ``limit`` triplets, drawn at random; if it is None, all by ratings, and ``UNRATED`` otherwise.
    """
    if has_ratings(train):
        assert train.rating is not None
        bad = np.flatnonzero(train.rating <= disliked)
        bad = bad[np.argsort(train.user[bad], kind="stable")]
        count = np.bincount(train.user[bad], minlength=train.n_users)
        good = np.flatnonzero((train.rating >= liked) & (count[train.user] > 0))
        if len(good):
            good = rng.permutation(good)[:limit]
            user = train.user[good]
            first = np.cumsum(count) - count
            drawn = bad[first[user] + rng.integers(count[user])]
            return user, train.item[good], train.item[drawn]
    good = np.flatnonzero(train.per_user[train.user] < train.n_items)
    good = rng.permutation(good)[: limit or UNRATED]
    return train.user[good], train.item[good], unseen(rng, train, train.user[good])


def embedder_weights(
    rng: np.random.Generator, train: Train, n_context: int, widths: Sequence[int], hidden: int
) -> Weights:
    """Return the weights to start from. widths : of the vectors that go in, and of the three convolutions."""
    weights = {
        "user_table": normal(rng, train.n_users, widths[0], scale=0.1),
        "item_table": normal(rng, train.n_items, widths[0], scale=0.1),
        "context_weights": normal(rng, n_context, widths[0], scale=0.1),
    }
    for place, size in enumerate(FILTERS):
        made = dense(rng, f"filter{place}", size * widths[place], widths[place + 1])
        weights |= made
    return (
        weights
        | dense(rng, "dense0", widths[-1], hidden)
        | dense(rng, "dense1", hidden, hidden)
        | dense(rng, "out", hidden, widths[-1])
    )


def sequence_of_users(weights: Weights, context: Array, user: Array) -> list[Array]:
    """Return the vectors of each user, in order; without a context only the first."""
    own = [weights["user_table"][user]]
    return [*own, context @ weights["context_weights"]] if context.shape[1] else own


def embed(weights: Weights, sequence: list[Array], drop: Callable[[str, Array], Array] = lambda name, x: x) -> Array:
    """Return vectors of length 1. sequence : a list of arrays, each entities x width; drop : what dropout there is."""
    sequence = [drop("embedding", x) for x in sequence]
    for place, size in enumerate(FILTERS):
        sequence = convolved(weights[f"filter{place}_weights"], weights[f"filter{place}_bias"], sequence, size)
    x = sum(sequence) / len(sequence)
    for name in ("dense0", "dense1"):
        x = drop(name, relu(through(weights, name, x)))
    x = drop("out", through(weights, "out", x))
    return x / ((x * x).sum(axis=1, keepdims=True) + 1e-12) ** 0.5


def convolved(kernel: Array, bias: Array, sequence: list[Array], size: int) -> list[Array]:
    """Return the rectified convolution: at each place, ``size`` vectors from there on, as far as there are any."""
    width = kernel.shape[0] // size
    taps = [kernel[tap * width : (tap + 1) * width] for tap in range(size)]
    return [
        relu(sum(x @ tap for x, tap in zip(sequence[start:], taps, strict=False)) + bias)
        for start in range(len(sequence))
    ]
