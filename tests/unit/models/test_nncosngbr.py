"""Unnormalised cosine neighbourhoods around biases, against loops."""

import numpy as np
from truerank.models.nncosngbr import NNCosNgbrItem, NNCosNgbrUser

from tests.neighbourhoods import columns_of, cosine, near, rows_of
from tests.support import all_scores, fitted, for_each, noisy_train, train_of


def slow_bias(train, item_damping=25.0, user_damping=10.0):
    """Return a function from user and item to b."""
    rows, columns = rows_of(train), columns_of(train)
    ratings = [rating for row in rows for rating in row.values()]
    if len(set(ratings)) < 2:
        return lambda u, i: 0.0
    mean = sum(ratings) / len(ratings)
    item = [sum(r - mean for r in c.values()) / (item_damping + len(c)) for c in columns]
    user = [sum(r - mean - item[i] for i, r in row.items()) / (user_damping + len(row)) for row in rows]
    return lambda u, i: mean + user[u] + item[i]


def slow_user(train, k, shrink):
    rows, b = rows_of(train), slow_bias(train)
    scores = np.array([[b(u, i) for i in range(train.n_items)] for u in range(train.n_users)])
    for u, members in enumerate(near(rows, k, lambda a, c: cosine(a, c, shrink))):
        for v, weight in members.items():
            for i, rating in rows[v].items():
                scores[u, i] += weight * (rating - b(v, i))
    return scores


def slow_item(train, k, shrink):
    columns, b = columns_of(train), slow_bias(train)
    scores = np.array([[b(u, i) for i in range(train.n_items)] for u in range(train.n_users)])
    for i, members in enumerate(near(columns, k, lambda a, c: cosine(a, c, shrink))):
        for j, weight in members.items():
            for u, rating in columns[j].items():
                scores[u, i] += weight * (rating - b(u, j))
    return scores


@for_each("rating", [False, True])
@for_each(("k", "shrink"), [(3, 100.0), (100, 100.0), (5, 0.0)])
@for_each(("make", "slow"), [(NNCosNgbrUser, slow_user), (NNCosNgbrItem, slow_item)])
def test_scores_are_those_of_loops(make, slow, k, shrink, rating):
    train, model = noisy_train(rating=rating), make(neighbours=k, shrink=shrink)
    found = all_scores(model, fitted(model, train), train)
    np.testing.assert_allclose(found, slow(train, k, shrink), rtol=1e-4, atol=1e-5)


def test_a_neighbour_who_rated_below_the_bias_counts_against_an_item():
    """Users 0 and 1 agree on items 0 and 1; user 1 rated item 2 low and item 3 high, as two others did reversed."""
    pairs = [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 2), (3, 3)]
    train = train_of(pairs, 4, 4, np.array([5, 1, 5, 1, 1, 5, 5, 1, 5, 1], np.float32))
    model = NNCosNgbrUser(neighbours=1, shrink=0.0)
    scores = all_scores(model, fitted(model, train), train)
    assert scores[0, 3] > scores[0, 2]
