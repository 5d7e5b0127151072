"""Relevance models against products written out in plain Python."""

import math

import numpy as np
import pytest
from truerank.models.relevance_models import Rm1, Rm2

from tests.neighbourhoods import cosine, everybody, language_model, near, rows_of
from tests.support import all_scores, fitted, for_each, noisy_train

SMOOTHINGS = [("jelinek_mercer", 0.4), ("dirichlet", 10.0), ("absolute", 0.6)]


def neighbourhoods(train, k, smoothing, amount):
    """Yield, per user, the neighbours' language models and the user's items; also p(.|C)."""
    rows = rows_of(train)
    common = everybody(rows, train.n_items)
    for user, members in enumerate(near(rows, k, cosine)):
        yield [language_model(rows[v], common, smoothing, amount) for v in members], sorted(rows[user]), common


def slow_rm1(train, k, smoothing, amount):
    scores = []
    for models, history, common in neighbourhoods(train, k, smoothing, amount):
        weights = [math.prod(model[j] for j in history) for model in models]
        mixed = [sum(w * m[i] for w, m in zip(weights, models, strict=True)) for i in range(train.n_items)]
        scores.append([x / sum(weights) for x in mixed] if models else common)
    return np.array(scores)


def slow_rm2(train, k, smoothing, amount, prior):
    """Return logarithms, less those of p(j|C) over the history."""
    scores = []
    for models, history, common in neighbourhoods(train, k, smoothing, amount):
        if not models:
            scores.append([math.log(p) for p in common])
            continue
        p_v = 1 / len(models)
        row = []
        for i in range(train.n_items):
            p_i = 1.0 if prior == "uniform" else sum(p_v * m[i] for m in models)
            score = p_i * math.prod(sum(m[i] * p_v / p_i * m[j] for m in models) / common[j] for j in history)
            row.append(math.log(score))
        scores.append(row)
    return np.array(scores)


@for_each("rating", [False, True])
@for_each(("smoothing", "amount"), SMOOTHINGS)
@for_each("k", [2, 100])
def test_rm1(k, smoothing, amount, rating):
    train, model = noisy_train(rating=rating), Rm1(neighbours=k, smoothing=smoothing, amount=amount)
    found = all_scores(model, fitted(model, train), train)
    np.testing.assert_allclose(found, slow_rm1(train, k, smoothing, amount), rtol=1e-4, atol=1e-7)


@pytest.mark.slow
@for_each("prior", ["uniform", "marginal"])
@for_each("rating", [False, True])
@for_each(("smoothing", "amount"), SMOOTHINGS)
@for_each("k", [2, 100])
def test_rm2(k, smoothing, amount, rating, prior):
    train = noisy_train(rating=rating)
    model = Rm2(neighbours=k, smoothing=smoothing, amount=amount, prior=prior)
    found = all_scores(model, fitted(model, train), train)
    np.testing.assert_allclose(found, slow_rm2(train, k, smoothing, amount, prior), rtol=1e-4, atol=1e-4)


def test_long_histories_do_not_underflow():
    """A product of 1,500 probabilities of about 1/2,000 is below the smallest number there is."""
    train = noisy_train(20, 2000)
    for model in (Rm1(amount=0.1), Rm2(amount=0.1)):
        scores = all_scores(model, fitted(model, train), train)
        assert np.isfinite(scores).all()
        assert len(np.unique(scores[0])) > 10
