"""Discounted errors against the list and its worst order, both written out."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.metrics.sdcse import cse, dcse, sdcse, sdcse_accuracy, wdcse

from tests.support import CUTOFFS, judged_of_rated, rated, rated_users


def sums(ratings, predicted, k, only_from=-math.inf):
    """Return the plain sum of errors, the discounted one, and that in the worst order; None without an item."""
    kept = [(y, p) for y, p in zip(ratings, predicted, strict=True) if y >= only_from]
    kept = sorted(kept, key=lambda pair: -pair[1])  # stable, as ranks are given here
    errors = [(y - p) ** 2 for y, p in (kept if math.isinf(k) else kept[: int(k)])]
    if not errors:
        return None
    discounted = [sum(e / math.log2(i + 2) for i, e in enumerate(e)) for e in (errors, sorted(errors, reverse=True))]
    return sum(errors), *discounted


def slow(*user, **only):
    found = sums(*user, **only)
    if found is None:
        return math.nan
    _, discounted, worst = found
    return discounted / worst if worst else 0


@given(rated_users())
def test_the_sums_of_errors(users):
    for only, from_rating in ((False, -math.inf), (True, 4)):
        found = [[sums(*user, k, only_from=from_rating) or [math.nan] * 3 for k in CUTOFFS] for user in users]
        for metric, expected in zip((cse, dcse, wdcse), np.moveaxis(found, -1, 0), strict=True):
            values = metric(judged_of_rated(users), k=CUTOFFS, relevant_only=only)
            np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12)


@given(rated_users())
def test_the_list_over_its_worst_order(users):
    expected = [[slow(*user, k) for k in CUTOFFS] for user in users]
    np.testing.assert_allclose(sdcse(judged_of_rated(users), k=CUTOFFS), expected, rtol=1e-12)


@given(rated_users())
def test_relevant_items_only(users):
    expected = [[slow(*user, k, only_from=4) for k in CUTOFFS] for user in users]
    np.testing.assert_allclose(sdcse(judged_of_rated(users), k=CUTOFFS, relevant_only=True), expected, rtol=1e-12)


@given(rated_users())
def test_the_accuracy_is_the_rest_to_1(users):
    judged = judged_of_rated(users)
    np.testing.assert_array_equal(sdcse_accuracy(judged, k=CUTOFFS), 1 - sdcse(judged, k=CUTOFFS))


@given(st.floats(0.01, 100))
def test_scaling_all_errors_changes_nothing(scale):
    predicted, errors = np.array([3000.0, 2000, 1000]), np.array([0.3, -0.2, 0.1])
    one, other = (sdcse(rated(predicted - step * errors, predicted), k=CUTOFFS) for step in (1, scale))
    np.testing.assert_allclose(one, other, rtol=1e-6)


def test_equal_errors_give_1_however_small():
    assert sdcse(rated([5, 4, 3], [4.999, 3.999, 2.999]), k=np.array([3])).item() == pytest.approx(1)


def test_no_error_at_all_gives_0():
    assert sdcse(rated([5, 4, 3], [5, 4, 3]), k=np.array([1, 3])).tolist() == [[0, 0]]
