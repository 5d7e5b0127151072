"""Statistics of user samples, against the figures that Li et al. 2024 print and against scipy."""

import numpy as np
import pytest
from scipy import stats
from truerank.estimators._core.user_sampling import (
    critical_value,
    difference_interval,
    hoeffding_half,
    normal_interval,
    one_sided_p,
    t_test,
    users_by_hoeffding,
    users_for_one,
    users_for_pairs,
    z_test,
)

from tests.support import for_each


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


def test_one_sided_p_is_the_share_of_the_lower_tail():
    """Eq. 50: small where the first recall is the lower one, and with the other order the complement."""
    z, p = z_test(40, 60, 100)
    assert one_sided_p(z) == pytest.approx(stats.norm.cdf(-20 / np.sqrt(50)))
    assert p == pytest.approx(2 * one_sided_p(z))
    assert one_sided_p(z) + one_sided_p(z_test(60, 40, 100)[0]) == pytest.approx(1)


def test_z_test_of_unequal_samples():
    z, _ = z_test(60, 10, 100, 50)
    assert z**2 == pytest.approx(stats.chi2_contingency([[60, 40], [10, 40]], correction=False).statistic)


def test_t_test_is_welchs():
    rng = np.random.default_rng(2)
    one, other = rng.random(100), 2 * rng.random(60) - 0.4
    np.testing.assert_allclose(t_test(one, other), stats.ttest_ind(one, other, equal_var=False))


def test_t_test_of_samples_without_spread():
    assert t_test(np.ones(5), np.ones(4)) == (0, 1)
    assert t_test(np.full(3, 0.1), np.full(5, 0.1)) == (0, 1), "the means differ by rounding"
    assert t_test(np.ones(5), np.zeros(4)) == (np.inf, pytest.approx(2 / 126)), "of 126 ways to share nine users"
    assert t_test(np.full(3, 0.3), np.full(3, 0.4)) == (-np.inf, pytest.approx(2 / 20))


def test_the_interval_of_a_difference_by_hand():
    one, other = np.array([1.0, 0, 0, 1]), np.array([0.0, 0, 1])
    one, other = 3 * one, 3 * other
    difference, low, high = difference_interval(one, other, 0.9, comparisons=2)
    assert difference == pytest.approx(1 / 2)
    ends = stats.ttest_ind(one, other, equal_var=False).confidence_interval(0.95)
    np.testing.assert_allclose([low, high], ends)


@pytest.mark.parametrize("n_hits", [0, 1, 7, 10])
def test_the_interval_of_hits_is_that_of_clopper_and_pearson(n_hits):
    """Against hits of so many users that their share is known."""
    hits, known = (np.arange(10) < n_hits).astype(float), np.zeros(10**7)
    _, low, high = difference_interval(hits, known, 0.9)
    exact = stats.binomtest(n_hits, 10).proportion_ci(0.9, method="exact")
    np.testing.assert_allclose([low, high], [exact.low, exact.high], atol=1e-6)


@for_each("shares", [(0.02, 0.02), (0.02, 0.2), (0.98, 0.5), (0.999, 0.001), (0.1, 0.8), (0.5, 0.5)])
@for_each("n_users", [2, 5, 40])
def test_intervals_of_hits_cover_where_samples_often_have_no_spread(shares, n_users):
    """The exact chance, summed over all outcomes; of normal intervals it is 0.35 for two users and 0.02, 0.2."""
    counts = np.arange(n_users + 1)
    hits = [(np.arange(n_users) < k).astype(float) for k in counts]
    chance = np.outer(*(stats.binom.pmf(counts, n_users, share) for share in shares))
    ends = np.array([[difference_interval(one, other)[1:] for other in hits] for one in hits])
    within = (ends[..., 0] - 1e-12 <= shares[0] - shares[1]) & (shares[0] - shares[1] <= ends[..., 1] + 1e-12)
    assert chance[within].sum() > 0.93


def test_p_values_of_hits_are_none_that_an_exact_test_cannot_have():
    for n in (2, 3, 4):
        _, p = z_test(0, n, n)
        assert p >= stats.fisher_exact([[0, n], [n, 0]]).pvalue - 1e-12


def test_of_a_population_the_interval_covers_as_it_says():
    """8,000 samples of 60 of 100 users; without the correction 99.8 % would hold. False alarm below 1e-6."""
    rng = np.random.default_rng(3)
    population = rng.random(100)
    values = np.stack([rng.choice(population, 60, replace=False) for _ in range(8000)])
    mean, half = normal_interval(values, 0.95, population=100)
    covered = np.abs(mean - population.mean()) <= half
    assert stats.binomtest(int(covered.sum()), 8000, 0.948).pvalue > 1e-6
    assert normal_interval(population, population=100)[1] == 0


def test_users_of_a_population_give_the_margin():
    n = users_for_one(0.02, population=3000)
    half = critical_value(0.95) * np.sqrt(0.25 / n * (1 - n / 3000))
    assert half == pytest.approx(0.02, rel=1e-3)
    assert users_for_pairs(0.02, population=3000) < 3000
    assert users_by_hoeffding(0.01, population=3000) == 3000
