"""Errors against scikit-learn, user by user."""

import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import mean_absolute_error, root_mean_squared_error
from truerank.metrics.error import mae, nmae, nrmse, rmse

from tests.support import judged_of_rated, rated, rated_users

PEERS = {mae: mean_absolute_error, rmse: root_mean_squared_error}


@pytest.mark.parametrize("metric", PEERS)
@given(users=rated_users())
def test_scikit_learn_per_user(metric, users):
    expected = [PEERS[metric](ratings, predicted) for ratings, predicted in users]
    np.testing.assert_allclose(metric(judged_of_rated(users)), expected, rtol=0, atol=1e-9)


@given(rated_users())
def test_the_normalised_forms_divide_by_the_scale(users):
    judged = judged_of_rated(users)
    np.testing.assert_allclose(nmae(judged), mae(judged) / 4)
    np.testing.assert_allclose(nrmse(judged), rmse(judged) / 4)


def test_without_a_stated_scale_it_is_that_of_the_ratings():
    judged = rated([2, 4], [3, 3])
    assert nmae(judged).tolist() == nrmse(judged).tolist() == [0.5]
    assert np.isnan(nmae(rated([3, 3], [2, 3]))).all()
