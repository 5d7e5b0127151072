"""UIR-Item against its formula in plain Python."""

import math

import numpy as np
import pytest
from truerank.models.uir_item import UirItem

from tests.neighbourhoods import columns_of, rows_of
from tests.support import all_scores, fitted, noisy_train


def slow_scores(train, smoothing):
    rows, columns = rows_of(train), columns_of(train)
    n = len(train.item)
    scores = np.empty((train.n_users, train.n_items))
    for u, row in enumerate(rows):
        for i, users in enumerate(columns):
            score = math.log(max(len(users), 0.5) / n)
            held = sum(len(rows[v]) for v in users)
            for j in row:
                both = len(users.keys() & columns[j].keys())
                if both:
                    ratio = (both / held) / (len(columns[j]) / n)
                    score += math.log(1 + (1 - smoothing) / smoothing * ratio)
            scores[u, i] = score
    return scores


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("smoothing", [0.1, 0.5, 0.999])
def test_scores_are_those_of_the_formula(smoothing, seed):
    train, model = noisy_train(seed=seed), UirItem(smoothing=smoothing)
    found = all_scores(model, fitted(model, train), train)
    np.testing.assert_allclose(found, slow_scores(train, smoothing), rtol=1e-4, atol=1e-4)


def test_an_item_that_nobody_has_comes_last():
    train, model = noisy_train(), UirItem()
    scores = all_scores(model, fitted(model, train), train)
    last = train.degree == 0
    assert (scores[:, last].max(axis=1) < scores[:, ~last].min(axis=1)).all()


def test_pairs_of_items_are_counted_before_they_are_made():
    train = noisy_train()
    assert UirItem().bytes_needed(train) >= 12 * (train.matrix.T @ train.matrix).nnz
