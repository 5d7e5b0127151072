"""Correlations against scipy.stats, user by user, with ties, single items and constant users."""

import numpy as np
import pytest
from hypothesis import given
from scipy import stats
from truerank.metrics.correlation import pearson, spearman
from truerank.metrics.kendall import kendall, kendall_b, kendall_top

from tests.support import judged_of_rated, rated, rated_users

PEERS = {
    pearson: stats.pearsonr,
    spearman: stats.spearmanr,
    kendall_b: stats.kendalltau,
    kendall_top: stats.weightedtau,
}


def varies(values):
    return len(set(values)) > 1


@pytest.mark.parametrize("metric", PEERS, ids=lambda metric: metric.__name__)
@given(users=rated_users())
def test_scipy_per_user(metric, users):
    found = metric(judged_of_rated(users))
    for value, (ratings, predicted) in zip(found, users, strict=True):
        if varies(ratings) and varies(predicted):
            assert value == pytest.approx(PEERS[metric](ratings, predicted).statistic, abs=1e-9)
        else:
            assert np.isnan(value)


@given(rated_users())
def test_tau_a_counts_ties_in_the_denominator(users):
    for value, (ratings, predicted) in zip(kendall(judged_of_rated(users)), users, strict=True):
        pairs = [(i, j) for i in range(len(ratings)) for j in range(i)]
        signs = [np.sign(ratings[i] - ratings[j]) * np.sign(predicted[i] - predicted[j]) for i, j in pairs]
        assert value == pytest.approx(np.mean(signs), abs=1e-12) if pairs else np.isnan(value)


def test_a_constant_that_does_not_survive_its_own_mean_is_still_constant():
    """0.1 + 0.1 + 0.1 is not 3 x 0.1."""
    assert np.isnan(pearson(rated([1, 2, 4], [0.1, 0.1, 0.1]))).all()


def test_agreement_at_the_top_weighs_more():
    top, bottom = rated([5, 4, 2, 1], [5, 4, 1, 2]), rated([5, 4, 2, 1], [4, 5, 2, 1])
    assert kendall_b(top) == kendall_b(bottom)
    assert kendall_top(top) > kendall_top(bottom)
