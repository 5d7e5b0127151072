"""Training data and the two forms of item weights."""

import numpy as np
import pytest
from scipy import sparse
from truerank.models._core.base import FactorModel, ItemWeightModel, Recommender, item_weights

from tests.support import noisy_train, train_of


def test_the_matrix_has_a_row_and_a_column_for_everybody():
    train = train_of([(0, 2), (2, 0)], 4, 5)
    assert train.matrix.toarray().tolist() == [[0, 0, 1, 0, 0], [0] * 5, [1, 0, 0, 0, 0], [0] * 5]
    assert train.matrix.dtype == np.float32
    assert train.degree.tolist() == [1, 0, 1, 0, 0]


@pytest.mark.parametrize("density", [0, 0.1, 0.4, 0.6, 1])
def test_weights_score_alike_in_either_form(density):
    rng = np.random.default_rng(1)
    train = noisy_train()
    weights = rng.normal(size=(30, 30)) * (rng.random((30, 30)) < density)
    expected = train.matrix.toarray().astype(float) @ weights
    stored = item_weights(sparse.csr_matrix(weights))
    assert ("weights" in stored) == (density > 0.5), "the smaller form"
    for learnt in (stored, item_weights(weights), item_weights(sparse.csc_matrix(weights))):
        assert all(array.dtype in (np.float32, np.int32) for array in learnt.values())
        scores = ItemWeightModel().scores(learnt, train, np.arange(40))
        np.testing.assert_allclose(scores, expected, atol=1e-4)


def test_a_factor_model_multiplies():
    learnt = {"users": np.array([[1, 2], [3, 4]], np.float32), "items": np.array([[1, 0], [0, 1], [1, 1]], np.float32)}
    assert FactorModel().scores(learnt, None, np.array([1])).tolist() == [[3, 4, 7]]


def test_a_recommender_must_say_how():
    with pytest.raises(NotImplementedError):
        Recommender().fit(None, None)
    with pytest.raises(NotImplementedError):
        Recommender().scores({}, None, None)
