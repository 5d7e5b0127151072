"""Hitting times against the recursion over a dense transition matrix, and against simulated walks."""

import numpy as np
import pytest
from truerank.models.hitting_time import HittingTime

from tests.support import all_scores, fitted, for_each, noisy_train, train_of


def transitions(train):
    """Return users and items x users and items: the walk's probabilities; a node without edges stays for ever."""
    n, size = train.n_users, train.n_users + train.n_items
    weights = np.zeros((size, size))
    weights[:n, n:] = train.rated.toarray()
    weights[n:, :n] = weights[:n, n:].T
    total = weights.sum(axis=1)
    weights[total == 0, total == 0] = 1
    weights[np.diag_indices(size)] = total == 0
    return weights / weights.sum(axis=1, keepdims=True)


def slow_scores(train, steps):
    p = transitions(train)
    scores = np.empty((train.n_users, train.n_items))
    for user in range(train.n_users):
        time = np.zeros(len(p))
        for _ in range(steps):
            time = 1 + p @ time
            time[user] = 0
        scores[user] = steps - time[train.n_users :]
    return scores


@for_each("rating", [False, True])
@for_each("steps", [1, 2, 3, 4, 15])
def test_scores_are_what_the_recursion_leaves(steps, rating):
    train, model = noisy_train(rating=rating), HittingTime(steps=steps)
    found = all_scores(model, fitted(model, train), train)
    np.testing.assert_allclose(found, slow_scores(train, steps), rtol=1e-4, atol=1e-6)


def test_walks_that_are_simulated_take_as_long():
    """5,000 walks from an item: the mean of a number below 15 is within 0.5 but once in a million."""
    train, steps, n = noisy_train(12, 10), 15, 5000
    p = transitions(train).cumsum(axis=1)
    rng = np.random.default_rng(0)
    user = int(train.per_user.argmax())
    item = int(np.argmax(train.degree * (train.matrix[user].toarray()[0] == 0)))
    place, time = np.full(n, train.n_users + item), np.full(n, float(steps))
    for step in range(1, steps + 1):
        place = (rng.random(n)[:, None] > p[place]).sum(axis=1)
        time = np.where((place == user) & (time == steps), step, time)
    model = HittingTime(steps=steps)
    left = all_scores(model, fitted(model, train), train)[user, item]
    assert left == pytest.approx(steps - time.mean(), abs=0.5)
    assert left > 0.5


def test_an_item_that_is_not_connected_scores_zero():
    train = train_of([(0, 0), (1, 0), (1, 1), (2, 2)], 3, 4)
    scores = all_scores(HittingTime(), fitted(HittingTime(), train), train)
    assert (scores[0, 2:] == 0).all()
    assert scores[0, 0] > scores[0, 1] > 0
