"""Draws by popularity without replacement: limits of how many items above are drawn."""

import numpy as np
import pytest
from truerank.bounding.designs import Uniform
from truerank.bounding.limits import limits_of_ranks
from truerank.bounding.metrics import metric_bounds
from truerank.bounding.successive import Successive
from truerank.provenance import generator

from tests.support import for_each

RECALL = ("recall", {"kind": "recall"}, 10)


def drawn_above(weight, above, negatives, rng, samples):
    """Draw m items one after the other, in all samples at once; return how many are above, per sample."""
    left, hits = np.tile(weight, (samples, 1)), np.zeros(samples, int)
    for _ in range(negatives):
        upto = np.cumsum(left, axis=1)
        item = np.argmax(upto > rng.random((samples, 1)) * upto[:, -1:], axis=1)
        hits += above[item]
        left[np.arange(samples), item] = 0
    return hits


def test_equal_weights_are_a_uniform_draw():
    design = Successive(np.full(50, 1 / 50), 12)
    ranks = np.arange(1, 51)
    for law in (design.best(ranks), design.worst(ranks)):
        np.testing.assert_allclose(law, Uniform(50, 12).best(ranks), atol=1e-12)


@for_each("seed", range(6))
def test_whatever_is_above_its_draws_keep_within_the_limits(seed):
    rng = generator(seed, "successive")
    weight = rng.random(30) ** 3
    weight[rng.integers(30)] = 0
    chances, own = weight / weight.sum(), int(rng.integers(30))
    rank, negatives, samples = int(rng.integers(2, 25)), int(rng.integers(2, 15)), 3000
    others = np.delete(np.arange(30), own)
    order = rng.permutation(others) if seed % 3 else others[np.argsort((-1) ** seed * weight[others])]
    above = np.isin(np.arange(30), order[: rank - 1])
    left = np.where(np.arange(30) == own, 0, chances)
    found = drawn_above(left, above, negatives, rng, samples)
    seen = np.cumsum(np.bincount(found, minlength=negatives + 1)) / samples
    design = Successive(chances, negatives, (left.sum(), left.sum()))
    low, high = (np.cumsum(each(np.array([rank]))[0]) for each in (design.worst, design.best))
    assert (low - 0.03 <= seen).all()
    assert (seen <= high + 0.03).all()
    assert (low <= high + 1e-12).all()


def test_limits_are_close_where_draws_take_little_of_the_weight():
    """With the likeliest items above, and the least likely: the limits are reached but for what the draws take."""
    rng = generator(3, "close")
    chances = np.sort(rng.random(400) + 0.5)[::-1]
    chances /= chances.sum()
    design, rank, negatives = Successive(chances, 8), 61, 8
    for law, above in ((design.worst, np.arange(400) < 60), (design.best, np.arange(400) >= 340)):
        own = 399 if above[0] else 0
        found = drawn_above(np.where(np.arange(400) == own, 0, chances), above, negatives, rng, 4000)
        assert np.arange(9) @ law(np.array([rank]))[0] == pytest.approx(found.mean(), abs=0.06)


def test_laws_are_kept_and_many_ranks_are_no_other_than_few():
    chances = generator(5, "kept").random(700)
    design = Successive(chances / chances.sum(), 5)
    every = np.arange(1, 701)
    whole = design.best(every)
    assert np.array_equal(design.best(every[::-1]), whole[::-1])
    assert np.array_equal(Successive(design.chances, 5).best(np.array([650])), whole[[649]])


@pytest.mark.slow
def test_bounds_hold_for_users_with_candidates_of_their_own():
    """Of 60 items each of 300 users has 50, at random; recall@10 is in the bounds of 95 of 100 samples or more."""
    rng, held = generator(4, "own"), 0
    weight = rng.random(60) ** 3 + 0.01
    chances = weight / weight.sum()
    for _ in range(100):
        ranks, sampled, kept = [], [], []
        for _ in range(300):
            candidates = rng.permutation(60)[:50]
            rank = int(min(1 + 50 * rng.random() ** 3, 50))
            others = np.delete(candidates, rank - 1)
            first = others[np.argsort(rng.standard_exponential(49) / chances[others])[:9]]
            ranks.append(rank)
            kept.append(chances[others].sum())
            sampled.append(np.isin(first, candidates[: rank - 1]).sum())
        design = Successive(chances, 9, (min(kept), max(kept)), 50)
        limits = limits_of_ranks(np.bincount(sampled, minlength=10), 0.95)
        ((low, high),) = metric_bounds(design, limits, [RECALL])
        held += low <= (np.array(ranks) <= 10).mean() <= high
    assert held >= 95
