"""The seeded order against Python's unbounded integers, published values and the uniform law."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from truerank.provenance import generator
from truerank.ranking.order import hashes, mix, order_key, salt, tie_hashes

from tests.ranked import python_hash, python_mix

WORDS = st.integers(0, 2**64 - 1)
FALSE_ALARM = 1e-6  # of each statistical test here, over keys; the key is fixed, so a test that passes keeps passing


def test_mix_gives_the_published_stream_of_splitmix64_from_seed_0():
    golden = 0x9E3779B97F4A7C15
    states = np.array([0, golden, 2 * golden % 2**64], np.uint64)
    assert [hex(value) for value in mix(states).tolist()] == [
        "0xe220a8397b1dcdaf",
        "0x6e789e6aa1b965f4",
        "0x6c45d188009454f",
    ]


@given(st.lists(WORDS, min_size=1))
def test_mix_is_arithmetic_modulo_2_to_64(words):
    assert mix(np.array(words, np.uint64)).tolist() == [python_mix(word) for word in words]


@given(WORDS, st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
def test_a_hash_depends_on_the_key_the_user_and_the_item_alone(key, user, item):
    expected = python_hash(key, user, item)
    for dtype in (np.int32, np.int64):
        users, items = np.array([user, 0], dtype), np.array([item, 3], dtype)
        assert hashes(np.uint64(key), users, items)[0] == expected
    assert hashes(np.uint64(key), np.array([[user]]), np.array([5, item]))[0, 1] == expected


@given(WORDS, st.integers(0, 10**6))
def test_no_two_items_of_a_user_have_the_same_hash(key, user):
    assert len(np.unique(hashes(np.uint64(key), np.full(5000, user), np.arange(5000)))) == 5000


def test_keys_come_from_the_generator_and_use_all_64_bits():
    keys = [int(order_key(generator(1, name))) for name in range(200)]
    assert len(set(keys)) == 200
    assert order_key(generator(1, 0)) == keys[0]
    assert all(any(key >> bit & 1 for key in keys) and any(not key >> bit & 1 for key in keys) for bit in range(64))


def test_every_order_of_four_items_is_equally_likely_over_users():
    key = order_key(generator(3, "orders"))
    order = np.argsort(hashes(key, np.arange(48_000)[:, None], np.arange(4)), axis=1)
    counts = [(order == permutation).all(axis=1).sum() for permutation in permutations(range(4))]
    assert stats.chisquare(counts).pvalue > FALSE_ALARM


def test_neighbouring_users_have_unrelated_orders():
    key = order_key(generator(4, "pairs"))
    first = hashes(key, np.arange(20_001)[:, None], np.array([7, 8])).argmin(axis=1)
    table = np.bincount(2 * first[:-1] + first[1:], minlength=4)
    assert stats.chisquare(table).pvalue > FALSE_ALARM


def test_two_keys_give_unrelated_orders():
    users = np.arange(20_000)[:, None]
    one, two = (hashes(np.uint64(key), users, np.array([0, 1])).argmin(axis=1) for key in (5, 6))
    assert stats.chisquare(np.bincount(2 * one + two, minlength=4)).pvalue > FALSE_ALARM


def test_hashes_are_uniform_in_their_high_and_low_bits():
    drawn = hashes(np.uint64(9), np.arange(1000)[:, None], np.arange(64)).ravel()
    for part in (drawn >> np.uint64(58), drawn & np.uint64(63)):
        assert stats.chisquare(np.bincount(part.astype(int), minlength=64)).pvalue > FALSE_ALARM


@st.composite
def held_out(draw):
    pairs = sorted(draw(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 9)), min_size=1)))
    user, item = np.array(pairs).T
    rating = np.array([draw(st.integers(1, 5)) for _ in pairs], np.float32)
    return user, item, rating


@given(WORDS, held_out())
def test_random_ties_are_the_hashes(key, rows):
    user, item, rating = rows
    assert (tie_hashes("random", np.uint64(key), user, item, rating) == hashes(np.uint64(key), user, item)).all()


@pytest.mark.parametrize("policy", ["optimistic", "pessimistic"])
@given(key=WORDS, rows=held_out())
def test_other_policies_order_by_rating_and_keep_the_seeded_order_among_equals(policy, key, rows):
    user, item, rating = rows
    placed = tie_hashes(policy, np.uint64(key), user, item, rating)
    drawn = hashes(np.uint64(key), user, item)
    sign = -1 if policy == "optimistic" else 1
    for code in np.unique(user):
        own = np.flatnonzero(user == code)
        expected = sorted(own, key=lambda row: (sign * rating[row], drawn[row]))
        assert sorted(own, key=lambda row: placed[row]) == expected
    end = np.uint64(len(user)) if policy == "optimistic" else ~np.uint64(len(user))
    assert (placed < end).all() if policy == "optimistic" else (placed > end).all()


def test_a_salt_is_the_mixed_sum_of_key_and_user():
    assert salt(2**64 - 1, np.array([0, 1, 2])).tolist() == [python_mix(2**64 - 1), python_mix(0), python_mix(1)]
