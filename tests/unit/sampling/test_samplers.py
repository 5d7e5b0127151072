"""Simulated and drawn ranks: their law, what models share, and what is refused."""

import numpy as np
import pytest
from truerank.errors import UserError
from truerank.provenance import generator
from truerank.ranking.candidates import candidates_of
from truerank.ranking.exact import rank_items
from truerank.ranking.order import order_key, tie_hashes
from truerank.sampling._core.instances import Instances
from truerank.sampling._core.law import rank_law
from truerank.sampling.adaptive import adaptive, set_sizes
from truerank.sampling.draw import draw
from truerank.sampling.uniform import uniform
from truerank.sampling.users import users

from tests.support import noisy_train
from tests.unit.sampling.drawing import assert_law, drawing

RANK = np.array([1, 2, 17, 60, 100])
CANDIDATES = np.full(5, 100)


@pytest.mark.parametrize("replace", [True, False])
def test_uniform_follows_its_law(replace):
    """Chi-squared against the law; false alarm 1e-6 for each of the five ranks."""
    repeats = 20_000
    sample = uniform(RANK[None], CANDIDATES, generator(1, "law"), negatives=10, replace=replace, repeats=repeats)
    law = rank_law(RANK, CANDIDATES, 10, replace)
    for instance, chances in enumerate(law):
        counts = np.bincount(sample.rank[0, :, instance], minlength=12)[1:]
        assert_law(counts, chances)


def test_a_model_more_changes_no_other_and_better_ranks_stay_better():
    worse = np.minimum(RANK + 5, 100)
    alone = uniform(RANK[None], CANDIDATES, generator(1, "x"), negatives=20)
    both = uniform(np.stack([RANK, worse]), CANDIDATES, generator(1, "x"), negatives=20)
    np.testing.assert_array_equal(both.rank[0], alone.rank[0])
    assert (both.rank[1] >= both.rank[0]).all()
    assert both.rank.shape == (2, 100, 5)
    assert (both.n_scores == 5 * 21).all()


def test_all_others_drawn_without_replacement_give_the_exact_rank():
    sample = uniform(RANK[None], CANDIDATES, generator(1, "x"), negatives=99)
    assert (sample.rank == RANK).all()


def test_adaptive_stops_where_the_algorithm_says():
    sample = adaptive(RANK[None], CANDIDATES, generator(2, "x"), start=10, limit=80, repeats=500)
    assert set(np.unique(sample.negatives)) <= {9, 19, 39, 79}
    assert (sample.negatives[sample.rank == 1] == 79).all()
    assert (sample.negatives[0, :, 0] == 79).all()
    assert (sample.rank <= sample.negatives + 1).all()


def test_adaptive_follows_its_law_at_each_size():
    """Given none above among 9, those above among 10 more; chi-squared, false alarm 1e-6."""
    rank, candidates = np.full(20_000, 8), np.full(20_000, 50)
    sample = adaptive(rank[None], candidates, generator(3, "x"), start=10, limit=20, repeats=1)
    first = sample.negatives == 9
    counts = np.bincount(sample.rank[first], minlength=11)[2:]
    assert_law(counts, rank_law(8, 50, 9, replace=False)[0, 1:])
    counts = np.bincount(sample.rank[~first], minlength=12)[1:]
    assert_law(counts, rank_law(8, 41, 10, replace=False)[0])


def test_adaptive_stops_at_all_candidates_of_a_user_with_the_exact_rank():
    candidates = np.array([100, 35, 17, 5, 100])
    rank = np.array([[1, 1, 1, 5, 60], [1, 30, 2, 1, 2]])
    sample = adaptive(rank, candidates, generator(2, "x"), start=10, limit=80, repeats=200)
    whole = candidates - 1
    assert (sample.negatives <= np.minimum(whole, 79)).all()
    assert (sample.exact == (sample.negatives == whole)).all()
    assert (sample.rank == rank[:, None])[sample.exact].all()
    assert (sample.negatives[:, :, 3] == 4).all(), "five candidates are less than the first set"
    assert (sample.negatives[0, :, :3] == [79, 34, 16]).all(), "who is first goes on to the limit or to all"
    assert sample.exact[1, :, 2].any(), "a rank of 2 among 17 is sometimes resolved by all 17 only"
    assert not sample.exact[:, :, [0, 4]].any()


def test_adaptive_with_replacement_has_no_last_candidate():
    sample = adaptive(RANK[None], np.full(5, 20), generator(2, "x"), start=10, limit=80, replace=True, repeats=50)
    assert not sample.exact.any()
    assert (sample.negatives[0, :, 0] == 79).all()


def test_adaptive_law_of_the_last_set_of_a_small_user():
    """A rank of 3 among 12 candidates: resolved by 9 negatives, or by all 11; false alarm 1e-6."""
    rank, candidates = np.full(20_000, 3), np.full(20_000, 12)
    sample = adaptive(rank[None], candidates, generator(3, "x"), start=10, limit=80, repeats=1)
    law = rank_law(3, 12, 9, replace=False)[0]
    early = sample.rank[~sample.exact]
    assert_law(np.bincount(early, minlength=11)[1:][1:], law[1:])
    counts = np.array([sample.exact.sum(), (~sample.exact).sum()])
    assert_law(counts, np.array([law[0], 1 - law[0]]))


@pytest.mark.parametrize(
    ("start", "limit", "sizes"),
    [(100, 3200, [100, 200, 400, 800, 1600, 3200]), (10, 35, [10, 20, 35]), (7, 7, [7])],
)
def test_set_sizes(start, limit, sizes):
    assert set_sizes(start, limit).tolist() == sizes


@pytest.mark.parametrize("replace", [True, False])
def test_drawn_ranks_have_the_law_of_simulated_ones(replace):
    """Per model, all instances pooled: chi-squared of drawn counts against the sum of laws, false alarm 1e-6 each."""
    instances, scorers, exact = drawing()
    repeats = 400
    sample = draw(instances, scorers, generator(5, "draw"), negatives=8, replace=replace, repeats=repeats)
    for model, rank in enumerate(exact):
        law = rank_law(rank, instances.candidates, 8, replace)
        for instance in range(0, 40, 4):
            assert_law(np.bincount(sample.rank[model, :, instance], minlength=10)[1:], law[instance])


@pytest.mark.parametrize("rule", ["unseen", "all", "tested"])
def test_drawing_everything_gives_the_exact_ranks(rule):
    instances, scorers, exact = drawing(rule=rule)
    train = noisy_train(40, 60)
    for row in range(0, 40, 7):
        n = int(instances.candidates[row]) - 1
        others = instances.others(row, generator(1, "x"), 1, n, replace=False)
        allowed = set(instances.item) if rule == "tested" else set(range(60))
        history = set() if rule == "all" else set(train.item[train.user == instances.user[row]])
        assert sorted(others) == sorted(allowed - history - {instances.item[row]})
        ahead = np.array([scores(np.array([row]), np.append(instances.item[row], others)[None]) for scores in scorers])
        strictly = 1 + (ahead[:, 0, 1:] > ahead[:, 0, :1] + 1e-6).sum(axis=1)
        assert (strictly <= exact[:, row]).all()


@pytest.mark.parametrize("rule", ["unseen", "all", "tested"])
def test_drawing_all_candidates_gives_the_exact_ranks_though_many_tie(rule):
    """Of all models but iALS, whose scores are products that round by the size of the block."""
    instances, scorers, exact = drawing(rule=rule)
    scorers, exact = scorers[:1] + scorers[2:], np.delete(exact, 1, axis=0)
    for row in range(40):
        parts = instances.user, instances.item, instances.tie_hash, np.arange(40) == row
        alone = Instances(*parts, instances.among, instances.key)
        sample = draw(alone, scorers, generator(1, "x"), negatives=int(alone.candidates[0]) - 1, repeats=1)
        np.testing.assert_array_equal(sample.rank[:, 0, 0], exact[:, row])


@pytest.mark.parametrize("policy", ["random", "optimistic", "pessimistic"])
def test_ties_with_other_test_items_are_placed_as_in_the_exact_ranking(policy):
    """Every score is the same and each user has three test items, one of them not relevant; all candidates drawn."""
    train = noisy_train(20, 30)
    own = [np.setdiff1d(np.arange(30), train.item[train.user == u])[:3] for u in range(20)]
    user, item = np.repeat(np.arange(20), 3), np.concatenate(own)
    rating = np.tile([5.0, 2.0, 4.0], 20)
    key = order_key(generator(1, "ties"))
    tie_hash = tie_hashes(policy, key, user, item, rating)
    flat = lambda block: np.zeros((len(block), 30), np.float32)  # noqa: E731
    ranking = rank_items(flat, train.matrix, user, item, key, tie_hash)
    exact = 1 + ranking.above + ranking.before
    among = candidates_of("unseen", train.matrix, item)
    instances = Instances(user, item, tie_hash, rating >= 4, among, key)
    assert set(exact) == {"optimistic": {1, 2, 3}}.get(policy, set(exact))
    scorer = [lambda users, items: np.zeros(items.shape, np.float32)]
    for row, code in enumerate(instances.user):
        alone = Instances(user, item, tie_hash, (user == code) & (item == instances.item[row]), among, key)
        everything = int(alone.candidates[0]) - 1
        found = draw(alone, scorer, generator(2, "draw"), negatives=everything, repeats=1).rank
        assert found.item() == exact[rating >= 4][row]


def test_drawn_negatives_are_shared_and_independent_of_the_models():
    instances, scorers, _ = drawing()
    both = draw(instances, scorers[:2], generator(5, "draw"), negatives=8, repeats=3)
    again = draw(instances, scorers[1:2], generator(5, "draw"), negatives=8, repeats=3)
    np.testing.assert_array_equal(both.rank[1], again.rank[0])


def test_users_are_different_and_the_same_for_all_models():
    chosen = users(RANK[None], CANDIDATES, generator(1, "x"), users=3, repeats=50)
    assert chosen.shape == (50, 3)
    assert all(len(set(row)) == 3 for row in chosen.tolist())


@pytest.mark.parametrize(
    ("sampler", "settings", "sentence"),
    [
        (uniform, {"negatives": 100}, "negatives asks for 100 different negatives, and some user has 99"),
        (adaptive, {"start": 10, "limit": 5}, "expected 2 <= start <= limit"),
        (users, {"users": 6}, "users is 6, and there are 5 test instances"),
    ],
)
def test_what_cannot_be_drawn_is_refused(sampler, settings, sentence):
    with pytest.raises(UserError, match=sentence):
        sampler(RANK[None], CANDIDATES, generator(1, "x"), **settings)
