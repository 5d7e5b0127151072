"""Simultaneous bands: their level is computed, and simulated ranks keep to it."""

import numpy as np
import pytest
from scipy import stats
from truerank.bounding.band import dkw_half, equal_levels, limits, rank_band, user_band_half
from truerank.bounding.coverage import coverage
from truerank.provenance import generator

from tests.support import for_each


def test_one_and_two_numbers_have_a_chance_that_needs_no_computer():
    assert coverage(1, np.array([1]), np.array([0.1]), np.array([0.7])) == pytest.approx(0.6)
    # both of two numbers between 0 and 1/2; the smaller below 1/2 and the larger above it
    assert coverage(2, np.array([1, 2]), np.array([0.0, 0.0]), np.array([0.5, 0.5])) == pytest.approx(0.25)
    assert coverage(2, np.array([1, 2]), np.array([0.0, 0.5]), np.array([0.5, 1.0])) == pytest.approx(0.5)
    assert coverage(2, np.array([1]), np.array([0.9]), np.array([0.8])) == 0


@for_each("n", [3, 10, 60])
@for_each("level", [0.01, 0.2])
def test_the_chance_is_that_of_simulated_numbers(n, level):
    place = np.arange(1, n + 1)[:: 1 if n < 60 else 3]
    low, high = limits(n, place, level)
    numbers = np.sort(generator(1, "coverage", n).random((40_000, n)), axis=1)[:, place - 1]
    share = ((numbers >= low) & (numbers <= high)).all(axis=1).mean()
    assert coverage(n, place, low, high) == pytest.approx(share, abs=4 * np.sqrt(0.25 / 40_000))


@pytest.mark.slow
@for_each("n", [1, 7, 200, 1500])
@for_each("confidence", [0.8, 0.95])
def test_all_limits_hold_at_once_with_the_confidence(n, confidence):
    place, low, high = equal_levels(n, confidence)
    assert confidence <= coverage(n, place, low, high) < confidence + 0.001


@for_each(("below", "n"), [(0, 50), (3, 50), (50, 50), (0, 1)])
def test_a_band_is_wider_than_the_interval_of_one_share(below, n):
    low, high = rank_band(np.array(below), n, 0.95)
    one = stats.binomtest(below, n).proportion_ci(0.95, method="exact")
    assert 0 <= low <= one.low
    assert one.high <= high <= 1


@for_each("n", [40, 2500])
def test_ranks_keep_to_their_band(n):
    """95 % or more of 2,000 samples, less three standard errors; discrete ranks keep to it more often."""
    law = np.array([0.05, 0.01, 0.3, 0.0, 0.24, 0.4])
    counts = generator(2, "band", n).multinomial(n, law, 2000)
    low, high = rank_band(np.cumsum(counts, axis=1)[:, :-1], n, 0.95)
    truth = np.cumsum(law)[:-1]
    assert ((low <= truth) & (truth <= high)).all(axis=1).mean() > 0.95 - 3 * np.sqrt(0.05 * 0.95 / 2000)


def test_at_the_head_the_band_is_a_fraction_of_that_of_dvoretzky_kiefer_and_wolfowitz():
    low, high = rank_band(np.array([30]), 3000, 0.95)
    assert (high - low)[0] < 0.3 * 2 * dkw_half(3000, 0.95)
    assert dkw_half(3000, 0.95) == pytest.approx(np.sqrt(np.log(40) / 6000))


def test_beyond_fifty_thousand_ranks_it_is_theirs():
    low, high = rank_band(np.array([30_000]), 60_000, 0.95)
    assert (high - low)[0] == pytest.approx(2 * dkw_half(60_000, 0.95))


def test_users_with_several_ranks_keep_to_their_band():
    """Ranks of a user are nearly copies of each other: as many independent ranks would break the band of all ranks."""
    rng, n_users, n_each = generator(3, "users"), 100, 10
    half, too_narrow = user_band_half(n_users, 0.95), dkw_half(n_users * n_each, 0.95)
    assert half / dkw_half(n_users, 0.95) == pytest.approx(1.12, abs=0.01)
    grid = np.linspace(0.05, 0.95, 19)
    held, narrow = 0, 0
    for _ in range(500):
        numbers = np.clip(rng.random((n_users, 1)) + 0.01 * rng.standard_normal((n_users, n_each)), 0, 1)
        error = np.abs((numbers[..., None] <= grid).mean(axis=(0, 1)) - grid).max()
        held, narrow = held + (error <= half), narrow + (error <= too_narrow)
    assert held > 0.95 * 500
    assert narrow < 0.5 * 500
