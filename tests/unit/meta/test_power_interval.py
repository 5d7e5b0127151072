"""The interval of discriminative power holds that of another sample of as many users."""

import numpy as np
import pytest
from scipy.special import ndtr
from truerank.meta.flips import columns_of
from truerank.meta.power_interval import GroupSums, power_interval


def sums(columns):
    found = GroupSums(len(columns.scores), len(columns.left))
    found.add(columns)
    return found


def power(table):
    columns = columns_of(table, "zero")
    difference = table[:, columns.left] - table[:, columns.right]
    z = difference.sum(axis=0) / np.sqrt((difference**2).sum(axis=0))
    return columns, (2 * ndtr(-np.abs(z))).sum()


@pytest.mark.slow
@pytest.mark.parametrize("n_users", [60, 400])
@pytest.mark.parametrize("skill", [(0, 0, 0, 0), (0, 0.02, 0.05, 0.3), (0, 0.1, 0.2)], ids=len)
def test_another_sample_falls_in_it(n_users, skill):
    rng = np.random.default_rng(1)

    def sample():
        return power(0.5 * rng.random((n_users, 1)) + np.array(skill) + rng.exponential(0.5, (n_users, len(skill))))

    held = []
    for _ in range(300):
        columns, _ = sample()
        low, high = power_interval(sums(columns), np.ones(len(columns.left), bool), rng)
        held.append(low <= sample()[1] <= high)
    assert np.mean(held) >= 0.91


def test_pairs_that_do_not_count_and_nobody():
    rng = np.random.default_rng(0)
    columns, _ = power(rng.random((50, 3)))
    low, high = power_interval(sums(columns), np.array([True, False, False]), rng)
    assert 0 <= low <= high <= 1
    assert np.isnan(power_interval(sums(columns), np.zeros(3, bool), rng)).all()
    assert np.isnan(power_interval(sums(columns_of(np.empty((0, 3)), "zero")), np.ones(3, bool), rng)).all()
