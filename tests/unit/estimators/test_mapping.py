"""Mapping functions: all 24 values of Li et al. 2024, Table 3; and curves that cross."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import beta as beta_function
from scipy.special import comb
from truerank.estimators._core.dominance import crossings, recall_curve
from truerank.estimators._core.mapping import MAPPINGS, beta, beta_exponent

PRINTED = {
    ("pinterest-20", 9_916): {1: (1, 5, 9, 11), 2: (11, 15, 19, 21)},
    ("yelp", 25_815): {1: (1, 13, 21, 27), 2: (27, 39, 47, 53)},
    ("ml-20m", 20_720): {1: (1, 10, 17, 22), 2: (22, 31, 38, 42)},
}


@pytest.mark.parametrize(("dataset", "values"), PRINTED.items())
@pytest.mark.parametrize("k", [1, 2])
def test_table_3(dataset, values, k):
    found = [int(mapping(np.array([k]), dataset[1], 1000)[0]) for mapping in MAPPINGS.values()]
    assert found == list(values[k])


@pytest.mark.parametrize("a", [0.5, 1.0, 2.0])
def test_beta_by_its_recurrence(a):
    n_items, n = 5000, 30
    power = ((n_items - 1) * (a * beta_function(a, n)) ** (1 / a)) ** a
    expected = []
    for k in range(1, 11):
        expected.append(round(power ** (1 / a) + 1))
        power += a * (n_items - 1) ** a * comb(n - 1, k) * beta_function(a + k, n - k)
    assert beta(np.arange(1, 11), n_items, n, a).tolist() == expected


@pytest.mark.parametrize("a", [0.3, 1.0, 2.5])
def test_the_exponent_is_the_most_likely_one(a):
    x = np.random.default_rng(1).beta(a, 1, 3000)
    rank = np.ceil(x * 1000)
    found, *_ = stats.beta.fit((rank - 0.5) / 1000, fb=1, floc=0, fscale=1)
    assert beta_exponent(rank, np.full(3000, 1000)) == pytest.approx(found, rel=1e-4)
    assert found == pytest.approx(a, rel=0.15)  # ranks are whole numbers, which hides the highest


def test_recall_curve_by_hand():
    np.testing.assert_allclose(recall_curve(np.array([1, 3, 3, 5]), 5), [0.25, 0.25, 0.75, 0.75, 1])


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([0.1, 0.5, 1], [0.1, 0.4, 1], (0, 0)),
        ([0.2, 0.4, 1], [0.1, 0.5, 1], (1, 2)),
        ([0.2, 0.3, 0.4, 1], [0.1, 0.3, 0.5, 1], (1, 3)),
        ([0.2, 0.3, 0.9], [0.1, 0.4, 0.8], (2, 2)),
        ([0.5, 1], [0.5, 1], (0, 0)),
    ],
)
def test_crossings_by_hand(one, other, expected):
    assert crossings(np.array(one), np.array(other)) == expected
