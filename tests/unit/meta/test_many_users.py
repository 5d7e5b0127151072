"""The sign-flip test of very many users against the whole test on a part of them."""

import numpy as np
import pytest
from scipy import stats
from truerank.core import comparing
from truerank.core.comparing import Scores, compare_paired
from truerank.meta.many_users import compare_many, normal_p
from truerank.meta.significance import compare
from truerank.provenance import generator


def values(shift, n=30_000, seed=1):
    """Values of two systems, most of them 0, of which one is better by ``shift`` where it differs."""
    rng = generator(seed, "many users")
    hit = rng.random((n, 2)) < 0.7
    return np.where(hit, rng.random((n, 2)) + np.array([0, shift]), 0)


@pytest.mark.slow
@pytest.mark.parametrize("shift", [0.0, 0.004, 0.006, 0.01, 0.02])
def test_the_approximation_is_as_good_as_the_draws_are(shift):
    table = values(shift)
    (whole,) = compare([table], generator(1, "whole"), 40_000)
    (near,) = compare_many([table], generator(1, "near"), 40_000, ["zero"])
    p = whole.p_value[0]
    assert near.p_value[0] == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 40_000) + 0.002)
    assert near.difference == pytest.approx(whole.difference)
    difference = table[:, 0] - table[:, 1]
    assert normal_p(difference, 40_000) == near.p_value[0], "the approximation, not the test"
    assert near.p_value[0] == pytest.approx(stats.ttest_1samp(difference, 0).pvalue, abs=0.002)


def test_few_users_who_differ_are_tested_whole():
    table = np.zeros((50_000, 2))
    table[:12, 0] = 1
    assert normal_p(table[:, 0] - table[:, 1], 1000) is None
    (found,) = compare_many([table], generator(1, "few"), 50_000, ["zero"])
    assert found.p_value[0] == pytest.approx(2 / 2**12, abs=3e-4), "all signs equal, either way"


def test_users_who_are_undefined_are_left_out_or_count_as_0():
    table = values(0.02)
    table[::3] = np.nan
    for policy in ("zero", "drop"):
        (near,), (whole,) = (
            compare_many([table], generator(1, "a"), 5000, [policy]),
            compare([table], generator(1, "a"), 5000, undefined_users=policy),
        )
        assert near.difference == pytest.approx(whole.difference)
        assert near.p_value[0] == pytest.approx(whole.p_value[0], abs=0.02)


def test_no_p_is_0_and_no_difference_has_1():
    table = values(0.3)
    (found,) = compare_many([table], generator(1, "far"), 999, ["zero"])
    assert found.p_value[0] == pytest.approx(1 / 1000)
    (found,) = compare_many([table[:, [0, 0]]], generator(1, "same"), 999, ["zero"])
    assert found.p_value[0] == 1


def test_comparisons_take_it_above_their_limit(monkeypatch):
    table = values(0.006, n=30_000)
    whole = compare_paired(["a", "b"], [Scores(table)], generator(1, "x"), draws=20_000).pairs
    monkeypatch.setattr(comparing, "MOST_USERS", 10_000)
    near = compare_paired(["a", "b"], [Scores(table)], generator(1, "x"), draws=20_000).pairs
    assert near.p_value[0] != whole.p_value[0]
    assert near.p_value[0] == pytest.approx(whole.p_value[0], abs=0.02)
    assert near.drop(columns=["p_value", "p_holm", "p_fdr"]).equals(whole.drop(columns=["p_value", "p_holm", "p_fdr"]))
