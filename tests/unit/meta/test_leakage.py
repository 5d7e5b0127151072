"""Leakage against a count by loops, and on splits whose answer needs no computer."""

import numpy as np
import pytest
from truerank.meta.leakage import leakage
from truerank.provenance import generator


def by_loops(train, test):
    """The same counts, pair by pair. train, test : lists of a user and a time."""
    late = [any(time > other and user != own for own, other in test) for user, time in train]
    pairs = [time > other for user, time in train for own, other in test if user != own]
    own_later = [any(time > other and user == own for user, time in train) for own, other in test]
    median = np.median([time for _, time in test])
    return (
        np.mean(late),
        np.mean(pairs) if pairs else np.nan,
        np.mean([time > median for _, time in train]),
        np.mean(own_later),
    )


def test_shares_equal_a_count_of_pairs():
    rng = generator(1, "leakage")
    for _ in range(60):
        n_users, n_train, n_test = rng.integers(1, 5), rng.integers(1, 12), rng.integers(1, 6)
        train, test = (
            list(zip(rng.integers(n_users, size=n).tolist(), rng.integers(-3, 6, n).tolist(), strict=True))
            for n in (n_train, n_test)
        )
        found = leakage(*(np.array(column) for part in (train, test) for column in zip(*part, strict=True)))
        np.testing.assert_allclose(found, by_loops(train, test), equal_nan=True)


def test_a_cut_at_one_moment_leaks_nothing_and_last_rows_do():
    user, time = np.repeat(np.arange(4), 5), np.arange(20)
    assert leakage(user[time < 12], time[time < 12], user[time >= 12], time[time >= 12]) == (0, 0, 0, 0)
    last = time % 5 == 4
    found = leakage(user[~last], time[~last], user[last], time[last])
    assert found.own_later == 0, "a user's own rows are earlier"
    assert found.later_than_a_test_row == pytest.approx(12 / 16), "all rows but those of the first user"
    assert found.later_on_average == pytest.approx(0.5)
    assert all(np.isnan(leakage(user[:0], time[:0], user, time)))
