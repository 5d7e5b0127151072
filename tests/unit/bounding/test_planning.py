"""Plans against a search over every number, and outcomes that matter at a cut-off."""

import numpy as np
import pytest
from truerank.bounding.designs import Adaptive, Uniform, Weighted
from truerank.bounding.limits import limits_of_ranks, outcomes_near
from truerank.bounding.metrics import metric_bounds
from truerank.bounding.planning import (
    expected_bounds,
    law_of_outcomes,
    least_number,
    negatives_for,
    smallest_cutoff,
)
from truerank.provenance import generator

RECALL = ("recall", {"kind": "recall"}, 5)


def test_the_least_number_is_found_to_two_per_cent():
    for answer in (1, 9, 10, 11, 317, 1000):
        found, (_, high) = least_number(lambda n, answer=answer: (0.0, 0.1 if n >= answer else 0.2), 0.15, 1000)
        assert answer <= found <= max(answer + 1, 1.02 * answer)
        assert high == 0.1
    assert least_number(lambda n: (0.0, 1.0), 0.5, 1000) == (None, (0.0, 1.0))


def test_the_law_of_outcomes_is_the_mixture_over_ranks():
    rank, share = np.array([1, 4, 30]), np.array([0.2, 0.5, 0.3])
    for design in (Uniform(40, 6), Adaptive(40, (3, 7))):
        one_by_one = sum(part * design.best(np.array([each]))[0] for each, part in zip(rank, share, strict=True))
        np.testing.assert_allclose(law_of_outcomes(design, rank, share), one_by_one)


@pytest.mark.slow
def test_negatives_are_the_least_whose_bounds_are_narrow():
    rank, counts = np.unique(
        np.minimum(1 + (60 * generator(1, "plan").random(2000) ** 3).astype(int), 60), return_counts=True
    )
    share = counts / counts.sum()
    found, (low, high) = negatives_for(60, rank, share, 2000, RECALL, 0.25, 0.95)
    widths = {m: np.ptp(expected_bounds(Uniform(60, m), rank, share, 2000, [RECALL], 0.95)) for m in range(10, 60)}
    assert widths[found] <= 0.25 < widths[found - 1]
    assert low <= share[rank <= 5].sum() <= high
    none, (low, high) = negatives_for(60, rank, share, 200, RECALL, 0.01, 0.95)
    assert none is None
    assert high - low > 0.01


def test_the_smallest_identified_cutoff_is_narrow_and_those_before_are_not():
    design = Uniform(300, 40)
    exact = np.minimum(1 + (300 * generator(2, "cut").random(3000) ** 2).astype(int), 300)
    counts = np.bincount(generator(3, "cut").hypergeometric(exact - 1, 300 - exact, 40), minlength=41)
    limits = limits_of_ranks(counts, 0.95)
    k, (low, high) = smallest_cutoff(design, limits, "recall", 0.2)
    assert high - low <= 0.2
    assert low <= (exact <= k).mean() <= high
    before = [
        metric_bounds(design, limits, [("recall", {"kind": "recall"}, each)])[0] for each in (k // 2, int(0.95 * k))
    ]
    assert all(high - low > 0.2 for low, high in before)


def test_outcomes_near_a_cutoff_narrow_bounds_of_large_samples():
    """With all other items drawn, the sampled rank is the exact one: the limits at rank 50 are those of recall@50."""
    design, exact = Uniform(100, 99), np.repeat(np.arange(1, 101), 20)
    counts = np.bincount(exact - 1, minlength=100)
    near = outcomes_near(design, [50, "all", 1000])
    assert {49, 50} <= set(near.tolist())
    wanted = [("recall", {"kind": "recall"}, 50)]
    (plain,), (narrow,) = (metric_bounds(design, limits_of_ranks(counts, 0.95, each), wanted) for each in ((), near))
    assert narrow[1] - narrow[0] < plain[1] - plain[0] - 0.005
    assert narrow[0] < 0.5 < narrow[1]
    assert not len(outcomes_near(design, ["all"]))


@pytest.mark.slow
def test_bounds_from_weighted_ranks_hold_for_users_with_candidates_of_their_own():
    """Of 60 items each of 400 users has 50, at random; recall@10 is in the bounds of 95 % of 100 samples or more."""
    rng, held = generator(4, "own"), 0
    weight = rng.random(60) ** 3 + 0.01
    chances = weight / weight.sum()
    for _ in range(100):
        ranks, sampled, kept = [], [], []
        for _ in range(400):
            candidates = rng.permutation(60)[:50]
            rank = int(min(1 + 50 * rng.random() ** 3, 50))
            above, others = (
                chances[candidates[: rank - 1]].sum(),
                chances[candidates].sum() - chances[candidates[rank - 1]],
            )
            ranks.append(rank)
            kept.append(others)
            sampled.append(rng.binomial(9, above / others))
        design = Weighted(chances, 9, (min(kept), max(kept)), 50)
        ((low, high),) = metric_bounds(
            design, limits_of_ranks(np.bincount(sampled, minlength=10), 0.95), [("recall", {"kind": "recall"}, 10)]
        )
        held += low <= (np.array(ranks) <= 10).mean() <= high
    assert held >= 95
