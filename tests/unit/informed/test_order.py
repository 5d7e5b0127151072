"""The order of candidates by a proxy against sorting each user's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.errors import UserError

from tests.informed import Problem
from tests.ranked import cases


def listed(order, row):
    positions = np.arange(order.n[row])
    return order.items(np.full(len(positions), row), positions)


@given(case=cases(), shared=st.booleans(), seed=st.integers(0, 99))
def test_candidates_come_in_the_order_of_the_proxy(case, shared, seed):
    rng = np.random.default_rng(seed)
    shape = case.scores.shape[1:] if shared else case.scores.shape
    proxy = rng.choice([0.0, 1.0, 2.0, np.nan, -np.inf], shape)
    proxy[..., 0] = 1.0
    problem = Problem(case.scores, case.train, case.tests)
    order = problem.order(proxy, seed)
    start = problem.tests.start
    for row, user in enumerate(problem.tests.users):
        tests = problem.tests.item[start[row] : start[row + 1]]
        own = proxy if shared else proxy[user]
        value = np.where(np.isnan(own), -np.inf, own)
        found = listed(order, row)
        wanted = np.setdiff1d(np.flatnonzero(~case.train[user]), tests)
        assert sorted(found) == wanted.tolist()
        assert np.all(value[found][:-1] >= value[found][1:])
        for test, rank in zip(tests, order.own_rank[start[row] : start[row + 1]], strict=True):
            higher, tied = (value[wanted] > value[test]).sum(), (value[wanted] == value[test]).sum()
            assert 1 + higher <= rank <= 1 + higher + tied


def test_items_of_equal_proxy_score_are_shuffled_by_the_seed():
    problem = Problem(np.zeros((1, 200)), np.zeros((1, 200)), [(0, 5)])
    one, again, other = (listed(problem.order(np.ones(200), seed), 0) for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert abs(np.corrcoef(np.arange(199), one)[0, 1]) < 0.3


@pytest.mark.parametrize("proxy", [np.full(5, np.nan), np.full((2, 5), -np.inf)])
def test_a_proxy_that_knows_no_item_is_refused(proxy):
    problem = Problem(np.zeros((2, 5)), np.zeros((2, 5)), [(0, 1), (1, 2)])
    with pytest.raises(UserError, match="the proxy has a score for no item"):
        problem.order(proxy)
