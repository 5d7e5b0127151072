"""Exact ranks and top lists against sorting all candidates."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse, stats
from truerank.errors import UserError
from truerank.ranking import exact, shards
from truerank.ranking.candidates import candidates_of

from tests.ranked import POLICIES, Case, cases
from tests.support import for_each

FIELDS = ("score", "above", "tied", "before", "users", "list_item", "list_score")
FALSE_ALARM = 1e-6  # over keys; the key is fixed, so a test that passes keeps passing


def assert_equal(one, two):
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(one, field), getattr(two, field), err_msg=field)


def large_case(scores, seed=0, tests_per_user=5):
    rng = np.random.default_rng(seed)
    train = rng.random(scores.shape) < 0.05
    tests = {}
    for user in range(len(scores)):
        chosen = rng.choice(scores.shape[1], tests_per_user, replace=False)
        train[user, chosen] = False
        tests |= {(user, int(item)): int(rng.integers(1, 6)) for item in chosen}
    return Case(scores, train, tests)


@pytest.mark.parametrize("policy", POLICIES)
@given(case=cases(), depth=st.sampled_from([1, 2, 5, 100]), key=st.integers(0, 2**64 - 1))
def test_ranks_and_lists_are_those_of_the_sorted_candidates(policy, case, depth, key):
    case.check(case.rank(policy, key, depth=depth), policy, key, depth)


@pytest.mark.parametrize("rule", ["all", "tested"])
@given(case=cases(), policy=st.sampled_from(POLICIES), depth=st.sampled_from([1, 5, 100]))
def test_ranks_and_lists_among_other_candidates(rule, case, policy, depth):
    case.rule = rule
    case.check(case.rank(policy, depth=depth), policy, depth=depth)


@pytest.mark.parametrize("rule", ["unseen", "all", "tested"])
@given(case=cases())
def test_the_number_of_candidates(rule, case):
    case.rule = rule
    history = sparse.csr_matrix(case.train.astype(np.float32))
    among = candidates_of(rule, history, np.array([item for _, item in case.tests]))
    assert among.per_user.tolist() == [len(case.candidates(user)) for user in range(len(case.scores))]


def test_three_rules_on_one_list():
    """Items 0 to 4 score 9, 8, 7, 6, 5; user 0 trained on 0 and 1; 2 and 4 are tested, 4 by another user alone."""
    scores, train = np.tile([9.0, 8.0, 7.0, 6.0, 5.0], (2, 1)), np.zeros((2, 5), bool)
    train[0, [0, 1]] = True
    tests = {(0, 2): 4, (1, 4): 4}
    found = {rule: Case(scores, train, tests, rule).rank() for rule in ("unseen", "all", "tested")}
    assert {rule: ranking.above.tolist() for rule, ranking in found.items()} == {
        "unseen": [0, 4],
        "all": [2, 4],
        "tested": [0, 1],
    }
    assert {rule: ranking.list_item[0].tolist() for rule, ranking in found.items()} == {
        "unseen": [2, 3, 4, -1, -1],
        "all": [0, 1, 2, 3, 4],
        "tested": [2, 4, -1, -1, -1],
    }


@given(cases())
def test_without_a_policy_ties_are_in_the_seeded_order(case):
    given = case.rank("random")
    pairs = np.array(sorted(case.tests))
    history = sparse.csr_matrix(case.train.astype(np.float32))
    plain = exact.rank_items(
        lambda users: case.scores[users].astype(np.float32), history, pairs[:, 0], pairs[:, 1], np.uint64(11)
    )
    assert_equal(given, plain)


@pytest.mark.slow
@for_each("policy", POLICIES)
@for_each("values", ["distinct", "tied", "mostly minus infinity", "best in one lane", "all equal"])
def test_catalogues_of_several_tiles(policy, values):
    """A list starts from the best of each lane, every 512th item of a tile of 4,096: put all good items into one."""
    rng = np.random.default_rng(5)
    shape = 3, 9000
    scores = {
        "distinct": rng.normal(size=shape),
        "tied": rng.integers(0, 20, shape).astype(float),
        "mostly minus infinity": np.where(rng.random(shape) < 0.02, rng.integers(0, 5, shape), -math.inf),
        "best in one lane": rng.integers(0, 3, shape) + 10.0 * (np.arange(9000) % 512 == 7),
        "all equal": np.zeros(shape),
    }[values]
    case = large_case(scores)
    case.check(case.rank(policy), policy)


@pytest.mark.parametrize("depth", [1, 7, 100, 2999, 3000, 5000])
def test_any_depth(depth):
    case = large_case(np.random.default_rng(6).integers(0, 50, (2, 3000)).astype(float))
    case.check(case.rank(depth=depth), depth=depth)


@pytest.mark.parametrize("policy", POLICIES)
@given(case=cases())
def test_the_list_and_the_rank_table_agree(policy, case):
    ranking = case.rank(policy)
    row = {user: place for place, user in enumerate(ranking.users.tolist())}
    for t, (user, item) in enumerate(sorted(case.tests)):
        rank = 1 + ranking.above[t] + ranking.before[t]
        listed = ranking.list_item[row[user]].tolist()
        if rank <= len(listed) and case.scores[user, item] > -math.inf:
            assert listed[rank - 1] == item
        else:
            assert item not in listed


@given(cases())
def test_ranks_of_a_users_test_items_are_all_different(case):
    for policy in POLICIES:
        ranking = case.rank(policy)
        places = [
            (user, rank) for (user, _), rank in zip(sorted(case.tests), ranking.above + ranking.before, strict=True)
        ]
        assert len(set(places)) == len(places)


@given(cases())
def test_pessimistic_is_never_ahead_of_random_nor_random_of_optimistic_for_a_single_test_item(case):
    single = {}
    for (user, item), rating in sorted(case.tests.items()):
        single.setdefault(user, ((user, item), rating))
    case.tests = dict(single.values())
    optimistic, random, pessimistic = (case.rank(policy) for policy in ("optimistic", "random", "pessimistic"))
    listed = optimistic.score > -math.inf
    assert (optimistic.before[listed] == 0).all()
    assert (optimistic.before[~listed] == optimistic.tied[~listed]).all(), "what is not recommended does not tie"
    assert (optimistic.before <= random.before).all()
    assert (random.before <= pessimistic.before).all()
    assert (pessimistic.before == pessimistic.tied).all()


@pytest.mark.parametrize("policy", POLICIES)
def test_an_item_that_is_not_recommended_gets_no_place_in_a_list_that_is_too_short(policy):
    """Two items are listed, ten are asked for: the other test items come last of all 30, not third to tenth."""
    scores = np.full((1, 30), -math.inf)
    scores[0, [4, 7]] = 2.0, 1.0
    tests = {(0, 4): 5, (0, 9): 5, (0, 20): 3}
    ranking = Case(scores, np.zeros((1, 30), bool), tests).rank(policy, depth=10)
    assert (1 + ranking.above + ranking.before)[0] == 1
    assert sorted((1 + ranking.above + ranking.before)[1:]) == [29, 30]
    assert ranking.list_item[0].tolist() == [4, 7] + [-1] * 8


def test_one_item():
    case = Case(np.array([[3.0]]), np.array([[False]]), {(0, 0): 5})
    ranking = case.rank()
    assert (ranking.above[0], ranking.tied[0], ranking.before[0]) == (0, 0, 0)
    assert ranking.list_item.tolist() == [[0]]


def test_a_user_whose_only_candidate_is_the_test_item_has_rank_1():
    case = Case(np.array([[9.0, 1.0, 9.0]]), np.array([[True, False, True]]), {(0, 1): 1})
    ranking = case.rank("pessimistic")
    assert ranking.above.tolist() == ranking.tied.tolist() == [0]
    assert ranking.list_item.tolist() == [[1, -1, -1]]


def test_training_items_are_no_candidates_however_high_they_score():
    scores = np.array([[9.0, 8.0, 1.0, 1.0, 0.0]])
    case = Case(scores, np.array([[True, False, False, True, False]]), {(0, 2): 4})
    ranking = case.rank()
    assert (ranking.above[0], ranking.tied[0]) == (1, 0)
    assert ranking.list_item.tolist() == [[1, 2, 4, -1, -1]]


def test_minus_infinity_ranks_last_and_is_not_listed():
    case = Case(np.array([[0.0, -math.inf, -math.inf]]), np.zeros((1, 3), bool), {(0, 1): 4})
    ranking = case.rank("pessimistic")
    assert (ranking.above[0], ranking.tied[0], ranking.before[0]) == (1, 1, 1)
    assert ranking.list_item.tolist() == [[0, -1, -1]]


def test_users_without_a_test_row_are_not_asked_for():
    asked = []
    case = Case(np.zeros((5, 2)), np.zeros((5, 2), bool), {(1, 0): 4, (3, 1): 4})

    def scores(users):
        asked.extend(users.tolist())
        return np.zeros((len(users), 2), np.float32)

    assert case.rank(scores=scores).users.tolist() == [1, 3]
    assert asked == [1, 3]


def test_no_test_rows_give_empty_results():
    ranking = Case(np.zeros((2, 3)), np.zeros((2, 3), bool), {}).rank()
    assert len(ranking.score) == len(ranking.users) == 0
    assert ranking.list_item.shape == (0, 3)


@pytest.mark.parametrize("rule", ["unseen", "all", "tested"])
@pytest.mark.parametrize("bad", [math.nan, -math.nan, math.inf])
@pytest.mark.parametrize("place", ["test item", "other item", "training item"])
def test_a_score_that_has_no_order_is_a_users_error_that_names_the_user(rule, bad, place):
    item = {"test item": 0, "other item": 1, "training item": 2}[place]
    scores = np.zeros((4, 3))
    scores[3, item] = bad
    train = np.zeros((4, 3), bool)
    train[:, 2] = True
    case = Case(scores, train, {(user, 0): 4 for user in range(4)}, rule)
    with pytest.raises(UserError, match="user code 3 a score that is not a finite number"):
        case.rank(threads=2)


def test_scores_that_differ_beyond_float32_are_tied():
    case = Case(np.array([[1.0, 1.0 + 1e-12, 1.0 - 1e-12]]), np.zeros((1, 3), bool), {(0, 0): 4})
    assert case.rank().tied.tolist() == [2]


@pytest.mark.parametrize("kind", ["float64", "fortran", "read in columns"])
def test_scores_in_another_layout_give_the_same(kind):
    case = large_case(np.random.default_rng(8).integers(0, 9, (6, 40)).astype(float))
    layout = {
        "float64": lambda block: block.astype(np.float64),
        "fortran": lambda block: np.asfortranarray(block, np.float32),
        "read in columns": lambda block: np.repeat(block, 2, axis=1).astype(np.float32)[:, ::2],
    }[kind]
    assert_equal(case.rank(), case.rank(scores=lambda users: layout(case.scores[users])))


@pytest.mark.parametrize("policy", POLICIES)
def test_threads_and_block_sizes_change_nothing(policy, monkeypatch):
    case = large_case(np.random.default_rng(9).integers(0, 9, (61, 37)).astype(float), tests_per_user=3)
    alone = case.rank(policy)
    case.check(alone, policy)
    assert_equal(alone, case.rank(policy, threads=2))
    for cells, fewest, most in ((1, 1, 1), (37 * 7, 1, 512), (1 << 22, 8, 10), (1, 64, 64)):
        monkeypatch.setattr(exact, "CELLS_PER_BLOCK", cells)
        monkeypatch.setattr(exact, "FEWEST_ROWS", fewest)
        monkeypatch.setattr(exact, "MOST_ROWS", most)
        for threads in (1, 2, 5):
            assert_equal(alone, case.rank(policy, threads=threads))


def test_a_user_is_ranked_alike_whoever_else_is_there():
    case = large_case(np.random.default_rng(10).integers(0, 4, (20, 30)).astype(float))
    together = case.rank()
    for row, user in enumerate((0, 7, 19)):
        tests = {pair: rating for pair, rating in case.tests.items() if pair[0] == user}
        alone = Case(case.scores, case.train, tests).rank()
        mine = [t for t, pair in enumerate(sorted(case.tests)) if pair[0] == user]
        assert (alone.before == together.before[mine]).all(), row
        assert (alone.list_item[0] == together.list_item[user]).all()


@given(st.integers(1, 10**7))
def test_a_block_has_as_many_rows_as_fit_within_limits(n_items):
    rows = exact.rows_per_block(n_items)
    assert exact.FEWEST_ROWS <= rows <= exact.MOST_ROWS
    assert rows * n_items <= exact.CELLS_PER_BLOCK or rows == exact.FEWEST_ROWS


@given(st.integers(0, 100), st.integers(1, 20))
def test_blocks_cover_every_row_once(n, size):
    assert [row for block in shards.blocks(n, size) for row in range(n)[block]] == list(range(n))


def test_random_ties_are_uniform_over_places():
    """Seven items tie for 14,000 users: the test item's place is uniform, and a second test item's given the first."""
    n_users = 14_000
    case = Case(np.zeros((n_users, 7)), np.zeros((n_users, 7), bool), {})
    case.tests = {(user, item): 4 for user in range(n_users) for item in (2, 5)}
    before = case.rank(key=2718).before.reshape(-1, 2)
    assert stats.chisquare(np.bincount(before[:, 0], minlength=7)).pvalue > FALSE_ALARM
    pairs = np.bincount(7 * before[:, 0] + before[:, 1], minlength=49).reshape(7, 7)
    assert (np.diag(pairs) == 0).all()
    assert stats.chisquare(pairs[~np.eye(7, dtype=bool)]).pvalue > FALSE_ALARM


def test_random_ties_change_with_the_key_and_the_lists_with_them():
    case = Case(np.zeros((50, 9)), np.zeros((50, 9), bool), {(user, 4): 4 for user in range(50)})
    one, two = case.rank(key=1), case.rank(key=2)
    assert (one.before != two.before).any()
    assert (one.list_item != two.list_item).any()
    case.check(two, key=2)
