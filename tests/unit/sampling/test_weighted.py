"""Negatives drawn by popularity: their law by enumeration, inclusion chances, and what is refused."""

from itertools import permutations

import numpy as np
import pytest
from scipy import sparse
from truerank.errors import UserError
from truerank.provenance import generator
from truerank.ranking.candidates import candidates_of
from truerank.ranking.order import order_key
from truerank.sampling._core import weights
from truerank.sampling._core.instances import Instances
from truerank.sampling._core.law import rank_law
from truerank.sampling._core.scoring import rank_among
from truerank.sampling.draw import draw
from truerank.sampling.weighted import weighted

from tests.support import for_each
from tests.unit.sampling.drawing import assert_law, drawing

POPULARITY = np.array([40, 25, 9, 4, 4, 1, 1])
ITEM = 3  # the test item; the scores put items 0, 2, 5 above it
SCORES = np.array([9.0, 1.0, 8.0, 5.0, 2.0, 7.0, 3.0])


def alone(popularity=POPULARITY, item=ITEM, others=(), **about):
    """Return one user with one instance, no training, and perhaps other test items that are no instances."""
    n_items = len(popularity)
    tests = np.array([item, *others])
    user, kept = np.zeros(len(tests), int), np.arange(len(tests)) == 0
    among = candidates_of("unseen", sparse.csr_matrix((1, n_items)), tests)
    key = order_key(generator(1, "ties"))
    hashes = np.arange(len(tests), dtype=np.uint64)
    return Instances(user, tests, hashes, kept, among, key, popularity=popularity, **about)


def scorer(users, items):
    return np.broadcast_to(SCORES, (len(users), len(SCORES)))[np.arange(len(users))[:, None], items]


def law_without_replacement(weight, above, m):
    """Return the law of the rank: the chances of all ordered draws of m items, one after the other."""
    law = np.zeros(m + 1)
    for drawn in permutations(range(len(weight)), m):
        left, chance = weight.sum(), 1.0
        for j in drawn:
            chance, left = chance * weight[j] / left, left - weight[j]
        law[above[list(drawn)].sum()] += chance
    return law


def law_with_replacement(weight, above, m):
    share = weight[above].sum() / weight.sum()
    return rank_law(1 + 10**6 * share, 1 + 10**6, m)[0]


@for_each("dense", [0, 100])
@for_each("power", [0.0, 0.5, 1.0])
@for_each("replace", [True, False])
def test_ranks_follow_the_law_of_all_draws(dense, power, replace, monkeypatch):
    """Chi-squared, false alarm 1e-6; items arrive one by one, or all race."""
    monkeypatch.setattr(weights, "DENSE", dense)
    settings = {"negatives": 3, "power": power, "replace": replace, "repeats": 3000}
    sample = weighted(alone(), [scorer], generator(1, "law"), **settings)
    others = np.arange(7) != ITEM
    weight, above = POPULARITY[others] ** power, (SCORES[ITEM] < SCORES)[others]
    law = (law_with_replacement if replace else law_without_replacement)(weight, above, 3)
    assert_law(np.bincount(sample.rank.ravel(), minlength=5)[1:], law)


@for_each("dense", [0, 100])
@for_each("replace", [True, False])
def test_the_mean_of_estimated_ranks_is_the_exact_rank(dense, replace, monkeypatch):
    """Within five standard errors."""
    monkeypatch.setattr(weights, "DENSE", dense)
    settings = {"negatives": 3, "power": 1.0, "replace": replace, "repeats": 6000}
    found = weighted(alone(), [scorer], generator(2, "mean"), **settings).rank_estimate
    assert abs(found.mean() - 4) < 5 * found.std() / np.sqrt(found.size)


def test_power_zero_is_a_uniform_draw():
    instances, scorers, exact = drawing()
    sample = weighted(instances, scorers[:2], generator(5, "draw"), negatives=8, power=0, repeats=200)
    for instance in range(0, 40, 8):
        law = rank_law(exact[:2, instance], instances.candidates[instance], 8, replace=False)
        for model, chances in enumerate(law):
            assert_law(np.bincount(sample.rank[model, :, instance], minlength=10)[1:], chances)
    by_eight = 1 + (sample.rank - 1) * (instances.candidates - 1) / 8
    assert abs(np.mean(sample.rank_estimate - by_eight)) < 0.2, "each item stands for as many"


@for_each("replace", [True, False])
def test_scores_of_all_items_give_the_ranks_of_scores_of_drawn_ones(replace):
    """Of all models but iALS, whose scores are products that round by the size of the block."""
    instances, scorers, _ = drawing()
    scorers = scorers[:1] + scorers[2:]
    draws = weights.WeightedDraws(instances, 0.75)
    choose = draws.with_replacement if replace else draws.without_replacement
    about = instances, scorers, generator(3, "all"), 6, 4, lambda row, stream: choose(row, stream, 4, 6)
    for one, other in zip(rank_among(*about), rank_among(*about, score_all=True), strict=True):
        np.testing.assert_array_equal(one, other)


def test_popular_items_are_drawn_more_often_and_training_never():
    instances, _, _ = drawing()
    draws = weights.WeightedDraws(instances, 1.0)
    for replace in (True, False):
        choose = draws.with_replacement if replace else draws.without_replacement
        items, chances = choose(4, generator(1, "often"), 3000, 5)
        barred = instances.among.barred[4].indices
        assert not np.isin(items, [*barred, instances.item[4]]).any()
        assert ((chances > 0) & (replace or (chances <= 1).all())).all()
        seen = np.bincount(items, minlength=60)
        left = np.setdiff1d(np.arange(60), [*barred, instances.item[4]])
        assert np.corrcoef(seen[left], instances.popularity[left])[0, 1] > 0.9
        assert not seen[instances.popularity == 0].any()
        if not replace:
            assert all(len(set(row)) == 5 for row in items.reshape(-1, 5).tolist())


def test_all_weighted_items_drawn_without_replacement_give_the_exact_rank():
    sample = weighted(alone(), [scorer], generator(1, "x"), negatives=6, repeats=3)
    assert (sample.rank == 4).all()
    assert (sample.rank_estimate == 4).all()


@for_each("replace", [True, False])
def test_items_of_no_weight_are_too_few(replace):
    nobody = np.array([0, 0, 0, 5, 0, 0, 0])
    with pytest.raises(UserError, match=r"asks for 2 different negatives, and some user has 0 candidates that anybody"):
        weighted(alone(nobody), [scorer], generator(1, "x"), negatives=2, replace=replace)


@for_each("sampler", [draw, weighted])
def test_other_test_items_are_no_negatives_where_they_are_excluded(sampler):
    everything = sampler(alone(others=(0, 6)), [scorer], generator(1, "x"), negatives=6, repeats=2)
    assert (everything.rank == 4).all()
    without = alone(others=(0, 6), without_tests=True)
    assert without.candidates.tolist() == [5]
    few = sampler(without, [scorer], generator(1, "x"), negatives=4, repeats=2)
    assert (few.rank == 3).all(), "one of the two was above"
    with pytest.raises(UserError):
        sampler(without, [scorer], generator(1, "x"), negatives=5, repeats=2)
