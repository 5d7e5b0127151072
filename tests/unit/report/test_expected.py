"""Errors of other numbers of users: the factors are those of many samples."""

import numpy as np
import pytest
from truerank.report.expected import times_as_large


def error(population, n, rng, replace=False):
    """The mean absolute error of the mean of n, of many samples of a population."""
    means = [rng.choice(population, n, replace=replace).mean() for _ in range(20_000)]
    return np.abs(np.array(means) - population.mean()).mean()


def test_an_error_of_all_users_falls_with_their_root():
    assert times_as_large(55_187, 37_501) == pytest.approx(1.2131, abs=1e-4)
    rng = np.random.default_rng(0)
    few, many = (np.abs(rng.normal(size=(20_000, n)).mean(axis=1)).mean() for n in (50, 200))
    assert times_as_large(200, 50) == 2 == pytest.approx(few / many, rel=0.03)


def test_an_error_of_sampled_users_is_that_of_samples_without_replacement():
    rng = np.random.default_rng(1)
    ours, theirs = (rng.permutation(np.arange(n) % 2).astype(float) for n in (60, 200))
    found = error(ours, 40, rng) / error(theirs, 40, rng)
    assert times_as_large(200, 60, 40) == pytest.approx(found, rel=0.03)
    assert times_as_large(55_187, 37_501, 1_000) == pytest.approx(0.9957, abs=1e-4)
    assert times_as_large(55_187, 37_501, 10_000) == pytest.approx(0.9464, abs=1e-4)
    assert times_as_large(200, 40, 40) == 0, "all of ours"
    assert times_as_large(200, 200, 40) == times_as_large(200, 200) == 1
