"""Precision, recall, f1 and hit against counting along the whole list."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.metrics.precision import f1, hit, precision, recall

from tests.support import CUTOFFS, TOY_FIGURES, assert_matches, count_relevant, first, judged_of, relevant, tables, toy


def slow_precision(ranked, k):
    if not count_relevant(ranked):
        return None
    return count_relevant(first(ranked, k)) / (len(ranked) if math.isinf(k) else k)


def slow_recall(ranked, k):
    return count_relevant(first(ranked, k)) / count_relevant(ranked) if count_relevant(ranked) else None


def slow_f1(ranked, k):
    p, r = slow_precision(ranked, k), slow_recall(ranked, k)
    if p is None:
        return None
    return 2 / (1 / p + 1 / r) if p else 0


def slow_hit(ranked, k):
    return float(any(map(relevant, first(ranked, k)))) if count_relevant(ranked) else None


KERNELS = [(precision, slow_precision), (recall, slow_recall), (f1, slow_f1), (hit, slow_hit)]


@pytest.mark.parametrize(("metric", "slow"), KERNELS)
@given(table=tables())
def test_counting_along_the_list(metric, slow, table):
    assert_matches(metric(judged_of(table), k=CUTOFFS), slow, table)


@pytest.mark.parametrize("recommender", TOY_FIGURES)
def test_recall_in_table_1_of_krichene_and_rendle(recommender):
    value = recall(toy(recommender), k=np.array([10])).mean()
    assert round(value, 3) == TOY_FIGURES[recommender]["recall@10"]


def test_a_list_by_hand():
    """Relevant at 1, 4 and 7 of 8 candidates, judged not relevant at 2."""
    judged = judged_of({3: (8, {1: 5, 2: 1, 4: 4, 7: 5})})
    k = np.array([1, 2, 4, 8, math.inf])
    np.testing.assert_allclose(precision(judged, k=k), [[1, 1 / 2, 1 / 2, 3 / 8, 3 / 8]])
    np.testing.assert_allclose(recall(judged, k=k), [[1 / 3, 1 / 3, 2 / 3, 1, 1]])
    np.testing.assert_allclose(f1(judged, k=k), [[1 / 2, 2 / 5, 4 / 7, 6 / 11, 6 / 11]])


def test_f1_is_zero_where_nothing_is_hit_and_undefined_where_nothing_can_be():
    judged = judged_of({1: (9, {5: 5}), 2: (9, {1: 1})})
    assert f1(judged, k=np.array([3])).tolist()[0] == [0]
    assert np.isnan(f1(judged, k=np.array([3]))[1]).all()


def test_precision_counts_places_that_a_short_catalogue_leaves_empty():
    assert precision(judged_of({1: (2, {1: 5, 2: 5})}), k=np.array([10])).tolist() == [[0.2]]


@given(rank=st.integers(1, 30))
def test_with_one_relevant_item_a_hit_is_recall(rank):
    judged = judged_of({1: (30, {rank: 5})})
    np.testing.assert_array_equal(hit(judged, k=CUTOFFS), recall(judged, k=CUTOFFS))
