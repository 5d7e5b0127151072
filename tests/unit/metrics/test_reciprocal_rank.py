"""The first relevant place against looking for it."""

import math

import numpy as np
from hypothesis import given
from truerank.metrics.average_precision import ap
from truerank.metrics.reciprocal_rank import rr

from tests.support import CUTOFFS, assert_matches, count_relevant, first, judged_of, relevant, tables


def slow_rr(ranked, k):
    if not count_relevant(ranked):
        return None
    for place, rating in enumerate(first(ranked, k), start=1):
        if relevant(rating):
            return 1 / place
    return 0


@given(tables())
def test_looking_for_the_first_relevant_item(table):
    assert_matches(rr(judged_of(table), k=CUTOFFS), slow_rr, table)


def test_items_that_are_not_relevant_are_passed_over():
    judged = judged_of({0: (9, {1: 3, 4: 4, 5: 5})})
    assert rr(judged, k=np.array([1, 3, 4, 5, math.inf])).tolist() == [[0, 0, 0.25, 0.25, 0.25]]


@given(tables())
def test_with_one_relevant_item_it_is_average_precision(table):
    table = {user: (c, {rank: 5 for rank in list(ratings)[:1]}) for user, (c, ratings) in table.items()}
    np.testing.assert_array_equal(rr(judged_of(table), k=CUTOFFS), ap(judged_of(table), k=CUTOFFS))
