"""Every network pair by pair in plain Python, against the compiled one that learns and the one that scores."""

import numpy as np
import pytest
from truerank.models import neumf
from truerank.models._core.neural.heads import HEADS, head_weights, scored
from truerank.models._core.neural.layers import normal
from truerank.models._core.neural.tower import score_items, tower_weights
from truerank.provenance import generator

from tests.support import for_each

N_USERS, N_ITEMS, WIDTH, N_CONTEXT = 5, 7, 6, 3


def slow_tower(weights, x, n_layers):
    for place in range(n_layers):
        kernel, bias = weights[f"layer{place}_weights"], weights[f"layer{place}_bias"]
        x = [max(sum(x[i] * kernel[i, j] for i in range(len(x))) + bias[j], 0) for j in range(len(bias))]
    return np.array(x)


def slow_score(head, weights, user, item, n_layers):
    u, i, x = weights["user_vectors"][user], weights["item_vectors"][item], weights["context"][user]
    if head == "bpr":
        return (
            sum(w * a * b for w, a, b in zip(weights["out"], u, i, strict=True))
            + u @ weights["out_users"]
            + i @ weights["out_items"]
            + weights["offset"][0]
        )
    if head == "ncf":
        return slow_tower(weights, [*u, *x, *i], n_layers) @ weights["out"] + weights["offset"][0]
    cross = weights["out"] + sum(value * row for value, row in zip(x, weights["cross"], strict=True))
    return slow_tower(weights, [*u, *i], n_layers) @ cross + weights["offset"][0]


@for_each("layers", [[4], [6, 4, 3]])
@for_each("n_context", [0, N_CONTEXT])
@for_each("head", HEADS)
def test_a_head_scores_as_it_learns(head, n_context, layers):
    rng = generator(1)
    weights = {name: normal(rng, *array.shape, scale=1) for name, array in
               head_weights(rng, head, WIDTH, n_context, layers, 3).items()}  # fmt: skip
    for name, n, width in (("user_vectors", N_USERS, WIDTH), ("item_vectors", N_ITEMS, WIDTH),
                           ("context", N_USERS, n_context)):  # fmt: skip
        weights[name] = normal(rng, n, width, scale=1)
    expected = [[slow_score(head, weights, u, i, len(layers)) for i in range(N_ITEMS)] for u in range(N_USERS)]
    learnt = scored(head, weights)
    found = [score_items(learnt, u, np.arange(N_ITEMS)) for u in range(N_USERS)]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
    user, item = np.divmod(np.arange(N_USERS * N_ITEMS), N_ITEMS)
    compiled = np.asarray(HEADS[head](weights, user, item)).reshape(N_USERS, N_ITEMS)
    np.testing.assert_allclose(compiled, expected, rtol=1e-4, atol=1e-4)


def test_a_head_starts_at_its_offset():
    assert all(head_weights(generator(1), head, 4, 2, [3], 3.5)["offset"] == [3.5] for head in HEADS)


@pytest.mark.parametrize("layers", [[4], [6, 4, 3]], ids=["one layer", "three layers"])
def test_neumf_scores_as_it_learns(layers):
    rng = generator(1)
    shapes = {"users": (N_USERS, WIDTH), "items": (N_ITEMS, WIDTH), "out": (WIDTH + layers[-1],), "offset": (1,)}
    shapes |= {"deep_users": (N_USERS, layers[0]), "deep_items": (N_ITEMS, layers[0])}
    shapes |= {name: array.shape for name, array in tower_weights(rng, 2 * layers[0], layers).items()}
    weights = {name: normal(rng, *shape, scale=1) for name, shape in shapes.items()}
    expected = np.empty((N_USERS, N_ITEMS))
    for u in range(N_USERS):
        for i in range(N_ITEMS):
            deep = slow_tower(weights, [*weights["deep_users"][u], *weights["deep_items"][i]], len(layers))
            last = [*(weights["users"][u] * weights["items"][i]), *deep]
            expected[u, i] = np.dot(last, weights["out"]) + weights["offset"][0]
    learnt = neumf.scored(weights)
    found = [score_items(learnt, u, np.arange(N_ITEMS)) for u in range(N_USERS)]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
    user, item = np.divmod(np.arange(N_USERS * N_ITEMS), N_ITEMS)
    np.testing.assert_allclose(neumf.logits(weights, user, item), expected.ravel(), rtol=1e-4, atol=1e-4)
