"""Shares that need no computer."""

import numpy as np
import pytest
from truerank.meta.migration import migration


def test_by_hand():
    user = np.array([0, 0, 0, 1, 1])
    true = np.array([5.0, 3.0, 1.0, 4.0, 4.0])
    predicted = np.array([4.0, 3.25, 3.0, 4.5, 1.0])
    up, down, perfect = migration(user, true, predicted, 0.5, 3)
    assert up == pytest.approx((1 / 3 + 0) / 2)  # the margin itself is perfect
    assert down == pytest.approx((1 / 3 + 1 / 2) / 2)
    assert up + down + perfect == pytest.approx(1)


def test_the_highest_predictions_count():
    user, true, predicted = np.zeros(3, int), np.array([1.0, 5.0, 5.0]), np.array([5.0, 1.0, 4.9])
    assert migration(user, true, predicted, 0.5, 1) == (1, 0, 0)
    assert migration(user, true, predicted, 0.5, 2) == (0.5, 0, 0.5)


def test_nobody():
    none = np.array([])
    assert np.isnan(migration(none.astype(int), none, none, 0.5, 10)).all()
