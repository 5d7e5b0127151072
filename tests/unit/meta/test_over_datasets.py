"""Friedman and Nemenyi: the figures that Demšar 2006 printed, scipy and plain integration as oracles."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import friedmanchisquare, norm, rankdata
from truerank.meta.over_datasets import critical_difference, friedman, ranks_within

# Demšar 2006, JMLR 7, Table 6: AUC of four variants of C4.5 on 14 datasets, and the ranks printed beside them.
TABLE = [
    ([0.763, 0.768, 0.771, 0.798], [4, 3, 2, 1]),
    ([0.599, 0.591, 0.590, 0.569], [1, 2, 3, 4]),
    ([0.954, 0.971, 0.968, 0.967], [4, 1, 2, 3]),
    ([0.628, 0.661, 0.654, 0.657], [4, 1, 3, 2]),
    ([0.882, 0.888, 0.886, 0.898], [4, 2, 3, 1]),
    ([0.936, 0.931, 0.916, 0.931], [1, 2.5, 4, 2.5]),
    ([0.661, 0.668, 0.609, 0.685], [3, 2, 4, 1]),
    ([0.583, 0.583, 0.563, 0.625], [2.5, 2.5, 4, 1]),
    ([0.775, 0.838, 0.866, 0.875], [4, 3, 2, 1]),
    ([1.000, 1.000, 1.000, 1.000], [2.5, 2.5, 2.5, 2.5]),
    ([0.940, 0.962, 0.965, 0.962], [4, 2.5, 1, 2.5]),
    ([0.619, 0.666, 0.614, 0.669], [3, 2, 4, 1]),
    ([0.972, 0.981, 0.975, 0.975], [4, 1, 2, 3]),  # of more digits than are printed
    ([0.957, 0.978, 0.946, 0.970], [3, 1, 4, 2]),
]
VOTING = 12


def test_the_example_of_demsar():
    values, printed = (np.array(each, float) for each in zip(*TABLE, strict=True))
    same = np.arange(len(TABLE)) != VOTING
    np.testing.assert_array_equal(ranks_within(values)[same], printed[same])
    np.testing.assert_array_equal(ranks_within(values)[VOTING], [4, 1, 2.5, 2.5])
    np.testing.assert_allclose(printed.mean(axis=0), [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    plain = 12 * 14 / 20 * ((printed.mean(axis=0) ** 2).sum() - 4 * 25 / 4)
    assert plain == pytest.approx(9.28, abs=0.01)
    ties = 1 - 3 * (2**3 - 2) / (14 * (4**3 - 4)) - (4**3 - 4) / (14 * (4**3 - 4))  # three pairs, and four alike
    assert friedman(printed)[0] == pytest.approx(plain / ties)
    assert critical_difference(14, 4) == pytest.approx(1.25, abs=0.01)


@pytest.mark.parametrize(
    ("systems", "printed"),
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949), (8, 3.031), (9, 3.102), (10, 3.164)],
)
def test_critical_values_of_demsar(systems, printed):
    """Table 5; the range of ``systems`` normal values is below root 2 times q with probability .95."""
    q = critical_difference(1, systems) / np.sqrt(systems * (systems + 1) / 6)
    assert q == pytest.approx(printed, abs=0.001)

    def density(largest):
        return systems * norm.pdf(largest) * (norm.cdf(largest) - norm.cdf(largest - q * np.sqrt(2))) ** (systems - 1)

    assert quad(density, -8, 8)[0] == pytest.approx(0.95, abs=1e-6)


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
