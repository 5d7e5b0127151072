"""Made-up data has the size that was asked for, the same bytes each time, and something to learn."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.datasets._core.interactions import NO_TIME, Context
from truerank.datasets.synthetic import choose, cumulative, synthetic
from truerank.errors import UserError
from truerank.provenance import generator


def make(seed=1, **settings):
    return synthetic(Context("made", generator(seed, "fetch_dataset", "made")), **settings)


@given(st.integers(1, 12), st.integers(1, 12), st.data())
def test_exactly_the_size_asked_for_and_everyone_occurs(users, items, data):
    n = data.draw(st.integers(max(users, items), users * items))
    rows = make(users=users, items=items, interactions=n, exponent=data.draw(st.sampled_from([0, 1, 3])))
    assert len(rows) == n == len(set(rows.pair.tolist()))
    assert np.array_equal(np.unique(rows.user), np.arange(users))
    assert np.array_equal(np.unique(rows.item), np.arange(items))
    assert set(rows.rating.tolist()) <= {1, 2, 3, 4, 5}
    assert (rows.timestamp > 0).all()
    canonical = rows.canonical()
    assert np.array_equal(rows.user, canonical.user)
    assert np.array_equal(rows.item, canonical.item)


@pytest.mark.parametrize("n", [9, 121])
def test_impossible_sizes_are_refused(n):
    with pytest.raises(UserError, match=f"datasets.made.interactions is {n}, .* 12 users and 10 items"):
        make(users=12, items=10, interactions=n)


def test_seed_decides_everything():
    size = {"users": 50, "items": 40, "interactions": 600}
    assert make(1, **size).checksum() == make(1, **size).checksum()
    assert make(1, **size).checksum() != make(2, **size).checksum()


def test_ratings_and_times_can_be_left_out():
    rows = make(users=5, items=5, interactions=9, ratings=False, timestamps=False)
    assert np.isnan(rows.rating).all()
    assert (rows.timestamp == NO_TIME).all()


@pytest.mark.slow
def test_popularity_falls_off_as_the_exponent_says():
    for exponent in (0.5, 1.0):
        rows = make(users=20_000, items=1_000, interactions=400_000, factors=50, exponent=exponent)
        popularity = np.sort(np.bincount(rows.item))[::-1]
        place = np.arange(20, 500)
        slope = np.polyfit(np.log(place), np.log(popularity[place]), 1)[0]
        assert abs(-slope - exponent) < 0.2


def test_taste_can_be_learnt():
    """Beside activity, four tastes give three contrasts between users, which the same items dealt anew have not."""
    rows = make(users=300, items=300, interactions=6_000, factors=4, exponent=0)
    real, dealt_anew = (strengths(rows.user, item) for item in (rows.item, generator(5).permutation(rows.item)))
    assert real[3] > 1.1 * dealt_anew[1] > real[4]


def strengths(user, item):
    chosen = np.zeros((300, 300))
    chosen[user, item] = 1
    return np.linalg.svd(chosen - chosen.mean(0), compute_uv=False)


def test_choice_follows_the_weights_of_its_row():
    weights = np.array([[1.0, 0, 3], [0, 2, 2]])
    row = np.repeat([0, 1], 50_000)
    column = choose(generator(3), cumulative(weights), row)
    for number, expected in enumerate([[0.25, 0, 0.75], [0, 0.5, 0.5]]):
        shares = np.bincount(column[row == number], minlength=3) / 50_000
        np.testing.assert_allclose(shares, expected, atol=0.01)


def test_half_a_million_interactions_are_quick():
    start = time.perf_counter()
    assert len(make(users=20_000, items=5_000, interactions=500_000)) == 500_000
    assert time.perf_counter() - start < 10
