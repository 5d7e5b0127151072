"""Pairs compared one by one."""

import numpy as np
import pytest
from hypothesis import given
from truerank.metrics.ndpm import ndpm

from tests.support import judged_of_rated, rated, rated_users


@given(rated_users())
def test_pairs_one_by_one(users):
    for value, (ratings, predicted) in zip(ndpm(judged_of_rated(users)), users, strict=True):
        opposite = tied = ordered = 0
        for i in range(len(ratings)):
            for j in range(len(ratings)):
                if ratings[i] > ratings[j]:
                    ordered += 1
                    opposite += predicted[i] < predicted[j]
                    tied += predicted[i] == predicted[j]
        assert value == pytest.approx((2 * opposite + tied) / (2 * ordered)) if ordered else np.isnan(value)


def test_from_best_to_worst():
    orders = [5, 3, 1], [2, 2, 2], [1, 3, 5]
    assert [ndpm(rated([5, 3, 1], order)).item() for order in orders] == [0, 0.5, 1]


def test_pairs_that_the_user_ties_do_not_matter():
    assert ndpm(rated([4, 4, 1], [5, 3, 1])).item() == ndpm(rated([4, 4, 1], [4, 4, 1])).item() == 0
