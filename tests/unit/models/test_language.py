"""Smoothed language models against their definitions."""

import math

import numpy as np
import pytest
from truerank.errors import UserError
from truerank.models._core.language import background, log_odds, smoothed

from tests.neighbourhoods import everybody, language_model, rows_of
from tests.support import for_each, noisy_train

SMOOTHINGS = [("jelinek_mercer", 0.3), ("dirichlet", 20.0), ("dirichlet", 0.5), ("absolute", 0.7)]


@for_each("rating", [False, True])
@for_each(("smoothing", "amount"), SMOOTHINGS)
def test_models_are_those_of_the_definition_and_add_up_to_one(rating, smoothing, amount):
    train = noisy_train(rating=rating)
    counts = train.rated.astype(float)
    seen, spare = smoothed(counts, smoothing, amount)
    common = background(counts)
    found = seen.toarray() + np.outer(spare, common)
    rows = rows_of(train)
    expected = [language_model(row, everybody(rows, train.n_items), smoothing, amount) for row in rows]
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    np.testing.assert_allclose(found.sum(axis=1), 1)


def test_nothing_is_impossible():
    train = noisy_train(rating=True)
    common = background(train.rated)
    rated = train.rated.sum(axis=0).A1
    assert common.sum() == pytest.approx(1)
    assert common[-1] == pytest.approx(common[rated > 0].min() / 2)
    assert common[rated.argmax()] / common[-1] == pytest.approx(2 * rated.max() / rated[rated > 0].min())


@pytest.mark.parametrize(("smoothing", "amount"), SMOOTHINGS)
def test_log_odds_are_the_likelihood_of_a_history_over_that_of_everybody(smoothing, amount):
    train = noisy_train(rating=True)
    counts, rows = train.rated.astype(float), rows_of(train)
    common = everybody(rows, train.n_items)
    gain, log_spare = log_odds(*smoothed(counts, smoothing, amount), background(counts))
    found = (counts @ gain.T).toarray() + np.outer(counts.sum(axis=1).A1, log_spare)
    for u in (0, 7, 38, 39):
        for v in (1, 12, 39):
            model = language_model(rows[v], common, smoothing, amount)
            expected = sum(r * math.log(model[j] / common[j]) for j, r in rows[u].items())
            assert found[u, v] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("smoothing", ["jelinek_mercer", "absolute"])
def test_an_amount_that_leaves_nothing_is_a_users_error(smoothing):
    with pytest.raises(UserError, match=f"smoothing {smoothing} needs an amount below 1, and it is 1.0"):
        smoothed(noisy_train().rated, smoothing, 1.0)
