"""Moments of parts put together: those of all values, for any number of users."""

import numpy as np
from truerank.metrics._core.moments import Moments


def test_parts_together_have_the_moments_of_all_values():
    rng = np.random.default_rng(1)
    values = rng.gamma(2, size=(3, 40))
    known = rng.random((3, 40)) < 0.7
    joined = Moments.of(values[:, :9], known[:, :9]).plus(Moments.of(values[:, 9:], known[:, 9:]))
    for found, expected in zip(joined, Moments.of(values, known), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_millions_of_users_are_counted_without_overflow():
    """Half of the values are 0 and half are 1, so a deviation is 1/2 or -1/2."""
    zeros, ones = (Moments.of(np.full((1, 2), float(value))) for value in (0, 1))
    for _ in range(22):
        zeros, ones = zeros.plus(zeros), ones.plus(ones)
    both = zeros.plus(ones)
    assert both.n.tolist() == [2**24]
    assert both.mean.tolist() == [0.5]
    assert [both.second[0], both.third[0], both.fourth[0]] == [2**24 / 4, 0, 2**24 / 16]
