"""Top lists of long rows against sorting, and counts of higher and equal scores against comparing all."""

import numpy as np
from truerank.ranking.compiled import kernels
from truerank.ranking.compiled.shell_sort import sort_by
from truerank.ranking.order import hashes, salt

from tests.support import for_each

KEY = np.uint64(11)
ROWS = {
    "all different": lambda rng, n: rng.permutation(n) - n / 2,
    "normal": lambda rng, n: rng.normal(size=n),
    "three values": lambda rng, n: rng.integers(3, size=n),
    "mostly zero": lambda rng, n: np.where(rng.random(n) < 0.004, rng.normal(size=n), 0),
    "two zeros": lambda rng, n: rng.choice([0.0, -0.0], size=n),
    "mostly not listed": lambda rng, n: np.where(rng.random(n) < 0.01, rng.normal(size=n), -np.inf),
    "never listed": lambda rng, n: np.full(n, -np.inf),
    "one far above": lambda rng, n: np.where(np.arange(n) == n // 2, 1e30, rng.normal(size=n)),
    "a few far above": lambda rng, n: np.where(rng.random(n) < 0.01, 1e30 * rng.random(n), rng.normal(size=n)),
    "all sizes": lambda rng, n: rng.choice([-1, 1], size=n) * 10.0 ** rng.integers(-44, 38, size=n),
    "the widest range": lambda rng, n: rng.choice([-3e38, -1, 0, 1, 3e38], size=n),
    "the narrowest range": lambda rng, n: rng.integers(3, size=n) * 1e-45,
    "rising": lambda rng, n: np.arange(n),
    "falling": lambda rng, n: -np.arange(n),
}


def train():
    """Return the NaN that stands for a training item."""
    return np.array([kernels.NAN]).view(np.float32)[0]


def encode(row, codes):
    """Write the codes of a row."""
    kernels.encode(row, *kernels.bounds(row), codes)


def by_sorting(row, hash_, depth):
    listed = np.flatnonzero(row > -np.inf)
    return listed[np.lexsort((hash_[listed], -row[listed]))][:depth]


@for_each("n_items", [1, 7, 511, 513, 1000, 4096, 4097, 13_000])
@for_each("kind", ROWS)
def test_the_list_is_what_sorting_gives(kind, n_items):
    rng = np.random.default_rng(n_items)
    for depth in (1, 10, 100, 300):
        row = ROWS[kind](rng, n_items).astype(np.float32)
        row[rng.random(n_items) < 0.05] = train()
        tests = np.sort(rng.choice(n_items, size=min(5, n_items), replace=False))
        policy = rng.permutation(len(tests)).astype(np.uint64)
        hash_ = hashes(KEY, np.array([3]), np.arange(n_items))
        hash_[tests] = policy
        expected = by_sorting(row, hash_, depth)
        item, value = np.empty(depth, np.int32), np.empty(depth, np.float32)
        codes, *room = kernels.scratch(n_items)
        encode(row, codes)
        given = salt(KEY, np.array([3]))[0], tests, policy
        kernels.list_best(row, codes, given, item, value, *room)
        assert item[: len(expected)].tolist() == expected.tolist()
        assert (item[len(expected) :] == -1).all()
        np.testing.assert_array_equal(value[: len(expected)], row[expected])
        assert np.isnan(value[len(expected) :]).all()


@for_each("n_items", [1, 7, 1000, 10_000])
@for_each("kind", ROWS)
def test_counts_are_those_of_the_scores(kind, n_items):
    rng = np.random.default_rng(n_items)
    row = ROWS[kind](rng, n_items).astype(np.float32)
    trained = rng.random(n_items) < 0.05
    row[trained] = train()
    tests = np.flatnonzero(~trained)[:: 1 + n_items // 40]
    codes = kernels.scratch(n_items)[0]
    encode(row, codes)
    before = row.copy(), codes.copy()
    score = np.empty(len(tests), np.float32)
    above, tied = np.empty(len(tests), np.int32), np.empty(len(tests), np.int32)
    kernels.count_above(row, codes, tests, score, above, tied)
    np.testing.assert_array_equal(row, before[0])
    np.testing.assert_array_equal(codes, before[1])
    np.testing.assert_array_equal(score, row[tests])
    assert above.tolist() == [(row > row[item]).sum() for item in tests]
    assert tied.tolist() == [(row == row[item]).sum() - 1 for item in tests]


@for_each("kind", ROWS)
def test_codes_never_order_two_scores_the_wrong_way_round(kind):
    row = np.sort(ROWS[kind](np.random.default_rng(2), 5000).astype(np.float32))
    codes = kernels.scratch(len(row))[0]
    encode(row, codes)
    assert (np.diff(codes[: len(row)].astype(int)) >= 0).all()
    assert ((codes[: len(row)] == kernels.LOWEST) == np.isneginf(row)).all()
    assert (codes[len(row) :] == kernels.NO_CODE).all()


@for_each("kind", ROWS)
def test_bounds_are_the_least_finite_score_and_the_best(kind):
    rng = np.random.default_rng(3)
    row = ROWS[kind](rng, 1000).astype(np.float32)
    row[::7] = train()
    finite = row[np.isfinite(row)]
    assert kernels.bounds(row) == ((finite.min(), finite.max()) if len(finite) else (np.inf, -np.inf))


@for_each("bad", [np.inf, np.nan, -np.nan])
def test_a_row_with_a_score_that_has_no_order_is_noticed(bad):
    row = np.random.default_rng(3).normal(size=1000).astype(np.float32)
    row[7] = -np.inf
    assert kernels.all_ordered(row)
    row[500] = bad
    assert not kernels.all_ordered(row)


def test_values_are_sorted_by_their_hashes():
    rng = np.random.default_rng(0)
    for n in (0, 1, 2, 3, 13, 40, 1000):
        hashes = rng.permutation(np.arange(n, dtype=np.uint64) << np.uint64(50))
        values = np.arange(n)
        expected = np.argsort(hashes)
        sort_by(hashes, values)
        assert (values == expected).all()
        assert (np.diff(hashes.astype(float)) > 0).all()
