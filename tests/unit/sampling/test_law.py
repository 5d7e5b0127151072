"""Laws of sampled ranks against scipy's, and against counting all subsets."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from truerank.sampling._core.law import rank_law


@given(st.integers(2, 60), st.integers(1, 40), st.data())
def test_against_scipy(candidates, negatives, data):
    rank = data.draw(st.integers(1, candidates))
    above = np.arange(negatives + 1)
    np.testing.assert_allclose(
        rank_law(rank, candidates, negatives)[0],
        stats.binom.pmf(above, negatives, (rank - 1) / (candidates - 1)),
        rtol=1e-9,
        atol=1e-250,
    )
    fewer = min(negatives, candidates - 1)
    np.testing.assert_allclose(
        rank_law(rank, candidates, fewer, replace=False)[0],
        stats.hypergeom.pmf(above[: fewer + 1], candidates - 1, rank - 1, fewer),
        rtol=1e-9,
        atol=1e-14,
    )


@pytest.mark.parametrize("rank", [1, 3, 7])
def test_against_all_subsets(rank):
    others = [place for place in range(1, 8) if place != rank]
    sampled = [1 + sum(place < rank for place in drawn) for drawn in combinations(others, 3)]
    counted = np.bincount(sampled, minlength=5)[1:] / len(sampled)
    np.testing.assert_allclose(rank_law(rank, 7, 3, replace=False)[0], counted, atol=1e-12)


def test_large_sets_keep_their_sum_and_mean():
    rank = np.array([1, 2, 1000, 20_720])
    law = rank_law(rank, 20_720, 3199)
    np.testing.assert_allclose(law.sum(axis=1), 1, rtol=1e-9)
    np.testing.assert_allclose(law @ np.arange(3200), 3199 * (rank - 1) / 20_719, rtol=1e-9, atol=1e-9)
