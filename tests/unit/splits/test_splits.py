"""Every split against a loop over users, and the rules about ties, missing times and lonely rows."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from truerank.errors import UserError
from truerank.provenance import generator
from truerank.registry import SPLITS
from truerank.splits._core.rows import NO_TIME, Rows, first_of_each
from truerank.splits.given import given as given_split
from truerank.splits.global_time import global_time
from truerank.splits.leave_last_out import leave_last_out
from truerank.splits.user_fraction import user_fraction

TIMES = st.one_of(st.just(NO_TIME), st.integers(0, 6))
PAIRS = st.dictionaries(st.tuples(st.integers(0, 5), st.integers(0, 9)), TIMES, min_size=1, max_size=40)
SHARES = st.sampled_from([0.05, 0.2, 0.25, 0.29, 0.5, 0.8, 0.99])


def rows_of(times, part=None):
    user, item = np.array(list(times)).T
    return Rows(user, item, np.array(list(times.values())), part)


def rng():
    return generator(7, "split_interactions", "data", "split")


def held_out(rows, cut):
    """The test pairs as a set, having checked that test and dropped rows do not overlap."""
    assert not (cut.test & cut.dropped).any()
    return set(zip(rows.user[cut.test].tolist(), rows.item[cut.test].tolist(), strict=True))


def of_user(times, user):
    return {pair: time for pair, time in times.items() if pair[0] == user}


@given(PAIRS, SHARES, st.integers(1, 4))
def test_user_fraction_holds_out_the_rounded_share_of_each_user(times, share, least):
    rows = rows_of(times)
    test = held_out(rows, user_fraction(rows, rng(), test=share, min_interactions=least))
    for user in {pair[0] for pair in times}:
        n = len(of_user(times, user))
        half_up = math.floor(round(share * n, 6) + 0.5)
        assert len(of_user(dict.fromkeys(test), user)) == (min(half_up, n - 1) if n >= least else 0)


def test_user_fraction_picks_every_pair_equally_often():
    rows = rows_of({(0, item): NO_TIME for item in range(5)} | {(1, 0): NO_TIME})
    counts = sum(user_fraction(rows, generator(seed), test=0.4).test.astype(int) for seed in range(4_000))
    np.testing.assert_allclose(counts[:5] / 4_000, 0.4, atol=0.04)
    assert counts[5] == 0


@given(PAIRS, st.integers(1, 3))
def test_leave_last_out_holds_out_rows_no_older_than_those_it_keeps(times, last):
    assume(any(time != NO_TIME for time in times.values()))
    rows = rows_of(times)
    test = held_out(rows, leave_last_out(rows, rng(), last=last))
    for user in {pair[0] for pair in times}:
        mine = of_user(times, user)
        late = [time for pair, time in mine.items() if pair in test]
        early = [time for pair, time in mine.items() if pair not in test]
        assert len(late) == min(last, len(mine) - 1)
        assert not late or min(late) >= max(early)


def test_leave_last_out_breaks_ties_in_time_at_random():
    rows = rows_of({(0, 0): 9, (0, 1): 9, (0, 2): 3, (1, 0): NO_TIME, (1, 1): 0})
    counts = sum(leave_last_out(rows, generator(seed)).test.astype(int) for seed in range(2_000))
    np.testing.assert_allclose(counts[:2] / 2_000, 0.5, atol=0.05)
    assert counts[2:].tolist() == [0, 0, 2_000]


@given(PAIRS, st.integers(0, 6))
def test_global_time_cuts_strictly_after_the_moment_and_drops_cold_users(times, after):
    assume(any(time != NO_TIME for time in times.values()))
    rows = rows_of(times)
    cut = global_time(rows, rng(), after=after)
    warm = {user for (user, _), time in times.items() if time <= after}
    late = {pair for pair, time in times.items() if time > after}
    assert held_out(rows, cut) == {pair for pair in late if pair[0] in warm}
    dropped = set(zip(rows.user[cut.dropped].tolist(), rows.item[cut.dropped].tolist(), strict=True))
    assert dropped == {pair for pair in late if pair[0] not in warm}


@given(PAIRS, SHARES)
def test_global_time_quantile_is_a_moment_of_the_data(times, quantile):
    known = sorted(time for time in times.values() if time != NO_TIME)
    assume(known)
    moment = known[math.floor(quantile * (len(known) - 1))]
    rows = rows_of(times)
    by_quantile, by_moment = (
        global_time(rows, rng(), quantile=quantile),
        global_time(rows, rng(), after=moment),
    )
    np.testing.assert_array_equal(by_quantile.test, by_moment.test)


def test_given_uses_the_parts():
    part = np.array([False, True, False])
    rows = rows_of({(0, 0): 1, (0, 1): 1, (1, 1): 1}, part)
    np.testing.assert_array_equal(given_split(rows, rng()).test, part)


SETTINGS = {
    "user_fraction": {"test": 0.3},
    "leave_last_out": {},
    "global_time": {"quantile": 0.6},
    "given": {},
}


@pytest.mark.parametrize("kind", SPLITS.names)
@given(times=PAIRS, random=st.randoms())
def test_order_of_rows_does_not_matter(kind, times, random):
    assume(any(time != NO_TIME for time in times.values()))
    in_test = {pair: (pair[0] + pair[1]) % 2 == 0 for pair in times}
    shuffled = dict(random.sample(list(times.items()), len(times)))
    cuts = []
    for rows in (times, shuffled):
        table = rows_of(rows, np.array([in_test[pair] for pair in rows]))
        cuts.append(held_out(table, SPLITS[kind].make(table, rng(), **SETTINGS[kind])))
    assert cuts[0] == cuts[1]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30))
def test_first_of_each_against_sorting_each_user(rows):
    user, first_key, second_key = np.array(rows).T
    n_first = np.arange(5) % 3
    marked = first_of_each(user, n_first, first_key, second_key)
    for one in range(5):
        mine = [row for row in rows if row[0] == one]
        chosen = sorted(row for row, mark in zip(rows, marked, strict=True) if mark and row[0] == one)
        assert chosen == sorted(mine)[: n_first[one]]


@pytest.mark.parametrize("kind", ["leave_last_out", "global_time"])
def test_no_timestamps_at_all_is_an_error_that_names_the_alternatives(kind):
    rows = rows_of({(0, 0): NO_TIME, (0, 1): NO_TIME})
    with pytest.raises(UserError, match=rf"split {kind} needs timestamps.*columns\.timestamp.*user_fraction.*given"):
        SPLITS[kind].make(rows, rng(), **SETTINGS[kind])


@pytest.mark.parametrize("settings", [{}, {"quantile": 0.5, "after": 3}])
def test_global_time_wants_one_of_its_two_settings(settings):
    with pytest.raises(UserError, match="`quantile` or `after`"):
        global_time(rows_of({(0, 0): 1}), rng(), **settings)


def test_given_without_parts_is_an_error():
    with pytest.raises(UserError, match=r"given needs a dataset in two parts.*source: files.*user_fraction"):
        given_split(rows_of({(0, 0): 1}), rng())
