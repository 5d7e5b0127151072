"""K-hit stopping: ranks up to K are those of a full ranking, and nothing is asked in vain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.informed.ranks import known_ranks
from truerank.informed.search import OVERSHOOT, exact_search

from tests.informed import Problem, exact_ranks, one_held_out
from tests.ranked import POLICIES, cases


@pytest.mark.parametrize("policy", POLICIES)
@given(case=cases(), n_places=st.integers(1, 6), seed=st.integers(0, 99))
def test_ranks_up_to_k_are_those_of_a_full_ranking(policy, case, n_places, seed):
    ranking = case.rank(policy)
    rank = 1 + ranking.above + ranking.before
    rating = np.array([case.tests[pair] for pair in sorted(case.tests)], np.float32)
    problem = Problem(case.scores, case.train, case.tests, rating, policy)
    proxy = np.random.default_rng(seed).choice([0.0, 1.0, np.nan], case.scores.shape)
    proxy[:, 0] = 0
    search = problem.search(proxy, n_places)
    exact_search(search)
    assert search.decided.all()
    found = known_ranks(search)
    assert found.certain.all()
    few = np.isfinite(search.score)  # what is not recommended is last in no order of its own
    assert np.array_equal(np.minimum(rank, n_places + 1)[few], np.minimum(found.least, n_places + 1)[few])
    assert len(problem.asked) == len(set(problem.asked)) == search.n_scores


def test_a_user_is_asked_until_k_candidates_are_ahead():
    scores = np.tile(np.arange(100.0), (2, 1))
    problem = Problem(scores, np.zeros((2, 100)), [(0, 49), (1, 98)])
    search = problem.search(np.arange(100.0), 5)  # the proxy is the model
    exact_search(search)
    assert search.asked.tolist() == [5, 99]
    assert search.above.tolist() == [True, False]
    assert known_ranks(search).least.tolist() == [6, 2]


def test_overshoot_is_at_most_one_in_thirty_two():
    problem, popularity = one_held_out()
    search = problem.search(popularity, 10)
    exact_search(search)
    row, position, score = search.scored()
    ahead = score > search.score[row]
    for user in np.flatnonzero(search.above):
        needed = 1 + position[row == user][np.cumsum(ahead[row == user]) >= 10][0]
        assert needed <= search.asked[user] <= needed * (1 + 1 / OVERSHOOT)


def test_a_better_proxy_needs_fewer_scores_and_none_less_than_the_recall():
    problem, popularity = one_held_out()
    rank = exact_ranks(problem)
    cost = {}
    for name, proxy in {"itself": problem.scores, "popularity": popularity, "none": np.zeros(300)}.items():
        search = problem.search(proxy, 10)
        exact_search(search)
        assert np.array_equal(known_ranks(search).least[rank <= 10], rank[rank <= 10])
        cost[name] = search.n_scores
    floor = (search.order.n + 1)[rank <= 10].sum()
    assert floor < cost["itself"] < cost["popularity"] < cost["none"]
