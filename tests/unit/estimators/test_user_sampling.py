"""Statistics of user samples, against the figures that Li et al. 2024 print and against scipy."""

import numpy as np
import pytest
from scipy import stats
from truerank.estimators.user_sampling import (
    bonferroni,
    critical_value,
    hoeffding_half,
    normal_interval,
    t_test,
    users_by_hoeffding,
    users_for_one,
    users_for_pairs,
    z_test,
)


def test_sample_sizes_of_eq_47():
    assert users_for_one(0.03) == 1068  # printed as about 1067
    assert users_for_one(0.01) == 9604


def test_a_difference_needs_twice_the_users():
    assert users_for_pairs(0.01, models=2) == pytest.approx(2 * 9604, abs=2)
    assert users_for_pairs(0.01, models=5) > users_for_pairs(0.01, models=2)
    assert users_for_one(0.01, models=5) == int(np.ceil(0.25 * (stats.norm.isf(0.005) / 0.01) ** 2))


def test_hoeffding_as_printed():
    """With 10,000 users an error of 0.02 has a confidence above 99.9 %."""
    assert hoeffding_half(10_000, 0.999) < 0.02
    assert users_by_hoeffding(0.02, 0.999) <= 10_000
    n = users_by_hoeffding(0.01, 0.95)
    assert hoeffding_half(n, 0.95) <= 0.01 < hoeffding_half(n - 1, 0.95)


def test_normal_interval_covers_as_it_says():
    """20,000 intervals; false alarm below 1e-6."""
    values = np.random.default_rng(1).random((20_000, 50))
    mean, half = normal_interval(values, 0.9)
    covered = np.abs(mean - 0.5) <= half
    assert stats.binomtest(int(covered.sum()), 20_000, 0.895).pvalue > 1e-6
    assert critical_value(0.95) == pytest.approx(1.959964)


def test_z_test_by_hand():
    z, p = z_test(60, 40, 100)
    assert z == pytest.approx(0.2 / np.sqrt(2 * 0.25 / 100))
    assert p == pytest.approx(2 * stats.norm.sf(z))
    z, p = z_test(np.array([0, 5]), np.array([0, 5]), 5)
    np.testing.assert_array_equal(z, 0)
    np.testing.assert_array_equal(p, 1)


def test_t_test_and_bonferroni():
    rng = np.random.default_rng(2)
    assert t_test(rng.random(100), rng.random(100) + 1).pvalue < 1e-6
    np.testing.assert_allclose(bonferroni([0.01, 0.4, 0.2]), [0.03, 1, 0.6])
