"""Rating factorisation against a slow descent, and on ratings whose parts are known."""

from dataclasses import replace

import numpy as np
import pytest
from truerank.models.compiled.sgd import epoch
from truerank.models.factorisation import MF, SVD, descend

from tests.support import all_scores, fitted, noisy_train, train_of


def slow_epoch(order, train, target, drawn, mean, bu, bi, p, q, rate, l2, biased):
    has = train.matrix.toarray() > 0
    errors = []
    for row in order:
        u = train.user[row]
        pairs = [(train.item[row], target[row])] + [(j, 0) for j in drawn[row] if not has[u, j]]
        for i, wanted in pairs:
            error = wanted - (mean + bu[u] + bi[i] + p[u] @ q[i])
            errors.append(error**2)
            if biased:
                bu[u] += rate * (error - l2 * bu[u])
                bi[i] += rate * (error - l2 * bi[i])
            p[u], q[i] = p[u] + rate * (error * q[i] - l2 * p[u]), q[i] + rate * (error * p[u] - l2 * q[i])
    return np.mean(errors)


@pytest.mark.parametrize("biased", [True, False])
@pytest.mark.parametrize("negatives", [0, 3])
def test_an_epoch_is_that_of_the_slow_descent(biased, negatives):
    rng, train = np.random.default_rng(1), noisy_train(rating=True)
    n = len(train.user)
    order, drawn = rng.permutation(n), rng.integers(train.n_items, size=(n, negatives), dtype=np.int32)
    start = [rng.normal(size=shape) for shape in ((40,), (30,), (40, 4), (30, 4))]
    fast, slow = [array.astype(np.float32) for array in start], [array.copy() for array in start]
    rate, l2, mean = np.float32(0.02), np.float32(0.1), np.float32(3)
    rows = order, train.user, train.item, train.rating, drawn, train.matrix.indptr, train.matrix.indices
    loss = epoch(*rows, mean, *fast, rate, l2, biased)
    expected = slow_epoch(order, train, train.rating, drawn, 3, *slow, 0.02, 0.1, biased)
    assert loss == pytest.approx(expected, rel=1e-4)
    for one, two in zip(fast, slow, strict=True):
        np.testing.assert_allclose(one, two, atol=1e-4)


def rated_by_parts(seed=0, n_users=60, n_items=40):
    """Return ratings made of a mean, biases and one direction, two thirds for training, and all as a table."""
    rng = np.random.default_rng(seed)
    table = 3 + 0.5 * rng.normal(size=(n_users, 1)) + 0.5 * rng.normal(size=n_items)
    table = table + rng.normal(size=(n_users, 1)) * rng.normal(size=n_items)
    seen = rng.random(table.shape) < 2 / 3
    return train_of(np.argwhere(seen).tolist(), n_users, n_items, table[seen].astype(np.float32)), table, seen


@pytest.mark.parametrize("kind", [SVD, MF])
def test_unseen_ratings_are_predicted(kind):
    train, table, seen = rated_by_parts()
    model = kind(factors=4, rate=0.02, l2=0.01, epochs=300)
    predicted = all_scores(model, fitted(model, train), train)
    error = np.sqrt(np.mean((predicted - table)[~seen] ** 2))
    assert error < 0.25 * table[~seen].std()


@pytest.mark.parametrize("rating", [False, True], ids=["implicit", "explicit"])
@pytest.mark.parametrize("kind", [SVD, MF])
def test_the_loss_falls_and_is_told(kind, rating):
    told = []
    kind(factors=4, epochs=30, rate=0.02).fit(
        noisy_train(rating=rating), np.random.default_rng(1), lambda *step: told.append(step)
    )
    assert [step[:2] for step in told] == [(step, 30) for step in range(1, 31)]
    assert told[-1][2] < 0.95 * told[0][2]


@pytest.mark.parametrize("kind", [SVD, MF])
def test_who_or_what_has_no_rating_is_predicted_without_noise(kind):
    """The last user has no rows: the mean rating, moved by the items' parts alone; nobody has the last item."""
    train, model = noisy_train(rating=True), kind(factors=3, epochs=2)
    one, two = (all_scores(model, fitted(model, train, seed), train) for seed in (1, 2))
    assert one[-1, -1] == pytest.approx(train.rating.mean(), rel=1e-5)
    assert two[-1, -1] == pytest.approx(train.rating.mean(), rel=1e-5)


@pytest.mark.parametrize("kind", [SVD, MF])
def test_ratings_below_zero_are_predicted_as_well(kind):
    """The mean has its sign from the start, so that ratings of the other sign are predicted about as well."""
    train, table, seen = rated_by_parts()
    model = kind(factors=4, rate=0.02, l2=0.01, epochs=100)
    for sign in (1, -1):
        other = replace(train, rating=sign * train.rating)
        start = kind(factors=4, rate=1e-9, epochs=1)
        assert all_scores(start, fitted(start, other), other).mean() == pytest.approx(
            sign * table[seen].mean(), abs=0.1
        )
        predicted = all_scores(model, fitted(model, other), other)
        assert np.sqrt(np.mean((predicted - sign * table)[~seen] ** 2)) < 0.35 * table[~seen].std()


def test_ratings_that_do_not_differ_are_learnt_as_choices():
    implicit, constant = noisy_train(), noisy_train(rating=True)
    constant.rating[:] = 4
    one, two = (fitted(SVD(epochs=2), train) for train in (implicit, constant))
    np.testing.assert_array_equal(one["users"], two["users"])


def test_without_negatives_to_draw_from_nothing_breaks():
    """Everybody has everything: every draw is passed over."""
    train = train_of([(user, item) for user in range(4) for item in range(5)], 4, 5)
    settings = {"factors": 2, "rate": 0.1, "l2": 0.0, "epochs": 2000, "negatives": 4, "biased": True}
    mean, user_bias, item_bias, users, items = descend(train, np.random.default_rng(0), None, **settings)
    assert mean + user_bias[:, None] + item_bias + users @ items.T == pytest.approx(1, abs=1e-3)
