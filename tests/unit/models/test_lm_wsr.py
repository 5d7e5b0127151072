"""Weighted sums over language-model neighbourhoods against loops."""

import math

import numpy as np
from truerank.models.lm_wsr import LmWsrItem, LmWsrUser

from tests.neighbourhoods import columns_of, everybody, language_model, near, rows_of
from tests.support import all_scores, fitted, for_each, noisy_train

SMOOTHINGS = [("jelinek_mercer", 0.4), ("dirichlet", 10.0), ("absolute", 0.6)]


def slow_near(rows, n_features, k, smoothing, amount):
    """Return {other: weight} per row, weights the log-likelihood of the row under the other, over that under p(.|C)."""
    common = everybody(rows, n_features)

    def likeness(query, document):
        if not query.keys() & document.keys():
            return 0.0
        model = language_model(document, common, smoothing, amount)
        return sum(x * math.log(model[f] / common[f]) for f, x in query.items())

    return near(rows, k, likeness)


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
