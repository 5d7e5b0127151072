"""The rank table as metrics see it: sums, running sums and places against loops over users."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.metrics._core.judged import JudgedRanks, ratio

from tests.support import CUTOFFS, judged_of, tables


@given(tables(), st.integers(0, 5))
def test_rows_are_by_user_and_rank_whatever_order_they_came_in(table, shuffle):
    judged = judged_of(table, shuffle)
    expected = [(user, rank, ratings[rank]) for user, (_, ratings) in sorted(table.items()) for rank in sorted(ratings)]
    found = zip(judged.users[judged.row].tolist(), judged.rank.tolist(), judged.rating.tolist(), strict=True)
    assert list(found) == expected
    assert judged.users.tolist() == sorted(table)
    assert judged.candidates.tolist() == [table[user][0] for user in sorted(table)]
    assert judged.n_relevant.tolist() == [sum(r >= 4 for r in table[user][1].values()) for user in sorted(table)]


@given(tables(), st.integers(0, 2**32))
def test_running_sums_start_again_with_every_user(table, seed):
    judged = judged_of(table)
    values = np.random.default_rng(seed).integers(0, 5, len(judged.rank))
    expected = []
    for row in range(len(values)):
        same = [other for other in range(row + 1) if judged.row[other] == judged.row[row]]
        expected.append(sum(values[same]))
    assert judged.running(values).tolist() == expected


@given(tables(), st.integers(0, 2**32))
def test_sums_within_cutoffs(table, seed):
    judged = judged_of(table)
    values = np.random.default_rng(seed).random(len(judged.rank))
    expected = [
        [sum(values[(judged.row == user) & (judged.rank <= k)]) for k in CUTOFFS] for user in range(len(judged.users))
    ]
    np.testing.assert_allclose(judged.sum_within(values, CUTOFFS), expected)
    np.testing.assert_allclose(judged.sum_by_user(values), np.array(expected)[:, -1])


@given(tables())
def test_places_by_value_are_1_to_n_within_each_user(table):
    judged = judged_of(table)
    place = judged.place_by(judged.rating)
    for user in range(len(judged.users)):
        own = judged.row == user
        assert sorted(place[own]) == list(range(1, own.sum() + 1))
        by_place = judged.rating[own][np.argsort(place[own])]
        assert (np.diff(by_place) <= 0).all()


def test_without_ratings_every_rating_is_1():
    judged = JudgedRanks(np.array([7, 7]), np.array([3, 1]), np.array([True, False]), np.array([5, 5]))
    assert judged.rating.tolist() == [1, 1]
    assert judged.relevant.tolist() == [False, True]


def test_one_cutoff_is_enough():
    judged = judged_of({1: (9, {2: 5})})
    assert judged.sum_within(judged.relevant, np.array([1])).tolist() == [[0]]
    assert judged.sum_within(judged.relevant, np.array([math.inf])).tolist() == [[1]]


def test_no_rows_are_no_users():
    none = np.array([], int)
    judged = JudgedRanks(none, none, none, none)
    assert judged.sum_within(judged.relevant, CUTOFFS).shape == (0, len(CUTOFFS))


@pytest.mark.parametrize("denominator", [np.array([2.0, 0.0]), np.array([[2.0, 2.0, 2.0], [0.0, 0.0, 0.0]])])
def test_a_ratio_over_zero_is_undefined_without_a_warning(denominator):
    with np.errstate(all="raise"):
        values = ratio(np.array([[1.0, 2.0, 4.0], [0.0, 1.0, 2.0]]), denominator)
    np.testing.assert_array_equal(values, [[0.5, 1, 2], [np.nan] * 3])


def test_sums_follow_the_cutoffs_when_these_change():
    judged = judged_of({0: (10, {1: 5, 3: 5})})
    cutoffs = np.array([1.0, 5.0])
    assert judged.sum_within(judged.relevant, cutoffs).tolist() == [[1, 2]]
    cutoffs[1] = 2
    assert judged.sum_within(judged.relevant, cutoffs).tolist() == [[1, 1]]
    assert judged.sum_within(judged.relevant, np.array([3.0])).tolist() == [[2]]
