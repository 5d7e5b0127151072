"""Discounted gain against the list and the best list, both written out."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from truerank.metrics.judged import Judged
from truerank.metrics.ndcg import ndcg, ndcg_full

from tests.support import CUTOFFS, TOY_FIGURES, assert_matches, first, judged_of, relevant, tables, toy

GAINS = {
    "linear": lambda rating: rating,
    "binary": lambda rating: int(relevant(rating)),
    "exponential": lambda rating: 2**rating - 1,
}


def slow_dcg(ranked, gain):
    return sum(
        GAINS[gain](rating) / math.log2(place + 1) for place, rating in enumerate(ranked, start=1) if rating is not None
    )


def slow(full, gain):
    def oracle(ranked, k):
        judged = [rating for rating in ranked if rating is not None]
        best = sorted(judged, key=GAINS[gain], reverse=True)
        ideal = slow_dcg(best if full else first(best, k), gain)
        return slow_dcg(first(ranked, k), gain) / ideal if ideal else None

    return oracle


@pytest.mark.parametrize("gain", GAINS)
@pytest.mark.parametrize(("metric", "full"), [(ndcg, False), (ndcg_full, True)])
@given(table=tables())
def test_the_list_over_the_best_list(metric, full, gain, table):
    assert_matches(metric(judged_of(table), k=CUTOFFS, gain=gain), slow(full, gain), table)


@given(tables())
def test_the_gain_is_linear_if_not_said(table):
    for metric in (ndcg, ndcg_full):
        np.testing.assert_array_equal(
            metric(judged_of(table), k=CUTOFFS), metric(judged_of(table), k=CUTOFFS, gain="linear")
        )


@pytest.mark.parametrize("recommender", TOY_FIGURES)
@pytest.mark.parametrize("metric", [ndcg, ndcg_full])
def test_table_1_of_krichene_and_rendle(recommender, metric):
    value = metric(toy(recommender), k=np.array([math.inf]), gain="binary").mean()
    assert round(value, 3) == TOY_FIGURES[recommender]["ndcg"]


def test_no_order_beats_the_ideal():
    """The ideal is the best of all orders of the judged items: try them all."""
    ratings = [5, 3, 4, 1]
    k = np.array([1, 2, 3, math.inf])
    values = [ndcg(judged_of({0: (4, dict(enumerate(order, start=1)))}), k=k)[0] for order in permutations(ratings)]
    assert np.max(values, axis=0).tolist() == [1, 1, 1, 1]


def test_judged_but_not_relevant_counts_with_graded_gains_only():
    judged = judged_of({0: (5, {2: 3})})
    k = np.array([1, 5])
    np.testing.assert_allclose(ndcg(judged, k=k), [[0, 1 / math.log2(3)]])
    np.testing.assert_allclose(ndcg(judged, k=k, gain="exponential"), [[0, 1 / math.log2(3)]])
    assert np.isnan(ndcg(judged, k=k, gain="binary")).all()


def test_an_ideal_of_zero_is_undefined():
    judged = Judged(np.array([4]), np.array([1]), np.array([False]), np.array([9]), np.array([0.0]))
    for gain in GAINS:
        assert np.isnan(ndcg(judged, k=CUTOFFS, gain=gain)).all()
        assert np.isnan(ndcg_full(judged, k=CUTOFFS, gain=gain)).all()


def test_with_more_judged_items_than_places_the_full_ideal_is_out_of_reach():
    judged = judged_of({0: (9, {1: 5, 2: 5, 3: 5})})
    assert ndcg(judged, k=np.array([1, 2, 3])).tolist() == [[1, 1, 1]]
    full = ndcg_full(judged, k=np.array([1, 2, 3]))[0]
    assert full[0] < full[1] < full[2] == 1


def test_without_ratings_every_gain_is_binary():
    judged = Judged(np.array([1, 1]), np.array([2, 5]), np.array([True, True]), np.array([9, 9]))
    values = [ndcg(judged, k=CUTOFFS, gain=gain) for gain in GAINS]
    np.testing.assert_allclose(values[0], values[1])
    np.testing.assert_allclose(values[0], values[2])
