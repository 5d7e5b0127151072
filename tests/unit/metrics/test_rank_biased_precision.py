"""The geometric user, place by place."""

import numpy as np
import pytest
from hypothesis import given
from truerank.metrics.rank_biased_precision import rbp

from tests.support import CUTOFFS, assert_matches, count_relevant, first, judged_of, relevant, tables


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
@given(table=tables())
def test_the_list_place_by_place(p, table):
    def slow(ranked, k):
        seen = sum((1 - p) * p**place for place, rating in enumerate(first(ranked, k)) if relevant(rating))
        return seen if count_relevant(ranked) else None

    assert_matches(rbp(judged_of(table), k=CUTOFFS, p=p), slow, table)


def test_the_default_is_that_of_the_source():
    judged = judged_of({0: (9, {2: 5})})
    assert rbp(judged, k=np.array([9])).item() == pytest.approx(0.2 * 0.8)


def test_a_list_of_nothing_but_relevant_items_nears_1():
    judged = judged_of({0: (200, dict.fromkeys(range(1, 201), 5))})
    assert rbp(judged, k=np.array([np.inf]), p=0.8).item() == pytest.approx(1)
