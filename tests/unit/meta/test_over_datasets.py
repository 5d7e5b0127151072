"""Friedman and Nemenyi: the figures that Demšar 2006 printed, and scipy as oracle."""

import numpy as np
import pytest
from scipy.stats import friedmanchisquare, rankdata
from truerank.meta.over_datasets import critical_difference, friedman, ranks_within

# Demšar 2006, Table 6: AUC of four variants of C4.5 on 14 datasets.
AUC = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975],  # printed as .975 twice, with ranks 2 and 3
    [0.957, 0.978, 0.946, 0.970],
]


def test_the_example_of_demsar():
    ranks = ranks_within(np.array(AUC))
    np.testing.assert_allclose(ranks.mean(axis=0), [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    plain = 12 * 14 / 20 * ((ranks.mean(axis=0) ** 2).sum() - 4 * 25 / 4)
    assert plain == pytest.approx(9.28, abs=0.01)
    assert critical_difference(14, 4) == pytest.approx(1.25, abs=0.01)


@pytest.mark.parametrize(
    ("systems", "printed"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (8, 3.031), (10, 3.164)]
)
def test_critical_values_of_demsar(systems, printed):
    q = critical_difference(1, systems) / np.sqrt(systems * (systems + 1) / 6)
    assert q == pytest.approx(printed, abs=0.0015)


def test_friedman_is_that_of_scipy_with_ties_too():
    rng = np.random.default_rng(1)
    for _ in range(20):
        values = rng.integers(0, 5, (rng.integers(2, 9), rng.integers(3, 7))).astype(float)
        ranks = ranks_within(values)
        np.testing.assert_allclose(ranks, [rankdata(-row) for row in values])
        if np.ptp(values, axis=1).any():
            expected = friedmanchisquare(*values.T)
            np.testing.assert_allclose(friedman(ranks), (expected.statistic, expected.pvalue))


def test_systems_that_are_all_equal_do_not_differ():
    assert friedman(ranks_within(np.ones((3, 4)))) == (0.0, 1.0)
