"""Expected precision at each relevant item, from the list written out."""

import numpy as np
import pytest
from hypothesis import given
from truerank.metrics.average_precision import ap
from truerank.metrics.inferred_ap import infap

from tests.support import CUTOFFS, assert_matches, count_relevant, first, judged_of, relevant, tables


def slow(ranked, k):
    n_relevant = count_relevant(ranked)
    if not n_relevant:
        return None
    total = 0
    for place, rating in enumerate(first(ranked, k), start=1):
        if relevant(rating):
            above = [other for other in ranked[: place - 1] if other is not None]
            good = count_relevant(above)
            total += 1 / place + (place - 1) / place * (good + 1e-5) / (len(above) + 2e-5)
    return total / n_relevant


@given(tables())
def test_terms_counted_one_by_one(table):
    assert_matches(infap(judged_of(table), k=CUTOFFS), slow, table)


def test_it_is_average_precision_where_everything_is_judged():
    judged = judged_of({0: (6, {1: 2, 2: 5, 3: 4, 4: 1, 5: 1, 6: 5})})
    assert infap(judged, k=CUTOFFS) == pytest.approx(ap(judged, k=CUTOFFS), abs=1e-4)


def test_the_first_place_counts_in_full():
    assert infap(judged_of({0: (9, {1: 4})}), k=np.array([1])).item() == 1
