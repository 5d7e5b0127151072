"""Sorting by digits against numpy's sort by several columns."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.radix_sort import FEW, by_digits, sorted_by

WHOLE = st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)
REAL = st.floats() | st.sampled_from([-1.0, -0.0, 0.0, 4.0, math.nan])


@given(st.lists(st.tuples(WHOLE, REAL, st.booleans()), max_size=30), st.permutations([0, 1, 2]))
def test_sorting_by_digits_is_sorting(rows, columns):
    """Rows that are equal stay in their order, and NaN comes last."""
    types = np.int64, float, bool
    given = [np.array([row[place] for row in rows], types[place]) for place in columns]
    assert by_digits(*given).tolist() == np.lexsort(given).tolist()


@pytest.mark.parametrize("n", [FEW, FEW + 1])
def test_few_and_many_rows_are_sorted_alike(n):
    rng = np.random.default_rng(n)
    given = rng.integers(50, size=n), rng.integers(20, size=n).astype(float)
    np.testing.assert_array_equal(sorted_by(*given), np.lexsort(given))
