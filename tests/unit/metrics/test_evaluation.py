"""All metrics at all cut-offs, and means over users with their intervals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from truerank.errors import UserError
from truerank.metrics.evaluation import evaluate, mean_over_users
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
    spread = np.std([0, 1, 0, 0.5, 0], ddof=1)
    assert mean.ci_high - mean.value == pytest.approx(stats.norm.ppf(0.975) * spread / math.sqrt(5), rel=1e-12)
    assert mean.value - mean.ci_low == pytest.approx(mean.ci_high - mean.value, rel=1e-12)


def test_undefined_users_dropped():
    mean = mean_over_users(VALUES, "drop")
    assert (mean.value, mean.users, mean.undefined) == (0.5, 3, 2)
    assert mean.ci_high - mean.value == pytest.approx(stats.norm.ppf(0.975) * 0.5 / math.sqrt(3), rel=1e-12)


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


def test_the_interval_covers_the_truth_as_often_as_it_says():
    """400 samples of 200 users each: a 95 % interval covers in 380, with a spread of 4.4; 5 spreads are allowed."""
    rng = np.random.default_rng(12)
    covered = 0
    for _ in range(400):
        mean = mean_over_users(rng.beta(2, 5, 200))
        covered += mean.ci_low <= 2 / 7 <= mean.ci_high
    assert abs(covered - 380) < 22
