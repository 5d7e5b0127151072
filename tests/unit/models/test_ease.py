"""EASE against a dense inverse, and against the regression that it solves."""

import tracemalloc

import numpy as np
import pytest
from truerank.errors import UserError
from truerank.models._core.base import ROWS_PER_BLOCK
from truerank.models.ease import Ease

from tests.support import all_scores, fitted, noisy_train, train_of


def slow_weights(train, l2):
    x = train.matrix.toarray().astype(float)
    inverse = np.linalg.inv(x.T @ x + l2 * np.eye(train.n_items))
    weights = np.zeros((train.n_items, train.n_items))
    for i in range(train.n_items):
        for j in range(train.n_items):
            if i != j:
                weights[i, j] = -inverse[i, j] / inverse[j, j]
    return weights


@pytest.mark.parametrize("l2", [0.5, 10.0, 200.0])
def test_weights_and_scores_are_those_of_the_dense_inverse(l2):
    train, model = noisy_train(), Ease(l2=l2)
    learnt = fitted(model, train)
    expected = slow_weights(train, l2)
    np.testing.assert_allclose(learnt["weights"], expected, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(
        all_scores(model, learnt, train), train.matrix.toarray() @ expected, rtol=1e-4, atol=1e-5
    )


def test_each_column_is_the_ridge_regression_of_an_item_on_the_others():
    train = noisy_train()
    x = train.matrix.toarray().astype(float)
    learnt = fitted(Ease(l2=5.0), train)["weights"]
    for j in (0, 7, 29):
        others = [i for i in range(30) if i != j]
        a = x[:, others]
        ridge = np.linalg.solve(a.T @ a + 5.0 * np.eye(29), a.T @ x[:, j])
        np.testing.assert_allclose(learnt[others, j], ridge, rtol=1e-4, atol=1e-6)


def test_no_item_recommends_itself():
    assert (np.diag(fitted(Ease(), noisy_train())["weights"]) == 0).all()


def test_a_penalty_too_small_to_invert_is_a_users_error_not_a_number():
    """More items than users: without a penalty that survives rounding the matrix has no inverse."""
    rng = np.random.default_rng(0)
    train = train_of(np.argwhere(rng.random((5, 8)) < 0.5).tolist(), 5, 8)
    with pytest.raises(UserError, match="l2 of ease is 1e-20, too small"):
        fitted(Ease(l2=1e-20), train)


@pytest.mark.slow
def test_it_needs_the_memory_that_it_says():
    train, model = noisy_train(40, 4000), Ease()
    tracemalloc.start()
    model.fit(train, None)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    blocks = 4 * 8 * ROWS_PER_BLOCK * train.n_items  # of rows that are put together
    assert model.bytes_needed(train) <= peak <= model.bytes_needed(train) + blocks
