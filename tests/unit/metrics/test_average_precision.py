"""Average precision with both denominators against walking down the list."""

import math

import numpy as np
import pytest
from hypothesis import given
from truerank.metrics.average_precision import ap, ap_min

from tests.support import CUTOFFS, TOY_FIGURES, assert_matches, count_relevant, first, judged_of, relevant, tables, toy


def sum_of_precisions(ranked, k):
    return sum(
        count_relevant(ranked[:place]) / place
        for place, rating in enumerate(first(ranked, k), start=1)
        if relevant(rating)
    )


def slow_ap(ranked, k):
    return sum_of_precisions(ranked, k) / count_relevant(ranked) if count_relevant(ranked) else None


def slow_ap_min(ranked, k):
    return sum_of_precisions(ranked, k) / min(count_relevant(ranked), k) if count_relevant(ranked) else None


@pytest.mark.parametrize(("metric", "slow"), [(ap, slow_ap), (ap_min, slow_ap_min)])
@given(table=tables())
def test_walking_down_the_list(metric, slow, table):
    assert_matches(metric(judged_of(table), k=CUTOFFS), slow, table)


@pytest.mark.parametrize("recommender", TOY_FIGURES)
@pytest.mark.parametrize("metric", [ap, ap_min])
def test_table_1_of_krichene_and_rendle(recommender, metric):
    value = metric(toy(recommender), k=np.array([math.inf])).mean()
    assert round(value, 3) == TOY_FIGURES[recommender]["ap"]


def test_the_two_denominators_by_hand():
    """Relevant at 1, 3 and 6; at k = 2 one precision of 1 counts."""
    judged = judged_of({0: (9, {1: 5, 3: 4, 6: 5})})
    k = np.array([2, 3, math.inf])
    np.testing.assert_allclose(ap(judged, k=k), [[1 / 3, 5 / 9, 13 / 18]])
    np.testing.assert_allclose(ap_min(judged, k=k), [[1 / 2, 5 / 9, 13 / 18]])


@given(tables())
def test_ap_min_is_never_below_ap_and_equal_without_a_cutoff(table):
    judged = judged_of(table)
    small, large = ap(judged, k=CUTOFFS), ap_min(judged, k=CUTOFFS)
    assert ((small <= large + 1e-12) | np.isnan(small)).all()
    np.testing.assert_array_equal(small[:, -1], large[:, -1])


def test_a_perfect_list_scores_1():
    judged = judged_of({0: (9, {1: 5, 2: 5, 3: 5})})
    assert ap_min(judged, k=CUTOFFS).tolist() == [[1] * len(CUTOFFS)]
