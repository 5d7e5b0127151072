"""Up-sold, down-sold and perfect, item by item."""

import math

import numpy as np
import pytest
from hypothesis import given
from truerank.metrics._core.moments import Moments
from truerank.metrics.migration import down_sell, migration, perfect_sell, spread_of, up_sell

from tests.support import CUTOFFS, judged_of_rated, rated, rated_users


@given(rated_users())
def test_items_one_by_one(users):
    found = migration(judged_of_rated(users), CUTOFFS, 0.5)
    for row, (ratings, predicted) in enumerate(users):
        order = sorted(zip(predicted, ratings, strict=True), key=lambda pair: -pair[0])
        for column, k in enumerate(CUTOFFS):
            kept = order if math.isinf(k) else order[: int(k)]
            shares = (
                sum(p > y + 0.5 for p, y in kept) / len(kept),
                sum(p < y - 0.5 for p, y in kept) / len(kept),
                sum(y - 0.5 <= p <= y + 0.5 for p, y in kept) / len(kept),
            )
            assert [share[row, column] for share in found] == pytest.approx(shares)


@given(rated_users())
def test_shares_sum_to_1_and_are_the_metrics(users):
    judged = judged_of_rated(users)
    shares = [metric(judged, k=CUTOFFS) for metric in (up_sell, down_sell, perfect_sell)]
    np.testing.assert_allclose(sum(shares), 1)
    for share, same in zip(shares, migration(judged, CUTOFFS, 0.5), strict=True):
        np.testing.assert_array_equal(share, same)


def test_the_margin_and_the_relevant_only():
    judged, k = rated([5, 4, 1], [4, 4, 3]), np.array([3])
    assert [share.item() for share in migration(judged, k, 0)] == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    assert [share.item() for share in migration(judged, k, 1)] == pytest.approx([1 / 3, 0, 2 / 3])
    assert [share.item() for share in migration(judged, k, 0, relevant_only=True)] == [0, 0.5, 0.5]
    assert np.isnan(migration(rated([1], [1]), k, 0, relevant_only=True)).all()


def test_the_margin_of_all_models_is_the_root_of_their_mean_variance():
    assert spread_of(map(Moments.of, (np.array([1.0, 3]), np.array([5.0, 5.0]), np.empty(0)))) == pytest.approx(
        math.sqrt((1 + 0) / 2)
    )
    assert spread_of([]) == 0
