"""Tests on samples of users: what is counted is what a reader would count, with equations 49 and 50."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from truerank.core.user_tests import USER_TESTS, user_tests

N_REPEATS, N_CHOSEN = 40, 60


@pytest.fixture(scope="module")
def tested():
    rng = np.random.default_rng(5)
    hits = rng.random((3, 400)) < [[0.2], [0.45], [0.2]]
    hits[2] = hits[0]  # exactly equal to the first
    values = np.stack([hits, hits * rng.random(400)], axis=2).astype(float)
    chosen = np.array([rng.permutation(400)[:N_CHOSEN] for _ in range(N_REPEATS)])
    exact = pd.DataFrame(values.mean(axis=1), ["a", "b", "same"], ["recall@10", "ap@10"])
    table = user_tests("users", values[:, chosen], exact, np.array([True, False]))
    return hits, chosen, table


def test_hits_are_tested_by_equations_49_and_50(tested):
    hits, chosen, table = tested
    one_sided = two_sided = wrong = 0
    for users in chosen:
        p_a, p_b = hits[0, users].mean(), hits[1, users].mean()
        mean = (p_a + p_b) / 2
        z = (p_a - p_b) / np.sqrt(2 * mean * (1 - mean) / N_CHOSEN)
        one_sided += norm.cdf(z) <= 0.05
        two_sided += z < 0 and 2 * norm.cdf(-abs(z)) <= 0.05
        wrong += norm.sf(z) <= 0.05
    row = table.set_index(["metric", "model_a", "model_b"]).loc[("recall", "a", "b")]
    assert (row.one_sided, row.two_sided, row.wrong, row.repeats) == (one_sided, two_sided, wrong, N_REPEATS)
    assert row.one_sided > row.two_sided > 0


def test_the_order_of_the_pair_does_not_matter(tested):
    counts = tested[2].set_index(["metric", "model_a", "model_b"])[["one_sided", "two_sided", "wrong"]]
    for metric in ("recall", "ap"):
        mirrored = counts.loc[(metric, "b", "same")]  # `same` is `a`, now the second of the pair
        assert mirrored.tolist() == counts.loc[(metric, "a", "b")].tolist()


def test_equal_models_have_no_larger_value(tested):
    rows = tested[2]
    equal = rows[(rows.model_a == "a") & (rows.model_b == "same")]
    assert list(rows) == USER_TESTS
    assert equal[["one_sided", "two_sided", "wrong"]].isna().all(axis=None)
