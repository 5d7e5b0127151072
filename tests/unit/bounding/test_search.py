"""Bounds against the program over all single ranks, and cells that only ever widen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from truerank.bounding.cells import cells_of, coarse_cells
from truerank.bounding.designs import Adaptive, Uniform, Weighted
from truerank.bounding.laws import ASSUMPTIONS, STEEPEST, AnyLaw, FallingLaw
from truerank.bounding.limits import limits_of_ranks
from truerank.bounding.metrics import function_of_rank, metric_bounds
from truerank.bounding.program import Limits, least
from truerank.bounding.search import NoLawError, Search
from truerank.bounding.successive import Successive
from truerank.errors import UserError
from truerank.provenance import generator
from truerank.sampling.adaptive import adaptive, set_sizes

from tests.support import for_each

RECALL = ("recall", {"kind": "recall"}, 10)
WANTED = [RECALL, ("ndcg", {"kind": "ndcg"}, "all"), ("auc", {"kind": "auc"}, "all")]
WANTED += [("recovery", {"kind": "recovery"}, "all")]


def oracle(design, limits, metric, sign, assume=None):
    """Return the least or, with sign -1, the largest sum of P(R) F(R) by the program over every single rank."""
    ranks = np.arange(1, design.n_items + 1)
    low, high = design.worst(ranks) @ limits.functions, design.best(ranks) @ limits.functions
    rows, limit = [*low.T, *-high.T], [*limits.high, *-limits.low]
    n = design.n_items
    for r in range(n - 1):
        step = np.zeros(n)
        step[r], step[r + 1] = -1, 1
        if assume == "monotone":
            rows, limit = [*rows, step], [*limit, 0]
        if assume == "smooth":
            most = ((r + 2) / (r + 1)) ** STEEPEST
            for a, b in ((r, r + 1), (r + 1, r)):
                ratio = np.zeros(n)
                ratio[a], ratio[b] = 1, -most
                rows, limit = [*rows, ratio], [*limit, (most - 1) / n]
    found = linprog(sign * metric(ranks), A_ub=rows, b_ub=limit, A_eq=np.ones((1, n)), b_eq=[1], method="highs")
    return sign * found.fun if found.status == 0 else None


def sampled(design, exact, seed=1):
    rng = generator(seed, "bounds")
    return np.array([rng.multinomial(1, law / law.sum()) for law in design.best(exact)]).sum(axis=0)


def skilled(n_items, n, seed=1):
    return np.minimum((n_items * generator(seed, "skilled").random(n) ** 3).astype(int) + 1, n_items)


DESIGNS = [Uniform(300, 20), Uniform(300, 20, replace=True), Adaptive(300, (9, 19, 39))]
DESIGNS += [Weighted(np.arange(1, 301) ** 0.5 / (np.arange(1, 301) ** 0.5).sum(), 20)]
DESIGNS += [Successive(np.arange(1, 301) ** 0.5 / (np.arange(1, 301) ** 0.5).sum(), 20)]


@pytest.mark.slow
@for_each("design", DESIGNS)
def test_bounds_are_those_of_the_program_over_all_ranks_or_a_little_wider(design):
    exact = skilled(300, 400)
    limits = limits_of_ranks(sampled(design, exact), 0.95)
    for wanted, (low, high) in zip(WANTED, metric_bounds(design, limits, WANTED), strict=True):
        metric = function_of_rank(*wanted, 300)
        lowest, highest = (oracle(design, limits, metric, sign) for sign in (1, -1))
        assert lowest - 5e-3 < low <= lowest + 1e-6
        assert highest + 5e-3 > high >= highest - 1e-6
        assert low <= metric(exact).mean() <= high


@pytest.mark.slow
@for_each("assume", ["monotone", "smooth"])
def test_assumptions_narrow_and_keep_the_bounds_of_the_full_program(assume):
    design = Uniform(120, 15)
    limits = limits_of_ranks(sampled(design, skilled(120, 500)), 0.95)
    for wanted in WANTED[:3]:
        ((low, high),) = metric_bounds(design, limits, [wanted], assume)
        ((lowest, highest),) = metric_bounds(design, limits, [wanted])
        metric = function_of_rank(*wanted, 120)
        full = oracle(design, limits, metric, 1, assume), oracle(design, limits, metric, -1, assume)
        assert lowest - 1e-6 <= low <= full[0] + 1e-6
        assert full[1] - 1e-6 <= high <= highest + 1e-6
        assert low > full[0] - 0.02
        assert high < full[1] + 0.02
    ((low, high),) = metric_bounds(design, limits, [RECALL], assume)
    ((lowest, highest),) = metric_bounds(design, limits, [RECALL])
    assert high - low < 0.9 * (highest - lowest)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_cells_that_are_merged_never_narrow_a_bound(data):
    """Any coarser cut gives a lower least and a higher most, for any sample and any law of the three."""
    n_items, negatives = data.draw(st.integers(8, 60)), data.draw(st.integers(1, 7))
    counts = np.array(data.draw(st.lists(st.integers(0, 30), min_size=negatives + 1, max_size=negatives + 1)))
    counts[0] += 1
    laws = ASSUMPTIONS[data.draw(st.sampled_from([None, "monotone", "smooth"]))](Uniform(n_items, negatives))
    limits = limits_of_ranks(counts, 0.95)
    ends = data.draw(st.sets(st.integers(1, n_items)))
    some = data.draw(st.sets(st.sampled_from(sorted(ends)))) if ends else set()
    metric = function_of_rank("ndcg", {"kind": "ndcg"}, "all", n_items)
    for sign in (1, -1):
        found = []
        for cells in (cells_of(ends, n_items), cells_of(some, n_items)):
            low, high = laws.metric(metric, cells)
            target = low if sign == 1 else -high
            found.append(least(target, *laws.seen(limits.functions, cells), limits, laws.rows(cells)))
        fine, coarse = found
        if coarse is None:
            assert fine is None
        elif fine is not None:
            assert coarse.value <= fine.value + 1e-6


@pytest.mark.slow
@for_each("replace", [False, True])
@for_each("kind", ["head", "gap", "power"])
def test_the_truth_is_within_where_the_law_is_within_its_band(kind, replace):
    """Figures of the issue: 12,000 items, true recall@10 .3 or next to nothing, 19 or 99 negatives."""
    rng, n, n_items = generator(1, kind, replace), 3000, 12_000
    exact = {
        "head": np.where(rng.random(n) < 0.3, rng.integers(1, 9, n), rng.integers(1, n_items + 1, n)),
        "gap": np.where(rng.random(n) < 0.4, rng.integers(30, 91, n), rng.integers(100, n_items + 1, n)),
        "power": skilled(n_items, n),
    }[kind]
    for negatives in (19, 99):
        design = Uniform(n_items, negatives, replace)
        counts = sampled(design, exact)
        ((low, high),) = metric_bounds(design, limits_of_ranks(counts, 0.95), [RECALL])
        assert low <= (exact <= 10).mean() <= high
        assert low == pytest.approx(0, abs=1e-6)
        if kind == "head":
            assert high < 0.4


def test_a_grid_of_single_ranks_is_narrower_and_not_by_much():
    """With DKW's band and 30 % of 3,000 users in the first eight of 12,000: the program over 460 single ranks, which
    leaves most laws out, gives [0, .3395] for 99 negatives."""
    n_items, n = 12_000, 3000
    design = Uniform(n_items, 99, replace=True)
    law = 0.3 * design.best(np.arange(1, 9)).mean(axis=0) + 0.7 * design.best(np.arange(1, n_items + 1)).mean(axis=0)
    below, half = np.cumsum(law)[:-1], np.sqrt(np.log(40) / (2 * n))
    limits = Limits((np.arange(100)[:, None] <= np.arange(99)).astype(float), below - half, below + half)
    low, high = Search(AnyLaw(design), limits, [10]).bounds(lambda rank: (rank <= 10).astype(float))
    some = np.unique(np.concatenate([np.arange(1, 61), np.rint(np.geomspace(60, n_items, 400)).astype(int)]))
    seen = design.best(some) @ limits.functions
    rows, limit = np.vstack([seen.T, -seen.T]), np.concatenate([limits.high, -limits.low])
    total = np.ones((1, len(some)))
    grid = -linprog(-1.0 * (some <= 10), A_ub=rows, b_ub=limit, A_eq=total, b_eq=[1], method="highs").fun
    assert low == 0
    assert grid - 1e-6 <= high <= grid + 1e-3
    assert grid == pytest.approx(0.3395, abs=0.001)


def test_what_no_law_leads_to_is_noticed():
    """Every rank is 1 or m + 1 and none between: with three items in all and two negatives, fine; with many, never."""
    counts = np.array([500, *[0] * 97, 500])
    limits = limits_of_ranks(counts, 0.95)
    assert metric_bounds(Uniform(10_000, 98), limits, [RECALL])
    squeezed = limits_of_ranks(np.array([0, 0, 1000, 0, 0]), 0.95)
    with pytest.raises(NoLawError):
        metric_bounds(Uniform(10_000, 4, replace=True), squeezed, [RECALL])
    with pytest.raises(NoLawError):
        metric_bounds(Uniform(1000, 50), limits_of_ranks(np.array([0] * 45 + [100] * 6), 0.95), [RECALL], "monotone")


def test_a_metric_that_turns_is_refused():
    design = Uniform(100, 5)
    with pytest.raises(UserError, match="both increases and decreases"):
        Search(AnyLaw(design), limits_of_ranks(np.ones(6), 0.95)).bounds(lambda rank: np.abs(rank - 50.0))


@for_each("design", DESIGNS)
def test_a_better_rank_never_sees_worse_outcomes(design):
    ranks = np.arange(1, design.n_items + 1)
    for law in (design.best(ranks), design.worst(ranks)):
        np.testing.assert_allclose(law.sum(axis=1), 1, atol=1e-9)
        assert (np.diff(np.cumsum(law, axis=1), axis=0) <= 1e-9).all()
    assert (np.cumsum(design.worst(ranks), axis=1) <= np.cumsum(design.best(ranks), axis=1) + 1e-9).all()


@for_each("replace", [False, True])
def test_the_law_of_adaptive_outcomes_is_that_of_the_sampler(replace):
    n_items, exact = 200, np.array([1, 3, 20, 120])
    design = Adaptive(n_items, tuple(set_sizes(10, 40) - 1), replace)
    rng = generator(1, "adaptive", replace)
    found = adaptive(exact[None], np.full(4, n_items), rng, start=10, limit=40, replace=replace, repeats=20_000)
    m, r = design.outcomes
    for place, law in enumerate(design.best(exact)):
        sets, ranks = found.negatives[0, :, place], found.rank[0, :, place]
        shares = np.array([((sets == a) & (ranks == b)).mean() for a, b in zip(m, r, strict=True)])
        np.testing.assert_allclose(shares, law, atol=0.016)


def test_cells_cover_every_rank_once():
    for cells in (coarse_cells(12_345, [10, 500]), coarse_cells(3), split_once()):
        assert cells.first[0] == 1
        assert (cells.first[1:] == cells.last[:-1] + 1).all()
        assert (cells.size >= 1).all()
    assert {10, 500} <= set(coarse_cells(12_345, [10, 500]).last)


def test_the_mean_over_falling_laws_is_between_its_ends():
    laws = FallingLaw(Uniform(5000, 10, replace=True))
    cells = cells_of([7, 100, 3000], 5000)
    low, high = laws.seen((np.arange(11)[:, None] <= np.arange(10)).astype(float), cells)
    upto = np.cumsum(np.cumsum(Uniform(5000, 10, replace=True).best(np.arange(1, 5001)), axis=1)[:, :10], axis=0)
    upto /= np.arange(1, 5001)[:, None]
    for place, (first, last) in enumerate(zip(cells.first, cells.last, strict=True)):
        assert (low[place] <= upto[last - 1] + 1e-12).all()
        assert (high[place] >= upto[first - 1] - 1e-12).all()
        np.testing.assert_allclose(low[place], upto[last - 1], atol=0.003)


def split_once():
    cells = coarse_cells(5_000_000)
    return cells.split(cells.size > 1)
