"""MultiVAE: the loss written out for one user, and the score as the decoded mean."""

import numpy as np
import pytest
from truerank.models._core.neural.layers import dense, normal
from truerank.models.multivae import MultiVAE, loss
from truerank.provenance import generator

from tests.support import all_scores, fitted, noisy_train

SMALL = {"hidden": 6, "latent": 4, "epochs": 3, "batch": 16}


def layer(weights, name, x):
    return x @ weights[f"{name}_weights"] + weights[f"{name}_bias"]


def test_the_score_is_the_logit_at_the_mean():
    train, model = noisy_train(), MultiVAE(**SMALL)
    learnt = fitted(model, train)
    scores = all_scores(model, learnt, train)
    for user, row in enumerate(train.matrix.toarray()):
        unit = row / max(np.linalg.norm(row), 1)
        mean = layer(learnt, "mean", np.tanh(layer(learnt, "encode", unit)))
        expected = layer(learnt, "out", np.tanh(layer(learnt, "decode", mean)))
        np.testing.assert_allclose(scores[user], expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("beta", [0.0, 0.7])
def test_the_loss_is_minus_the_bound(beta):
    """With a spread of almost nothing the draw is the mean, so that every term can be written out."""
    rng, n_items = generator(1), 9
    weights = {}
    sizes = {"encode": (n_items, 6), "mean": (6, 4), "spread": (6, 4), "decode": (4, 6), "out": (6, n_items)}
    for name, (n_in, n_out) in sizes.items():
        weights |= dense(rng, name, n_in, n_out)
    weights["spread_weights"] = np.zeros((6, 4), np.float32)
    weights["spread_bias"] = np.full(4, -40, np.float32)
    weights["mean_bias"] = normal(rng, 4, scale=1)
    rows = (rng.random((3, n_items)) < 0.4).astype(np.float32)
    expected = []
    for row in rows:
        mean = layer(weights, "mean", np.tanh(layer(weights, "encode", row / max(np.linalg.norm(row), 1))))
        logits = layer(weights, "out", np.tanh(layer(weights, "decode", mean)))
        fit = row @ (logits - np.log(np.exp(logits).sum()))
        divergence = sum(np.exp(-40.0) + m * m - 1 + 40 for m in mean) / 2
        expected.append(beta * divergence - fit)
    import jax

    real = np.array([1, 1, 0], np.float32)
    found = loss(weights, jax.random.key(1), rows, np.float32(beta), real, dropout=0)
    assert float(found) == pytest.approx(np.mean(expected[:2]), rel=1e-5)


def test_the_divergence_counts_more_and_more():
    """With a heavy penalty at the end, means come near to 0, and users are told apart by less."""
    train = noisy_train()
    spread = []
    for beta in (0.0, 50.0):
        model = MultiVAE(**SMALL | {"epochs": 60, "rate": 0.01, "beta": beta})
        spread.append(all_scores(model, fitted(model, train), train).std(axis=0).mean())
    assert spread[1] < spread[0] / 3
