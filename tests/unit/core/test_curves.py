"""Mapped curves reach as far as the drawings of papers."""

import numpy as np
import pytest
from truerank.artefacts.counted_ranks import CountedRanks
from truerank.artefacts.test_instances import ExactRanks
from truerank.core.curves import mapping

N_ITEMS = 9916


@pytest.fixture(scope="module")
def ranked():
    user, rank = np.arange(50), np.arange(1, 51)[None] ** 2
    alone = np.zeros_like(rank), np.zeros(50)
    return CountedRanks.of(ExactRanks(user, user, rank, np.full(50, N_ITEMS), *alone))


@pytest.mark.parametrize(("n", "last", "reached"), [(100, 100, N_ITEMS), (500, 101, 1980), (6, 6, N_ITEMS)])
def test_all_places_of_a_small_set_and_the_first_of_a_larger_one(ranked, n, last, reached):
    for table in mapping(ranked, ["one"], [n - 1], N_ITEMS):
        assert table["k"].tolist() == [str(k) for k in range(1, last + 1)]
        assert table["f"].is_monotonic_increasing
        assert table["f"].iloc[-1] >= reached
        assert (last == n) == (table["sampled"].iloc[-1] == pytest.approx(1)) == (table["exact"].iloc[-1] == 1)
