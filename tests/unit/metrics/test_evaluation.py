"""All metrics at all cut-offs, and means over users with their intervals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from truerank.errors import UserError
from truerank.metrics._core.bounds import Extent
from truerank.metrics._core.evaluation import evaluate, mean_over_users, summarise
from truerank.metrics._core.intervals import mean_interval
from truerank.metrics.ndcg import ndcg
from truerank.metrics.precision import recall

from tests.support import judged_of, tables

TABLE = {1: (9, {1: 5, 2: 3, 7: 4}), 2: (5, {5: 4}), 8: (4, {2: 1})}


def test_columns_are_named_by_metric_and_cutoff_in_ascending_order():
    metrics = {"recall": {"kind": "recall"}, "auc": {"kind": "auc"}, "graded": {"kind": "ndcg", "gain": "exponential"}}
    columns = evaluate(judged_of(TABLE), metrics, ["all", 10, 2])
    assert list(columns) == ["recall@2", "recall@10", "recall@all", "auc@all", "graded@2", "graded@10", "graded@all"]
    k = np.array([2, 10, math.inf])
    np.testing.assert_array_equal(columns["recall@2"], recall(judged_of(TABLE), k=k)[:, 0])
    np.testing.assert_array_equal(columns["graded@10"], ndcg(judged_of(TABLE), k=k, gain="exponential")[:, 1])


@given(tables(), st.permutations([1, 5, 20, "all"]))
def test_values_do_not_depend_on_the_order_or_company_of_cutoffs(table, cutoffs):
    judged, metrics = judged_of(table), {"ap": {"kind": "ap"}, "ap_min": {"kind": "ap_min"}}
    together = evaluate(judged, metrics, cutoffs)
    for cutoff in cutoffs:
        for column, values in evaluate(judged, metrics, [cutoff]).items():
            # Sums are formed between neighbouring cut-offs, so the last bit may differ.
            np.testing.assert_allclose(values, together[column], rtol=1e-14)


def test_an_unknown_kind_is_a_users_error():
    with pytest.raises(UserError, match="did you mean 'ndcg'"):
        evaluate(judged_of(TABLE), {"x": {"kind": "ndgc"}}, [1])


VALUES = np.array([0.0, 1.0, np.nan, 0.5, np.nan])


def test_undefined_users_as_zero():
    mean = mean_over_users(VALUES, "zero")
    assert (mean.value, mean.users, mean.undefined) == (0.3, 5, 2)
    expected = mean_interval(np.array([0, 1, 0, 0.5, 0]), possible=(0.0,))
    assert (mean.ci_low, mean.ci_high) == tuple(expected)


def test_undefined_users_dropped():
    mean = mean_over_users(VALUES, "drop")
    assert (mean.value, mean.users, mean.undefined) == (0.5, 3, 2)
    half = stats.t.ppf(0.975, 2) * 0.5 / math.sqrt(3)  # no skew, no range: the t interval
    assert (mean.ci_low, mean.ci_high) == pytest.approx((0.5 - half, 0.5 + half), rel=1e-12)


def test_the_interval_knows_the_range_of_the_metric():
    """At a metric's own range: recall of nobody is 0 to something; novelty in bits ends at log2 M."""
    metrics = {"recall": {"kind": "recall"}, "esibn": {"kind": "esibn"}, "mae": {"kind": "mae"}}
    values = {column: np.zeros(50) for column in ("recall@5", "esibn@5", "mae@all")}
    means = summarise(values, metrics, [5], extent=Extent(1024, 100, 100, (1, 5)))
    one = means["recall@5"].ci_high
    assert means["recall@5"].ci_low == 0
    assert one == pytest.approx(stats.t.ppf(0.975, 49) ** 2 / 50)
    assert means["esibn@5"].ci_high == pytest.approx(5 * 10 * one)
    assert math.isnan(means["mae@all"].ci_high), "no range and no spread: nothing is known"


def test_zero_is_what_happens_if_nothing_is_said():
    assert mean_over_users(VALUES) == mean_over_users(VALUES, "zero")


def test_the_values_themselves_are_left_alone():
    before = VALUES.copy()
    mean_over_users(VALUES)
    np.testing.assert_array_equal(VALUES, before)


@pytest.mark.parametrize("policy", ["zero", "drop"])
def test_one_user_has_a_mean_and_no_interval(policy):
    mean = mean_over_users(np.array([0.25]), policy)
    assert (mean.value, mean.users) == (0.25, 1)
    assert math.isnan(mean.ci_low)
    assert math.isnan(mean.ci_high)


def test_no_user_has_no_mean():
    mean = mean_over_users(np.array([np.nan]), "drop")
    assert math.isnan(mean.value)
    assert (mean.users, mean.undefined) == (0, 1)
    assert mean_over_users(np.array([np.nan]), "zero").value == 0
