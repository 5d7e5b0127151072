"""Weighted sums over language-model neighbourhoods against loops."""

import math

import numpy as np
from truerank.models.lm_wsr import LmWsrItem, LmWsrUser

from tests.neighbourhoods import columns_of, cosine, everybody, language_model, near, rows_of
from tests.support import all_scores, fitted, for_each, noisy_train

SMOOTHINGS = [("jelinek_mercer", 0.4), ("dirichlet", 10.0), ("absolute", 0.6)]


def slow_near(rows, n_features, k, smoothing, amount):
    """Return {other: cosine} per row, of the k others that make the row likeliest and share something with it."""
    common = everybody(rows, n_features)

    def likelihood(query, document):
        if not query.keys() & document.keys():
            return -math.inf
        model = language_model(document, common, smoothing, amount)
        return sum(x * math.log(model[f]) for f, x in query.items())

    likeliest = near(rows, k, likelihood, floor=-math.inf)
    return [{other: cosine(rows[one], rows[other]) for other in members} for one, members in enumerate(likeliest)]


def slow_user(train, *settings):
    rows = rows_of(train)
    scores = np.zeros((train.n_users, train.n_items))
    for u, members in enumerate(slow_near(rows, train.n_items, *settings)):
        for v, weight in members.items():
            for item, rating in rows[v].items():
                scores[u, item] += weight * rating
    return scores


def slow_item(train, *settings):
    rows, columns = rows_of(train), columns_of(train)
    scores = np.zeros((train.n_users, train.n_items))
    for i, members in enumerate(slow_near(columns, train.n_users, *settings)):
        for j, weight in members.items():
            for u in columns[j]:
                scores[u, i] += weight * rows[u][j]
    return scores


@for_each("rating", [False, True])
@for_each(("smoothing", "amount"), SMOOTHINGS)
@for_each("k", [3, 100])
@for_each(("make", "slow"), [(LmWsrUser, slow_user), (LmWsrItem, slow_item)])
def test_scores_are_those_of_loops(make, slow, k, smoothing, amount, rating):
    train, model = noisy_train(rating=rating), make(neighbours=k, smoothing=smoothing, amount=amount)
    found = all_scores(model, fitted(model, train), train)
    np.testing.assert_allclose(found, slow(train, k, smoothing, amount), rtol=1e-4, atol=1e-4)


def test_nobody_is_without_neighbours_because_a_likelihood_is_low():
    """With much smoothing every other user makes a long history less likely than everybody's model does."""
    train, model = noisy_train(rating=True), LmWsrUser(neighbours=5, amount=0.99)
    rows = rows_of(train)
    common = everybody(rows, train.n_items)
    user = max(range(train.n_users), key=lambda one: len(rows[one]))
    models = [language_model(row, common, "jelinek_mercer", 0.99) for row in rows]
    own = rows[user].items()
    odds = [sum(x * math.log(other[f] / common[f]) for f, x in own) for v, other in enumerate(models) if v != user]
    scores = all_scores(model, fitted(model, train), train)
    assert sum(value <= 0 for value in odds) > len(odds) // 3
    assert (scores[user] > 0).sum() > 10
    assert all((scores[u] > 0).any() for u in range(train.n_users) if rows[u])
