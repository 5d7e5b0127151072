"""Pseudo-relevance feedback against its four formulas in plain Python."""

import math

import numpy as np
import pytest
from truerank.models.rocchio import Chi2, Kld, RocchioWeights, Rsv

from tests.neighbourhoods import cosine, everybody, near, rows_of
from tests.support import all_scores, fitted, for_each, noisy_train, train_of

FORMULAS = {
    RocchioWeights: lambda mean, own, all_: mean,
    Rsv: lambda mean, own, all_: mean * own,
    Chi2: lambda mean, own, all_: (own - all_) ** 2 / all_,
    Kld: lambda mean, own, all_: own * math.log(own / all_),
}


def slow_scores(train, formula, k, per_user=False):
    """Return {(user, item): score} of the items that neighbours have."""
    rows = rows_of(train)
    common = everybody(rows, train.n_items, floor=False)
    scores = {}
    for user, members in enumerate(near(rows, k, cosine)):
        mass = {}
        for v in members:
            for item, rating in rows[v].items():
                mass[item] = mass.get(item, 0.0) + rating
        for item, m in mass.items():
            own, all_ = m / sum(mass.values()), common[item]
            if per_user:
                own, all_ = own / len(members), all_ / train.n_users
            scores[user, item] = formula(m / len(members), own, all_)
    return scores


@pytest.mark.slow
@for_each("rating", [False, True])
@for_each("k", [1, 3, 100])
@for_each(("make", "settings"), [(make, {}) for make in FORMULAS] + [(m, {"estimates": "shares"}) for m in (Chi2, Kld)])
def test_items_of_the_neighbours_score_as_the_formula_says(make, settings, k, rating):
    train, model = noisy_train(rating=rating), make(neighbours=k, **settings)
    scores = all_scores(model, fitted(model, train), train)
    expected = slow_scores(train, FORMULAS[make], k, per_user=make in (Chi2, Kld) and not settings)
    for (user, item), score in expected.items():
        assert scores[user, item] == pytest.approx(score, rel=1e-5, abs=1e-9)
    others = [(u, i) for u in range(40) for i in range(30) if (u, i) not in expected]
    assert others
    assert all(scores[pair] < -1 for pair in others)


@for_each("make", FORMULAS)
def test_the_rest_comes_last_by_popularity(make):
    """User 39 has no item, so no neighbour."""
    train, model = noisy_train(), make(neighbours=2)
    scores = all_scores(model, fitted(model, train), train)
    assert (np.argsort(-scores[39], kind="stable") == np.argsort(-train.degree, kind="stable")).all()
    assert scores[scores >= -1].min() > -1 / math.e - 1e-6


def test_rsv_orders_as_rocchio_weights():
    train = noisy_train(rating=True)
    one, two = (all_scores(m, fitted(m, train), train) for m in (RocchioWeights(neighbours=5), Rsv(neighbours=5)))
    for a, b in zip(one, two, strict=True):
        assert (np.argsort(-a, kind="stable") == np.argsort(-b, kind="stable")).all()


def test_by_hand():
    """User 0's one neighbour with an item to give is user 1, who rated items 0 and 1 with 4 and 2."""
    train = train_of([(0, 0), (1, 0), (1, 1), (2, 2)], 3, 3, np.array([5, 4, 2, 5], np.float32))
    expected = {RocchioWeights: 2, Rsv: 2 * 2 / 6, Chi2: (1 / 3 - 1 / 24) ** 2 * 24, Kld: math.log(8) / 3}
    for make, score in expected.items():
        model = make(neighbours=1)
        assert all_scores(model, fitted(model, train), train)[0, 1] == pytest.approx(score, rel=1e-6)
    for make, score in {Chi2: (1 / 3 - 1 / 8) ** 2 * 8, Kld: math.log(8 / 3) / 3}.items():
        model = make(neighbours=1, estimates="shares")
        assert all_scores(model, fitted(model, train), train)[0, 1] == pytest.approx(score, rel=1e-6)
