"""Tau-b against scipy, and where it is undefined."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from truerank.meta.kendall import correlation, pair_orders, tau_b

orders = st.lists(st.integers(0, 4), min_size=2, max_size=9)


@given(st.data(), orders)
def test_is_scipys(data, one):
    other = data.draw(st.lists(st.integers(0, 4), min_size=len(one), max_size=len(one)))
    found = tau_b(pair_orders(np.array(one, float)), pair_orders(np.array(other, float)))
    np.testing.assert_allclose(found, stats.kendalltau(one, other).statistic, atol=1e-12)


def test_rounding_does_not_part_equal_means():
    assert pair_orders(np.array([0.1 + 0.2, 0.3])).tolist() == [0]


def test_one_system_all_equal_or_one_without_a_value():
    for values in ([0.5], [0.5, 0.5], [0.5, np.nan]):
        order = pair_orders(np.array(values))
        assert np.isnan(tau_b(order, order))


def test_correlation_of_metrics():
    found = correlation(np.array([[1.0, 2, 3], [3, 2, 1], [1, 3, 2], [1, 1, 1]]))
    expected = [[1, -1, 1 / 3, np.nan], [-1, 1, -1 / 3, np.nan], [1 / 3, -1 / 3, 1, np.nan], [np.nan] * 4]
    np.testing.assert_allclose(found, expected)
