"""Bounds from searches along a proxy."""

import numpy as np
import pytest
from scipy.stats import binom
from truerank.bounding.metrics import function_of_rank
from truerank.bounding.searched import Found, Tail, certain, searched_bounds
from truerank.provenance import generator

from tests.support import for_each

K, RECALL, RR = (
    5,
    function_of_rank("recall", {"kind": "recall"}, 5, 200),
    function_of_rank("rr", {"kind": "rr"}, 5, 200),
)


def test_the_law_of_hits_is_binomial_up_to_those_that_decide():
    design = Tail(4, 0.2, 0.6)
    ranks = np.arange(1, 6)
    for chance, law in ((0.2, design.best(ranks)), (0.6, design.worst(ranks)[:4])):
        for ahead, found in enumerate(law):
            assert found[:4] == pytest.approx(binom.pmf(np.arange(4), ahead, chance))
            assert found[4] == pytest.approx(binom.sf(3, ahead, chance))
    assert design.worst(ranks)[4].tolist() == [0, 0, 0, 0, 1]


def searched(rng, chances, n=600, skill=2.0):
    """Return what searches found, and the exact ranks: x candidates ahead behind the head, scored with chances that
    depend on where they are."""
    head = np.minimum(rng.poisson(1.5, n), K)
    ahead = np.where(head < K, np.floor(rng.exponential(1, n) ** skill).astype(int), 0)
    scored = [rng.random(x) < rng.uniform(*chances, x) for x in ahead]
    hits = head + np.array([each.sum() for each in scored])
    whole = rng.random(n) < 0.1
    hits = np.where(whole, head + ahead, hits)
    return Found(head, np.minimum(hits, K), whole | (ahead == 0) & (rng.random(n) < 0.05)), 1 + head + ahead


@pytest.mark.slow
@for_each("chances", [(0.02, 0.2), (0.2, 0.5), (0.6, 0.9), (1.0, 1.0)])
def test_bounds_hold_and_are_no_wider_than_what_is_certain(chances):
    """Bounds that held in 60 % of studies would pass each turn with 0.05 %."""
    rng, held = generator(1, "searched", *chances), 0
    for _ in range(20):
        found, rank = searched(rng, chances)
        both = searched_bounds([found], [RECALL, RR], K, chances, 0.95)
        held += all(
            low - 1e-9 <= f(rank).mean() <= high + 1e-9 for f, (low, high) in zip((RECALL, RR), both, strict=True)
        )
        for function, (low, high) in zip((RECALL, RR), both, strict=True):
            sure = np.divide(certain(function, found.hits, found.whole, K), len(found.hits))
            assert sure[0] - 1e-9 <= low <= high <= sure[1] + 1e-9
    assert held >= 19


def test_a_tail_that_is_scored_often_narrows_the_bounds():
    found, rank = searched(generator(2, "narrow"), (0.6, 0.9), n=4000)
    ((low, high),) = searched_bounds([found], [RECALL], K, (0.6, 0.9), 0.95)
    sure = np.divide(certain(RECALL, found.hits, found.whole, K), 4000)
    assert low <= (rank <= K).mean() <= high
    assert high - low < 0.5 * (sure[1] - sure[0])


def test_parts_add_up():
    found, _ = searched(generator(3, "parts"), (0.2, 0.5))
    parts = [Found(*(own[rows] for own in vars(found).values())) for rows in (slice(0, 7), slice(7, 7), slice(7, 600))]
    one, several = (searched_bounds(each, [RECALL, RR], K, (0.2, 0.5), 0.95) for each in ([found], parts))
    assert np.allclose(one, several, rtol=1e-12)


def test_whoever_is_decided_is_certain():
    found = Found(np.array([5, 0, 2]), np.array([5, 5, 2]), np.array([False, False, True]))
    ((low, high),) = searched_bounds([found], [RECALL], K, (0.1, 0.2), 0.95)
    assert (low, high) == pytest.approx((1 / 3, 1 / 3))
