"""Utility place by place, and what neutral means."""

import numpy as np
import pytest
from hypothesis import given
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics.half_life import half_life

from tests.support import CUTOFFS, assert_matches, first, judged_of, tables


@pytest.mark.parametrize(("h", "neutral"), [(5.0, None), (2.0, 3.0)])
@given(table=tables())
def test_the_list_place_by_place(h, neutral, table):
    def slow(ranked, k):
        judged = [rating for rating in ranked if rating is not None]
        d = sum(judged) / len(judged) if neutral is None else neutral
        return sum(
            max(rating - d, 0) / 2 ** (place / (h - 1)) for place, rating in enumerate(first(ranked, k)) if rating
        )

    assert_matches(half_life(judged_of(table), k=CUTOFFS, h=h, neutral=neutral), slow, table)


def test_the_item_at_place_h_counts_half():
    one, five = judged_of({0: (9, {1: 5})}), judged_of({0: (9, {5: 5})})
    k = np.array([9])
    assert half_life(five, k=k, neutral=3).item() == half_life(one, k=k, neutral=3).item() / 2 == 1


def test_the_mean_of_all_that_the_user_rated_is_neutral_if_it_is_known():
    rows = np.array([0]), np.array([1]), np.array([True]), np.array([9]), np.array([5.0])
    assert half_life(JudgedRanks(*rows), k=np.array([9])).item() == 0
    assert half_life(JudgedRanks(*rows, mean_rating=np.array([3.5])), k=np.array([9])).item() == 1.5


def test_without_ratings_every_test_item_is_worth_1():
    judged = JudgedRanks(np.array([0]), np.array([5]), np.array([True]), np.array([9]))
    assert half_life(judged, k=np.array([9])).item() == 0.5
