"""The area under the curve against counting all pairs of a relevant and another candidate."""

import math

import numpy as np
import pytest
from hypothesis import given
from truerank.metrics.auc import auc

from tests.support import TOY_FIGURES, judged_of, ranked_lists, relevant, tables, toy


def slow_auc(ranked):
    pairs = [
        high < low
        for high, good in enumerate(ranked)
        for low, bad in enumerate(ranked)
        if relevant(good) and not relevant(bad)
    ]
    return sum(pairs) / len(pairs) if pairs else math.nan


@given(tables())
def test_counting_pairs(table):
    expected = [slow_auc(ranked) for ranked in ranked_lists(table)]
    np.testing.assert_allclose(auc(judged_of(table)), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("recommender", TOY_FIGURES)
def test_table_1_of_krichene_and_rendle(recommender):
    assert round(auc(toy(recommender)).mean(), 3) == TOY_FIGURES[recommender]["auc"]


def test_best_worst_and_undefined():
    table = {0: (10, {1: 5, 2: 5}), 1: (10, {9: 5, 10: 5}), 2: (10, {3: 1}), 3: (2, {1: 5, 2: 5}), 4: (1, {1: 5})}
    np.testing.assert_array_equal(auc(judged_of(table)), [1, 0, np.nan, np.nan, np.nan])
