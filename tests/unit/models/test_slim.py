"""SLIM against scikit-learn's elastic net, item by item."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import ElasticNet
from truerank.models import slim
from truerank.models._core.base import stored_weights
from truerank.models.slim import Slim

from tests.support import all_scores, fitted, noisy_train, train_of


def weights_of(learnt, n_items):
    weights = stored_weights(learnt, n_items)
    return weights.toarray() if sparse.issparse(weights) else weights


def slow_weights(train, l1, l2, ratings=False):
    """Scikit-learn divides the error by twice the number of rows, so the penalties are divided by that number."""
    x = (train.rated if ratings else train.matrix).toarray().astype(float)
    weights = np.zeros((train.n_items, train.n_items))
    alpha = (l1 + l2) / len(x)
    net = ElasticNet(
        alpha=alpha, l1_ratio=l1 / (l1 + l2), positive=True, fit_intercept=False, tol=1e-10, max_iter=10**5
    )
    for j in range(train.n_items):
        others = np.delete(np.arange(train.n_items), j)
        weights[others, j] = net.fit(x[:, others], x[:, j]).coef_
    return weights


@pytest.mark.parametrize(("l1", "l2"), [(0.1, 1.0), (1.0, 0.1), (3.0, 10.0)])
def test_weights_are_those_of_scikit_learn(l1, l2):
    train = noisy_train(120, 50)
    learnt = fitted(Slim(l1=l1, l2=l2, tolerance=1e-9), train)
    expected = slow_weights(train, l1, l2)
    assert 0.05 < (expected > 0).mean() < 0.9
    np.testing.assert_allclose(weights_of(learnt, train.n_items), expected, atol=1e-5)


def test_weights_and_scores_of_ratings_are_those_of_scikit_learn():
    train, model = noisy_train(120, 50, rating=True), Slim(l1=5.0, l2=20.0, tolerance=1e-9, ratings=True)
    learnt = fitted(model, train)
    expected = slow_weights(train, 5.0, 20.0, ratings=True)
    assert 0.05 < (expected > 0).mean() < 0.9
    np.testing.assert_allclose(weights_of(learnt, train.n_items), expected, atol=1e-5)
    np.testing.assert_allclose(all_scores(model, learnt, train), train.rated.toarray() @ expected, atol=1e-3)


@pytest.mark.slow
def test_items_that_join_late_are_found(monkeypatch):
    """One newcomer at a time gives the same solution as many: the compiled code has its own copy, hence the source."""
    from truerank.models.compiled import slim as kernels

    train = noisy_train(120, 50)
    gram = (train.matrix.T @ train.matrix).toarray()
    many, one = np.empty((50, 50)), np.empty((50, 50))
    kernels.regress_block(gram, 0, 50, 0.5, 1.0, 1e-9, 200, many)
    monkeypatch.setattr(kernels, "NEWCOMERS", 1)
    monkeypatch.setattr(kernels, "descend", kernels.descend.py_func)
    for j in range(50):
        kernels.regress.py_func(gram, j, 0.5, 1.0, 1e-9, 200, one[j])
    np.testing.assert_allclose(many, one, atol=1e-7)


def test_no_weight_is_negative_and_no_item_recommends_itself():
    weights = weights_of(fitted(Slim(l1=0.1, l2=1.0), noisy_train()), 30)
    assert (weights >= 0).all()
    assert (weights > 0).any()
    assert (np.diag(weights) == 0).all()


def test_a_penalty_above_every_shared_count_leaves_nothing():
    assert not weights_of(fitted(Slim(l1=41.0), noisy_train()), 30).any()


def test_twins_share_the_weight():
    """Items 0 and 1 have the same users as item 2 but for one: a ridge penalty splits the weight evenly."""
    users = range(10)
    train = train_of([(user, item) for user in users for item in (0, 1)] + [(user, 2) for user in range(9)], 10, 3)
    weights = weights_of(fitted(Slim(l1=1.0, l2=2.0, tolerance=1e-9), train), 3)
    expected = (9 - 1) / (10 + 10 + 2)  # both weights solve 22 w = 9 - l1
    np.testing.assert_allclose(weights[:2, 2], expected, atol=1e-6)


def test_blocks_and_threads_change_no_byte(monkeypatch):
    train = noisy_train(100, 60)
    whole = fitted(Slim(l1=0.5, l2=1.0), train)
    monkeypatch.setattr(slim, "ITEMS_PER_BLOCK", 7)
    monkeypatch.setattr(Slim, "threads", 3)
    cut = fitted(Slim(l1=0.5, l2=1.0), train)
    assert list(whole) == list(cut)
    for name in whole:
        assert whole[name].tobytes() == cut[name].tobytes()


def test_it_says_how_much_memory_the_item_pairs_take():
    assert Slim().bytes_needed(noisy_train(40, 3000)) >= 3000**2 * 12
