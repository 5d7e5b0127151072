"""Top lists of long rows against sorting: many ties, few finite scores, both zeros, test items placed by a policy."""

import numpy as np
import pytest
from truerank.ranking import kernels
from truerank.ranking.order import hashes, salt

KEY = np.uint64(11)
ROWS = {
    "all different": lambda rng, n: rng.permutation(n) - n / 2,
    "normal": lambda rng, n: rng.normal(size=n),
    "three values": lambda rng, n: rng.integers(3, size=n),
    "mostly zero": lambda rng, n: np.where(rng.random(n) < 0.004, rng.normal(size=n), 0),
    "two zeros": lambda rng, n: rng.choice([0.0, -0.0], size=n),
    "mostly not listed": lambda rng, n: np.where(rng.random(n) < 0.01, rng.normal(size=n), -np.inf),
    "never listed": lambda rng, n: np.full(n, -np.inf),
    "rising": lambda rng, n: np.arange(n),
    "falling": lambda rng, n: -np.arange(n),
}


def by_sorting(row, hash_, depth):
    listed = np.flatnonzero(row > -np.inf)
    return listed[np.lexsort((hash_[listed], -row[listed]))][:depth]


@pytest.mark.parametrize("n_items", [1, 7, 255, 257, 1000, 4096, 4097, 13_000])
@pytest.mark.parametrize("kind", ROWS)
def test_the_list_is_what_sorting_gives(kind, n_items):
    rng = np.random.default_rng(n_items)
    for depth in (1, 10, 100, 300):
        row = ROWS[kind](rng, n_items).astype(np.float32)
        row[rng.random(n_items) < 0.05] = np.nan  # training items
        tests = np.sort(rng.choice(n_items, size=min(5, n_items), replace=False))
        policy = rng.permutation(len(tests)).astype(np.uint64)
        hash_ = hashes(KEY, np.array([3]), np.arange(n_items))
        hash_[tests] = policy
        expected = by_sorting(row, hash_, depth)
        item, value = np.empty(depth, np.int32), np.empty(depth, np.float32)
        scratch = kernels.scratch(n_items)
        kernels.list_best(row, salt(KEY, np.array([3]))[0], tests, policy, item, value, *scratch)
        assert item[: len(expected)].tolist() == expected.tolist()
        assert (item[len(expected) :] == -1).all()
        np.testing.assert_array_equal(value[: len(expected)], row[expected])
        assert np.isnan(value[len(expected) :]).all()


def test_counts_are_exact_past_a_chunk():
    rng = np.random.default_rng(1)
    row = rng.integers(4, size=10_000).astype(np.float32)
    tests = np.array([5, 77, 9_999])
    score, above, tied = np.empty(3, np.float32), np.empty(3, np.int32), np.empty(3, np.int32)
    assert kernels.count_above(row, tests, score, above, tied) == 10_000
    assert above.tolist() == [(row > row[item]).sum() for item in tests]
    assert tied.tolist() == [(row == row[item]).sum() - 1 for item in tests]
