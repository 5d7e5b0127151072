"""The bench compares what is the same: at small size everybody gives our results, and a wrong result is noticed."""

from importlib.util import find_spec

import numpy as np
import pytest

from bench import jobs
from bench.contest import BOUND, OURS

CONTESTS = {f"{job}-{number}": each for job in jobs.CONTESTS for number, each in enumerate(jobs.contests(job))}
DISTINCT = {
    name: each for name, each in CONTESTS.items() if name.endswith("-0")
}  # the others differ in full size alone


@pytest.fixture(params=list(DISTINCT), scope="module")
def contest(request):
    return DISTINCT[request.param]


def results(contest, contender):
    return contender.prepare(contest.inputs_of("small"), 1)()


def rivals(contest):
    return [each for each in contest.contenders[1:] if find_spec(each.needs)]


def test_everybody_here_agrees_with_us(contest):
    ours = results(contest, contest.contenders[0])
    found = {each.name: results(contest, each) for each in rivals(contest)}
    assert [each.name for each in rivals(contest) if each.role != BOUND and found[each.name] is None] == []
    compared = {name: contest.agree(ours, theirs) for name, theirs in found.items() if theirs is not None}
    assert compared
    assert max(compared.values()) <= 1, compared


def test_wrong_results_do_not_agree(contest):
    ours = results(contest, contest.contenders[0])
    wrong = {name: values if name in ("user", "draws") else 0.7 * values[::-1] + 0.01 for name, values in ours.items()}
    assert contest.agree(ours, ours) <= 1
    assert contest.agree(ours, wrong) > 1


@pytest.mark.parametrize("what", ["list", "rank", "precision"])
def test_each_kind_of_result_of_a_ranking_is_compared_by_itself(what):
    contest = CONTESTS["ranks-0"]
    ours, everybody = results(contest, contest.contenders[0]), np.arange(100)
    hits = np.bincount(ours["row"], ours["rank"] <= 100, minlength=100)
    precision = np.where(np.isin(everybody, ours["user"]), hits / 100, np.nan)
    theirs = {"list": ours["list"], "rank": ours["rank"], "precision": precision}[what]
    whose = ours["user"] if what == "list" else everybody
    assert contest.agree(ours, {"user": whose, what: theirs}) <= 1
    assert contest.agree(ours, {"user": whose, what: theirs[::-1]}) > 1


@pytest.mark.parametrize("name", list(CONTESTS))
def test_we_come_first_and_names_differ(name):
    contenders = CONTESTS[name].contenders
    assert [each.role == OURS for each in contenders] == [True] + [False] * (len(contenders) - 1)
    assert len({each.name for each in contenders}) == len(contenders)


def test_ranks_of_a_user_differ():
    from bench.jobs.tables import rank_tables

    table = rank_tables(n_users=50, n_rows=2000, n_items=400, n_systems=3, rng=np.random.default_rng(0))
    for rank in table["rank"]:
        assert len(np.unique(table["user"] * 10**6 + rank)) == len(rank)
        assert rank.min() >= 1
        assert rank.max() <= 400
    assert len(np.unique(table["user"])) == 50


def test_adaptive_sets_grow_only_while_the_item_is_first():
    from bench.jobs.laws import adaptive_ranks

    rank, negatives = adaptive_ranks(2000, 500, (10, 20, 40), np.random.default_rng(0))
    assert set(np.unique(negatives)) == {9, 19, 39}
    assert (rank[negatives < 39] > 1).all()
