"""Tau-b against scipy, and where it is undefined."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from truerank.meta import correlation, tau_b
from truerank.meta.kendall import pair_orders

orders = st.lists(st.integers(0, 4), min_size=2, max_size=9)


@given(st.data(), orders)
def test_is_scipys(data, one):
    other = data.draw(st.lists(st.integers(0, 4), min_size=len(one), max_size=len(one)))
    found = tau_b(one, other)
    np.testing.assert_allclose(found, stats.kendalltau(one, other).statistic, atol=1e-12)


def test_rounding_does_not_part_equal_means():
    assert pair_orders(np.array([0.1 + 0.2, 0.3])).tolist() == [0]


def test_one_system_all_equal_or_one_without_a_value():
    for values in ([0.5], [0.5, 0.5], [0.5, np.nan]):
        assert np.isnan(tau_b(values, values))


def test_values_are_what_is_ordered():
    assert tau_b([0.1, 0.2, 0.3], [0.3, 0.2, 0.1]) == -1
    np.testing.assert_array_equal(tau_b([1, 2, 3], [[1, 2, 4], [4, 2, 1]]), [1, -1])


def test_values_of_other_systems_are_refused():
    with pytest.raises(ValueError, match=r"the shapes are \(3,\) and \(2,\), expected values of the same systems"):
        tau_b([1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="values has 1 axes, expected two, metrics x systems"):
        correlation([1, 2, 3])


def test_correlation_of_metrics():
    found = correlation([[1.0, 2, 3], [3, 2, 1], [1, 3, 2], [1, 1, 1]])
    expected = [[1, -1, 1 / 3, np.nan], [-1, 1, -1 / 3, np.nan], [1 / 3, -1 / 3, 1, np.nan], [np.nan] * 4]
    np.testing.assert_allclose(found, expected)
