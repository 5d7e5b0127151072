"""Errors against scikit-learn, user by user."""

import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import mean_absolute_error, root_mean_squared_error
from truerank.metrics.error import mae, mae_micro, nmae, nmae_micro, nrmse, nrmse_micro, rmse, rmse_micro

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


@pytest.mark.parametrize(("metric", "normalised", "peer"), [
    (mae_micro, nmae_micro, mean_absolute_error),
    (rmse_micro, nrmse_micro, root_mean_squared_error),
])  # fmt: skip
@given(users=rated_users())
def test_scikit_learn_over_all_ratings(metric, normalised, peer, users):
    """The mean of the users' contributions is one error over all ratings."""
    judged = judged_of_rated(users)
    expected = peer(*(np.concatenate(column) for column in zip(*users, strict=True)))
    assert metric(judged).mean() == pytest.approx(expected, abs=1e-9)
    assert normalised(judged).mean() == pytest.approx(expected / 4, abs=1e-9)
