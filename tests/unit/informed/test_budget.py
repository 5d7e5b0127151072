"""Searches within a budget: what is asked, and who shares it."""

import numpy as np
import pytest
from truerank.informed.budget import budget_search
from truerank.informed.design import follow
from truerank.informed.pilot import LEAST_LIFT, affordable_size, pilot, pilot_rows, uniform_search
from truerank.informed.ranks import known_ranks
from truerank.informed.search import alone, exact_search
from truerank.informed.strata import groups_of, seen_by, stratum_edges
from truerank.value_counts import ValueCounts

from tests.informed import exact_ranks, one_held_out

KEY = np.uint64(5)


@pytest.mark.parametrize("budget", [2, 5, 15, 40, 90, 400])
def test_a_budget_is_spent_and_not_exceeded(budget):
    problem, popularity = one_held_out()
    search = problem.search(popularity, 5)
    budget_search(alone(search), budget * 400, KEY)
    assert len(set(problem.asked)) == len(problem.asked) == search.n_scores <= budget * 400
    assert search.decided.all() or search.n_scores > 0.95 * budget * 400
    rank, known = exact_ranks(problem), known_ranks(search)
    sure = known.certain & (rank <= 5)
    assert np.array_equal(known.least[sure], rank[sure])
    assert (known.least <= rank)[rank <= 5].all()
    assert (known.largest >= np.minimum(rank, 6)).all()


def test_a_budget_that_is_spent_before_asks_for_no_candidate():
    """A pilot and an audit may leave less than the test items cost."""
    for n_scores in (-5000, 0, 400):
        problem, popularity = one_held_out()
        search = problem.search(popularity, 5)
        assert budget_search(alone(search), n_scores, KEY).head == 0
        assert search.n_scores == 400, "the test items"


def test_more_budget_asks_about_the_same_and_more():
    seen = []
    for budget in (30, 60):
        problem, popularity = one_held_out()
        search = problem.search(popularity, 5)
        design = budget_search(alone(search), budget * 400, KEY)
        row, position, _ = search.scored()
        tail = position >= 40
        seen.append(set(zip(row[tail].tolist(), position[tail].tolist(), strict=True)))
        assert design.head <= 40
    least, more = seen
    assert len(least - more) < 0.1 * len(least)  # of users who were decided by an earlier position


@pytest.mark.parametrize("budget", [3, 40, 90, 400])
def test_parts_that_begin_anew_are_asked_what_all_are(budget):
    problem, popularity = one_held_out()
    whole = problem.search(popularity, 5)
    design = budget_search(alone(whole), budget * 400, KEY)

    def parts():
        return problem.parts(popularity, 5, 90)

    assert budget_search(parts, budget * 400, KEY) == design
    asked = []
    for search in parts():
        follow(search, design, KEY)
        asked.append(search.asked)
    assert np.array_equal(np.concatenate(asked), whole.asked)


def test_the_tail_has_the_chances_that_it_should():
    problem, popularity = one_held_out(2000, 300, noise=2.0)
    search = problem.search(popularity, 50)
    design = budget_search(alone(search), 120 * 2000, KEY)
    live = np.flatnonzero(~search.decided)
    row, position, _ = search.scored()
    counted = np.bincount(position[np.isin(row, live)], minlength=280)[design.head : 280]
    chance = np.minimum(1, design.level / np.sqrt(np.arange(design.head + 1, 281)))
    spread = np.sqrt(len(live) * chance * (1 - chance)) + 1e-9
    assert len(live) > 200
    assert (np.abs(counted - len(live) * chance) < 5 * spread + 1).all()


def test_models_share_the_tail():
    problem, popularity = one_held_out()
    other, _ = one_held_out()
    other.scores = other.scores + np.random.default_rng(9).normal(size=other.scores.shape).astype(np.float32)
    tails = []
    for each in (problem, other):
        search = each.search(popularity, 5)
        design = budget_search(alone(search), 40 * 400, KEY)
        row, position, _ = search.scored()
        tails.append(
            {(r, p) for r, p in zip(row.tolist(), position.tolist(), strict=True) if p >= max(design.head, 20)}
        )
    one, two = tails
    assert len(one & two) > 0.4 * min(len(one), len(two))


def test_what_was_seen_adds_up():
    problem, popularity = one_held_out()
    search = problem.search(popularity, 5)
    seen = seen_by(search, budget_search(alone(search), 40 * 400, KEY))
    assert np.array_equal(seen.draws.sum(axis=1), search.asked)
    assert np.array_equal(seen.hits.sum(axis=1), search.hits)
    assert np.array_equal(seen.size.sum(axis=1), search.order.n)
    assert (seen.draws <= seen.size).all()
    assert np.array_equal(seen.undecided, ~search.decided)
    assert (seen.undecided <= seen.entered).all()


def test_strata_double_and_have_the_head_as_an_edge():
    assert stratum_edges(100, 12).tolist() == [0, 1, 2, 4, 8, 12, 24, 48, 96, 100]
    assert stratum_edges(10, 0).tolist() == [0, 1, 2, 4, 8, 10]
    assert stratum_edges(10, 10).tolist() == [0, 1, 2, 4, 8, 10]
    assert stratum_edges(1, 0).tolist() == [0, 1]


def test_small_groups_join():
    rank = np.repeat([1, 2, 4, 8, 16], [5, 200, 160, 10, 10])
    assert np.unique(groups_of(rank), return_counts=True)[1].tolist() == [205, 180]
    assert groups_of(np.array([7])).tolist() == [0]


def piloted(search, budget, seed=1):
    rng = np.random.default_rng(seed)
    return pilot(search, pilot_rows(len(search.hits), search.n_places, budget, rng), budget, rng)


@pytest.mark.parametrize(("proxy", "follows"), [("popularity", True), ("none", False), ("reversed", False)])
def test_a_pilot_tells_whether_a_proxy_lifts(proxy, follows):
    problem, popularity = one_held_out(1000)
    scores = {"popularity": popularity, "none": np.zeros(300), "reversed": -popularity}[proxy]
    search = problem.search(scores, 10)
    found = piloted(search, 60)
    assert found.follows is follows or found.follows == follows
    assert found.n_users == 120  # what a tenth of the budget pays for
    assert search.n_scores == 1000 + 120 * 50


def test_uniform_negatives_are_as_many_for_everybody():
    problem, popularity = one_held_out()
    search = problem.search(popularity, 5)
    n = ValueCounts.of(search.order.n)
    assert affordable_size(n, 30 * 400 + 7) == 30
    uniform_search(search, 30, np.random.default_rng(0))
    assert (search.asked == 30).all()
    position = search.scored()[1]
    assert abs(position.mean() - 144.5) < 3
    whole = problem.search(popularity, 5)
    exact_search(whole)
    assert affordable_size(n, 10**6) >= 289
    assert affordable_size(n, -1) == affordable_size(n, 399) == 0
    assert affordable_size(ValueCounts.of(np.array([2, 9, 9])), 18) == 8, "2 of one user, 8 of each of the others"


@pytest.mark.slow
def test_a_pilot_looks_at_users_whose_item_may_come_first():
    """Half of the users have a hopeless item, ahead of which is everything: they would hide what the proxy knows."""
    rng = np.random.default_rng(0)
    problem, popularity = one_held_out(2000, noise=0.5)
    hopeless = rng.random(2000) < 0.5
    own = problem.tests.item[hopeless]
    problem.scores[np.flatnonzero(hopeless), own] = -100
    found = piloted(problem.search(popularity, 10), 100)
    assert found.n_open < 0.6 * found.n_users == 120
    assert found.lift > LEAST_LIFT
    lifts = [piloted(problem.search(rng.random((2000, 300)), 10), 100, seed).lift for seed in range(10)]
    assert np.mean(lifts) < 1.3
    assert np.mean(np.array(lifts) < LEAST_LIFT) >= 0.8
