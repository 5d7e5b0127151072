"""Figures of the summary against definitions written out."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from truerank.datasets._core.interactions import NO_TIME, Interactions
from truerank.datasets._core.summary import gini, histogram, summarise
from truerank.value_counts import ValueCounts

COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=30)


@given(COUNTS)
def test_gini_is_half_the_relative_mean_difference(counts):
    n, total = len(counts), sum(counts)
    pairs = sum(abs(a - b) for a in counts for b in counts)
    assert np.isclose(gini(counts), pairs / (2 * n * total) if total else 0, atol=1e-12)


def test_gini_of_equal_and_of_extreme_counts():
    assert gini([7, 7, 7]) == 0
    assert np.isclose(gini([0, 0, 0, 9]), 3 / 4)


def test_histogram_counts_values_and_bins_when_there_are_too_many():
    assert histogram(ValueCounts.of(np.array([4.5, 1, 4.5], np.float32))) == {"1": 1, "4.5": 2}
    binned = histogram(ValueCounts.of(np.linspace(0, 1, 1000, dtype=np.float32)))
    assert len(binned) == 50
    assert sum(binned.values()) == 1000
    assert next(iter(binned)) == "0..0.02"


def test_summary_of_a_table_that_needs_no_computer():
    rows = Interactions(
        user=np.array([0, 0, 1]),
        item=np.array([0, 1, 0]),
        rating=np.array([5, np.nan, 3], np.float32),
        timestamp=np.array([10, NO_TIME, 30]),
        users={"id": ["a", "b"]},
        items={"id": ["x", "y"]},
    )
    assert summarise(rows, rows.scale) == {
        "users": 2,
        "items": 2,
        "interactions": 3,
        "density": 0.75,
        "gini": gini([2, 1]),
        "implicit": False,
        "ratings": 2,
        "rating_scale": [3, 5],
        "rating_histogram": {"3": 1, "5": 1},
        "timestamps": 2,
        "timestamp_range": [10, 30],
        "users_with_one_interaction": 1,
    }
