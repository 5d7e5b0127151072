"""The sign-flip test against full enumeration, against scipy, and against itself under changes that must not matter."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from truerank.meta.significance import compare, holm

DRAWS = 20_000
SIX_SIGMA = 6.0  # a false alarm in 500 million comparisons


def rng():
    return np.random.default_rng(5)


def lattice_pair(n_differing, n_users, k=10, seed=0):
    """Return precision@k of two systems that differ for some users only, by at most two places."""
    draw = np.random.default_rng(seed)
    one = draw.integers(2, k - 1, n_users) / k
    other = one.copy()
    other[:n_differing] = one[:n_differing] + draw.choice([-2, -1, 1, 2], n_differing, p=[0.1, 0.2, 0.3, 0.4]) / k
    return np.column_stack([one, other])


def enumerated(one, other, k=None):
    """Return the exact p-value from all sign vectors; on a lattice of k-ths in whole numbers, without rounding."""
    difference = one - other if k is None else np.rint(k * one) - np.rint(k * other)
    difference = difference[difference != 0]
    signs = np.array(list(product([1, -1], repeat=len(difference))))
    sums, observed = np.abs(signs @ difference), abs(difference.sum())
    return np.mean(sums >= observed - 1e-9)


def assert_close(p_value, exact, draws=DRAWS):
    error = np.sqrt(exact * (1 - exact) / draws) + 1 / draws
    assert abs(p_value - exact) < SIX_SIGMA * error


@pytest.mark.parametrize("n_users", [1, 2, 5, 12])
def test_full_enumeration_of_few_users(n_users):
    scores = np.random.default_rng(n_users).random((n_users, 4))
    found = compare([scores], rng(), DRAWS)[0]
    for a, b, p_value in zip(found.left, found.right, found.p_value, strict=True):
        assert_close(p_value, enumerated(scores[:, a], scores[:, b]))


@pytest.mark.slow
@pytest.mark.parametrize("n_users", [0, 1000])
@pytest.mark.parametrize("n_differing", [12, 16, 20])
def test_ties_on_the_lattice_of_precision_all_count(n_differing, n_users):
    scores = lattice_pair(n_differing, n_differing + n_users)
    exact = enumerated(*scores.T, k=10)
    assert_close(compare([scores], rng(), DRAWS)[0].p_value[0], exact)
    assert_close(compare([scores.astype(np.float32)], rng(), DRAWS)[0].p_value[0], exact)


def test_ties_count_with_thirty_differing_users():
    """The number of draws that reach the observed sum is binomial when all differences are of one size."""
    one = np.full(30, 0.3)
    other = np.where(np.arange(30) < 18, 0.2, 0.4)
    exact = 2 * stats.binom.sf(17, 30, 0.5)
    assert_close(compare([np.column_stack([one, other])], rng(), DRAWS)[0].p_value[0], exact)


def test_ties_of_fractions_that_fit_no_grid():
    """Thirteenths and seventeenths, as recall has, are decided by the scores themselves."""
    one = np.array([3 / 13, 5 / 17, 1 / 13, 11 / 17] * 3)
    other = np.array([1 / 13, 7 / 17, 3 / 13, 9 / 17] * 3)
    assert_close(compare([np.column_stack([one, other])], rng(), DRAWS)[0].p_value[0], enumerated(one, other))


@pytest.mark.slow
def test_agrees_with_scipy():
    draw = np.random.default_rng(2)
    scores = np.clip(0.3 + draw.normal(0, 0.1, (200, 1)) + draw.normal([0, 0.005, 0.02], 0.1, (200, 3)), 0, 1)
    found = compare([scores], rng(), DRAWS)[0]
    for a, b, difference, p_value in zip(found.left, found.right, found.difference, found.p_value, strict=True):
        theirs = stats.permutation_test(
            (scores[:, a], scores[:, b]),
            lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=DRAWS,
            rng=np.random.default_rng(9),
        )
        assert difference == pytest.approx(theirs.statistic)
        assert_close(p_value, theirs.pvalue, DRAWS / 2)


def case(seed=3, n_users=150):
    draw = np.random.default_rng(seed)
    smooth = draw.random((n_users, 4)) * [1, 1, 0.9, 0.8]
    return [smooth, np.round(smooth, 1)], draw.permutation(10_000)[:n_users]


def p_values(found):
    return [comparison.p_value.tolist() for comparison in found]


def test_the_order_of_users_does_not_matter():
    tables, users = case()
    shuffle = np.random.default_rng(0).permutation(len(users))
    shuffled = compare([table[shuffle] for table in tables], rng(), 5000, users[shuffle])
    assert p_values(shuffled) == p_values(compare(tables, rng(), 5000, users))


@pytest.mark.parametrize("size", [1, 1000])
def test_a_constant_added_to_a_user_does_not_matter(size):
    tables, users = case()
    constant = size * np.random.default_rng(0).random((len(users), 1))
    moved = compare([table + constant for table in tables], rng(), 5000, users)
    assert p_values(moved) == p_values(compare(tables, rng(), 5000, users))


def test_another_system_metric_or_core_does_not_matter():
    tables, users = case()
    extra = np.random.default_rng(8).random((len(users), 1)) * 40
    found = compare(
        [extra * tables[0], *(np.hstack([table, extra]) for table in tables)], rng(), 5000, users, threads=2
    )
    for table, comparison in zip(tables, found[1:], strict=True):
        alone = compare([table], rng(), 5000, users)[0]
        old = comparison.right < 4
        assert comparison.p_value[old].tolist() == alone.p_value.tolist()
        np.testing.assert_allclose(comparison.difference[old], alone.difference)


def test_more_draws_extend_the_same_stream():
    tables, users = case()
    few, many = (compare(tables, rng(), draws, users)[0].p_value * (1 + draws) - 1 for draws in (1000, 1700))
    assert ((few <= many + 1e-9) & (many <= few + 700 + 1e-9)).all()


def test_uniform_under_the_null():
    """400 independent pairs of exchangeable systems; a Kolmogorov-Smirnov test that errs once in 100,000 seeds."""
    draw = np.random.default_rng(4)
    tables = [draw.random((60, 2)) for _ in range(400)]
    found = np.array(p_values(compare(tables, rng(), 2000))).ravel()
    assert stats.kstest(found, "uniform").pvalue > 1e-5


def test_signs_of_one_draw_are_fair_and_independent():
    """One user's difference flips half the time: p = 1. Two unlike ones reach their sum half the time."""
    assert compare([np.array([[1.0, 0.0]])], rng(), DRAWS)[0].p_value[0] == 1
    assert_close(compare([np.array([[1.0, 0.0], [0.4, 0.0]])], rng(), DRAWS)[0].p_value[0], 0.5)


def test_undefined_users_count_as_zero_or_leave_the_pair():
    tables, users = case()
    table = tables[0].copy()
    table[:30] = np.nan
    table[30:40, 1] = np.nan
    zero = compare([table], rng(), 3000, users)[0]
    assert p_values([zero]) == p_values(compare([np.nan_to_num(table)], rng(), 3000, users))
    drop = compare([table], rng(), 3000, users, "drop")[0]
    for place, (a, b) in enumerate(combinations(range(4), 2)):
        kept = ~np.isnan(table[:, [a, b]]).any(axis=1)
        alone = compare([table[np.ix_(kept, [a, b])]], rng(), 3000, users[kept])[0]
        assert (drop.left[place], drop.right[place]) == (a, b)
        assert drop.p_value[place] == alone.p_value[0]
        assert drop.difference[place] == pytest.approx(alone.difference[0])


def test_degenerate_tables():
    same = np.repeat(np.random.default_rng(1).random((50, 1)), 2, axis=1)
    assert compare([same], rng(), 999)[0].p_value[0] == 1
    assert compare([np.zeros((50, 2))], rng(), 999)[0].p_value[0] == 1
    assert len(compare([np.ones((50, 1))], rng(), 999)[0].p_value) == 0
    assert len(compare([np.empty((50, 0)), same], rng(), 999)[0].p_value) == 0
    assert compare([], rng()) == []
    far = np.column_stack([np.ones(200), np.zeros(200)])
    assert compare([far], rng(), 999)[0].p_value[0] == 1 / 1000
    undefined = compare([np.full((5, 2), np.nan)], rng(), 99, undefined_users="drop")[0]
    assert undefined.p_value[0] == 1
    assert np.isnan(undefined.difference[0])
    with pytest.raises(ValueError, match="infinite"):
        compare([np.array([[np.inf, 0.0]])], rng(), 99)


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=30))
def test_holm_is_the_textbooks(p_values):
    """In order, each p-value times the number of those not yet rejected, the largest so far, at most 1."""
    expected, largest = {}, 0.0
    for step, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, p_values[place] * (len(p_values) - step))
        expected[place] = min(1.0, largest)
    assert holm(np.array(p_values)).tolist() == [expected[place] for place in range(len(p_values))]


def test_power_is_the_sum_over_pairs():
    found = compare(case()[0], rng(), 999)[0]
    assert found.power == pytest.approx(sum(found.p_value))
    assert (found.p_holm >= found.p_value).all()


@pytest.mark.parametrize(
    ("tables", "choices", "sentence"),
    [
        ([np.eye(3)], {"undefined_users": "Zero"}, "undefined_users is 'Zero', expected one of: zero, drop"),
        ([np.eye(3)], {"draws": 0}, "draws is 0, expected a whole number of at least 1"),
        ([np.eye(3)], {"draws": 1e3}, "draws is 1000.0, expected a whole number"),
        (np.eye(3), {}, "table 0 has 1 axes, expected users x systems; give a list of tables"),
        ([1.0, 2.0], {}, "table 0 has 0 axes, expected users x systems"),
        ([np.eye(3), np.eye(4)], {}, "table 1 has 4 users, expected 3"),
        ([np.eye(3)], {"users": [1, 2]}, "table 0 has 3 users, expected 2"),
    ],
)
def test_what_cannot_be_compared_is_refused(tables, choices, sentence):
    with pytest.raises(ValueError, match=sentence):
        compare(tables, rng(), **choices)


def test_lists_do():
    table = [[1, 0], [0.5, 0.2], [0.1, 0.3]]
    assert p_values(compare([table], rng(), 500)) == p_values(compare([np.array(table)], rng(), 500))
    assert p_values(compare([table], rng(), 500, [4, 2, 9])) == p_values(
        compare([table], rng(), 500, np.array([4, 2, 9]))
    )
    np.testing.assert_allclose(holm([0.04, 0.01]), [0.04, 0.02])
