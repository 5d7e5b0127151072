"""Ranks as shares of the way down."""

import numpy as np
from hypothesis import given
from truerank.metrics.recovery import recovery

from tests.support import judged_of, ranked_lists, relevant, tables


@given(tables())
def test_mean_share_of_the_way(table):
    expected = []
    for ranked in ranked_lists(table):
        shares = [place / len(ranked) for place, rating in enumerate(ranked, start=1) if relevant(rating)]
        expected.append(sum(shares) / len(shares) if shares else np.nan)
    np.testing.assert_allclose(recovery(judged_of(table)), expected, rtol=1e-12)


def test_first_and_last():
    assert recovery(judged_of({0: (10, {1: 5}), 1: (10, {10: 5}), 2: (4, {2: 5, 3: 1})})).tolist() == [0.1, 1, 0.5]
