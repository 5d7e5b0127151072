"""Count the non-relevant items above each relevant one, from the list written out."""

import numpy as np
from hypothesis import given
from truerank.metrics.bpref import bpref

from tests.support import CUTOFFS, assert_matches, count_relevant, first, judged_of, relevant, tables


def slow(ranked, k):
    n_relevant = count_relevant(ranked)
    others = sum(rating is not None for rating in ranked) - n_relevant
    if not n_relevant:
        return None
    total = 0
    for place, rating in enumerate(first(ranked, k)):
        if relevant(rating):
            above = sum(other is not None and not relevant(other) for other in ranked[:place])
            total += 1 - min(above, n_relevant) / min(others, n_relevant) if above else 1
    return total / n_relevant


@given(tables())
def test_terms_counted_one_by_one(table):
    assert_matches(bpref(judged_of(table), k=CUTOFFS), slow, table)


def test_unjudged_items_do_not_matter():
    k = np.array([np.inf])
    near, far = judged_of({0: (50, {1: 1, 2: 5, 3: 4})}), judged_of({0: (50, {7: 1, 20: 5, 50: 4})})
    np.testing.assert_array_equal(bpref(near, k=k), bpref(far, k=k))
