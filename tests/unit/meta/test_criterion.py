"""The criterion and its covariance against loops over pairs and users, and against other samples of users."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.meta.criterion import CAP, USERS_PER_BLOCK, UserScores
from truerank.meta.flips import InMemory


def scores_of(tables, policy="zero"):
    return UserScores(InMemory(tables, np.arange(len(tables[0]))), [policy] * len(tables))


def slow(table, policy="zero", cap=CAP):
    """C of one metric and every user's influence, pair by pair."""
    n, n_systems = table.shape
    values, influence = [], np.zeros(n)
    pairs = list(combinations(range(n_systems), 2))
    for a, b in pairs:
        d = np.zeros(n)
        for u in range(n):
            one, other = table[u, a], table[u, b]
            if policy == "drop" and (np.isnan(one) or np.isnan(other)):
                continue
            d[u] = (0 if np.isnan(one) else one) - (0 if np.isnan(other) else other)
        square = (d**2).sum()
        z = d.sum() / np.sqrt(square) if square else 0.0
        values.append(min(abs(z), cap))
        if square and abs(z) < cap:
            influence += np.sign(z) * (d / np.sqrt(square) - z * d**2 / (2 * square)) / len(pairs)
    return np.mean(values), influence - influence.mean()


@given(st.integers(0, 2**32), st.sampled_from(["zero", "drop"]), st.sampled_from([0, 0.3]))
def test_values_and_covariance_are_those_of_the_loops(seed, policy, missing):
    rng = np.random.default_rng(seed)
    tables = [rng.random((30, 4)) * rng.random(4) for _ in range(3)]
    for table in tables:
        table[rng.random(table.shape) < missing] = np.nan
    found = scores_of(tables, policy).criterion()
    values, influences = zip(*(slow(table, policy) for table in tables), strict=True)
    np.testing.assert_allclose(found.values, values, atol=1e-12)
    of_users = np.column_stack(influences)
    np.testing.assert_allclose(found.covariance, of_users.T @ of_users, atol=1e-12)


def test_weights_are_users_again():
    rng = np.random.default_rng(1)
    tables = [rng.random((50, 3)) for _ in range(2)]
    weights = rng.integers(0, 4, 50)
    again = np.repeat(np.arange(50), weights)
    found = scores_of(tables).criteria(lambda users: [weights[users, None].astype(float)])[0]
    expected = scores_of([table[again] for table in tables]).criterion()
    np.testing.assert_allclose(found.values, expected.values)
    np.testing.assert_allclose(found.covariance, expected.covariance, atol=1e-15)


def test_threads_change_no_bit():
    rng = np.random.default_rng(2)
    scores = scores_of([rng.random((2 * USERS_PER_BLOCK + 5, 4)) for _ in range(3)])
    one, three = (scores.criterion(threads=n) for n in (1, 3))
    assert one.values.tobytes() == three.values.tobytes()
    assert one.covariance.tobytes() == three.covariance.tobytes()


def test_separated_pairs_count_the_cap_and_one_system_twice_counts_nothing():
    rng = np.random.default_rng(3)
    score = rng.random((400, 1))
    table = np.hstack([score, score, score + 1])
    found = scores_of([table]).criterion()
    assert found.values[0] == pytest.approx((0 + CAP + CAP) / 3)
    assert found.errors[0] == pytest.approx(0, abs=1e-12)
    nearly = np.hstack([score, score * (1 - 2e-16), score * (1 + 1e-15)])
    assert scores_of([nearly]).criterion().values[0] == 0, "rounding is no difference"


def test_one_system_or_nobody_has_no_value():
    for table in (np.ones((5, 1)), np.ones((5, 0)), np.ones((0, 3))):
        found = scores_of([table]).criterion()
        assert np.isnan(found.values).all()
        assert np.isnan(found.errors).all()


def test_the_standard_error_is_that_of_other_samples_of_users():
    rng = np.random.default_rng(4)
    skill = np.array([0, 0.05, 0.1, 0.12])

    def sample():
        return scores_of([rng.exponential(0.3, (300, 4)) + skill for _ in range(2)]).criterion()

    found = [sample() for _ in range(300)]
    spread = np.std([each.values for each in found], axis=0)
    told = np.mean([each.errors for each in found], axis=0)
    np.testing.assert_allclose(told, spread, rtol=0.2)
