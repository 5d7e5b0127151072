"""PureSVD against the full decomposition."""

import numpy as np
import pytest
from truerank.models.pure_svd import PureSVD

from tests.support import all_scores, fitted, noisy_train


@pytest.mark.parametrize("factors", [1, 5, 12])
@pytest.mark.parametrize("rating", [False, True], ids=["implicit", "explicit"])
def test_scores_are_those_of_the_truncated_full_decomposition(factors, rating):
    train, model = noisy_train(rating=rating), PureSVD(factors=factors)
    u, value, v = np.linalg.svd(train.rated.toarray().astype(float))
    expected = u[:, :factors] * value[:factors] @ v[:factors]
    np.testing.assert_allclose(all_scores(model, fitted(model, train), train), expected, atol=1e-4)


@pytest.mark.parametrize("factors", [30, 500])
def test_with_all_factors_the_matrix_comes_back(factors):
    train, model = noisy_train(rating=True), PureSVD(factors=factors)
    np.testing.assert_allclose(all_scores(model, fitted(model, train), train), train.rated.toarray(), atol=1e-4)


def test_another_start_finds_the_same():
    train, model = noisy_train(), PureSVD(factors=4)
    one, two = (all_scores(model, fitted(model, train, seed), train) for seed in (1, 2))
    np.testing.assert_allclose(one, two, atol=1e-5)
