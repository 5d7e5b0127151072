"""Cells of ranks stand for single ranks: the estimates are the same to a thousandth, and do not need the memory."""

import tracemalloc

import numpy as np
import pytest
from truerank.api.correct import estimates, usable_estimators
from truerank.estimators._core import support as module
from truerank.estimators._core.histogram import histogram
from truerank.estimators._core.make import make_estimator
from truerank.estimators._core.problem import Problem
from truerank.estimators._core.rank_bootstrap import resampled
from truerank.estimators._core.support import MOST_SINGLE, Support, cells, support
from truerank.estimators.mle import AdaptiveMle
from truerank.provenance import generator
from truerank.sampling.adaptive import adaptive

from tests.support import for_each

METRICS = {name: {"kind": name} for name in ("recall", "ndcg", "rr", "auc")}


def ranks_of(n_items, negatives, n=5000):
    rng = generator(1, "cells", n_items, negatives)
    head = rng.random(n) < 0.2
    exact = np.where(head, rng.integers(1, 200, n), 1 + (n_items * rng.random(n) ** 3).astype(int)).clip(1, n_items)
    return 1 + rng.binomial(negatives, (exact - 1) / (n_items - 1))


def test_every_rank_is_in_one_cell_of_odd_size():
    for n_items, negatives in ((60_000, 100), (5_000_000, 19), (10**8, 1000), (123_457, 3)):
        found = cells(n_items, negatives)
        assert found.first[0] == 1
        assert found.last[-1] == n_items
        assert (found.first[1:] == found.last[:-1] + 1).all()
        assert (found.size % 2 == 1).all()
        assert (found.last[:100] == np.arange(1, 101)).all()
    assert support(MOST_SINGLE, 100).is_full
    assert not support(MOST_SINGLE + 1, 100).is_full


def test_means_over_cells_are_right_for_quadratic_functions():
    found = Support(np.array([1, 2, 5, 14]), np.array([1, 4, 13, 14]))
    for function in (lambda r: 1.0 * r, lambda r: (r - 3.0) ** 2):
        means = [function(np.arange(a, b + 1)).mean() for a, b in zip(found.first, found.last, strict=True)]
        np.testing.assert_allclose(found.mean(function), means)


@pytest.mark.slow
@for_each("name", ["cls", "bv_001", "mle", "mes", "monotone_mle", "bv_mle", "bv_mes", "mn_mle", "mn_mes"])
@for_each("negatives", [20, 100])
def test_estimates_are_those_of_the_full_matrix(name, negatives):
    n_items = 20_720
    counts, _ = resampled(histogram(ranks_of(n_items, negatives), negatives), 1, generator(2))
    full, few = (
        estimates(Problem(n_items, counts, METRICS, [10, 3000, "all"], cells=each), *usable_estimators()[name])[0]
        for each in (None, cells(n_items, negatives))
    )
    np.testing.assert_allclose(few, full, rtol=2e-4)


@for_each("name", ["uncorrected", "rank_estimate", "bv_01", "mn_mle", "monotone_mle"])
def test_estimates_are_those_of_the_full_matrix_in_a_small_case(name):
    counts, _ = resampled(histogram(ranks_of(3000, 10), 10), 1, generator(2))
    full, few = (
        estimates(Problem(3000, counts, METRICS, [10, 700], cells=each), *usable_estimators()[name])[0]
        for each in (None, cells(3000, 10))
    )
    np.testing.assert_allclose(few, full, rtol=1e-3)


@for_each("law", ["binomial", "hypergeometric"])
def test_adaptive_sets_and_exact_ranks_have_cells_too(law):
    rng, n_items = generator(3, law), 3000
    exact = 1 + (n_items * rng.random(800) ** 3).astype(int)
    sample = adaptive(exact[None], np.full(800, n_items), rng, start=50, limit=3200, repeats=1)
    seen = histogram(sample.rank[0], sample.negatives[0], sample.exact[0])
    full, few = (
        AdaptiveMle(law=law).estimate(Problem(n_items, seen, METRICS, [10, 50], law, cells=each))
        for each in (None, cells(n_items, 3200))
    )
    np.testing.assert_allclose(few, full, rtol=5e-3)


@pytest.mark.slow
@for_each("name", ["cls", "bv_001", "mle", "mes", "monotone_mle", "mn_mes"])
def test_five_million_items_take_less_than_a_gigabyte(name):
    counts, _ = resampled(histogram(ranks_of(5_000_000, 100, 20_000), 100), 200, generator(2))
    tracemalloc.start()
    found, _ = estimates(Problem(5_000_000, counts, METRICS, [10, 100]), *usable_estimators()[name])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert np.isfinite(found).all()
    assert peak < 5e8


def test_finer_cells_of_five_million_items_change_nothing(monkeypatch):
    seen = histogram(ranks_of(5_000_000, 100, 20_000), 100)
    for kind in ("mle", "monotone_mle"):
        found = []
        for finer in (1, 4):
            monkeypatch.setattr(module, "GROWTH", 0.02 / finer)
            monkeypatch.setattr(module, "RESOLUTION", 0.1 / finer)
            problem = Problem(5_000_000, seen, METRICS, [10, 10_000], cells=cells(5_000_000, 100))
            found.append(make_estimator({"kind": kind}).estimate(problem))
        np.testing.assert_allclose(*found, rtol=2e-4)
