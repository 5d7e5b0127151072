"""The posterior of ranks against explicit sums over atoms, and its estimates against exact ranks."""

import numpy as np
import pytest
from scipy import stats
from truerank.informed.budget import budget_search
from truerank.informed.posterior import (
    HEADS,
    SLOPES,
    as_points,
    atoms_of,
    fit,
    law_of,
    likelihood_of,
    rank_law,
)
from truerank.informed.search import alone
from truerank.informed.strata import seen_by

from tests.informed import exact_ranks, one_held_out

KEY = np.uint64(7)


def seen_at(budget, n_places=5, n_users=400, seed=0):
    problem, popularity = one_held_out(n_users, seed=seed)
    search = problem.search(popularity, n_places)
    return problem, search, seen_by(search, budget_search(alone(search), budget * n_users, KEY))


def test_em_is_that_of_the_explicit_mixture():
    rng = np.random.default_rng(0)
    head, tail = rng.random((40, 3)).astype(np.float32), rng.random((40, 2, 4)).astype(np.float32)
    level = np.array([0.5, 1.0, 2.0, 4.0])
    start = rng.dirichlet(np.ones(24)).reshape(3, 2, 4)
    to = rng.dirichlet(np.ones(24)).reshape(3, 2, 4)
    components = np.empty((40, 3, 2, 4))
    for h in range(3):
        for b in range(2):
            for t in range(4):
                parts = [tail[:, b, s] * (level[s] - (level[s - 1] if s else 0)) for s in range(t + 1)]
                components[:, h, b, t] = head[:, h] * sum(parts) / level[t]
    flat, wanted = components.reshape(40, -1), start.ravel()
    for _ in range(15):
        share = flat * wanted / (flat @ wanted)[:, None]
        wanted = (share.sum(axis=0) + 8 * to.ravel()) / 48
    found = fit(head, tail, level, start, 15, to, 8.0)
    assert found.ravel() == pytest.approx(wanted / wanted.sum(), rel=1e-4)


def test_components_become_points():
    level = np.array([1.0, 3.0])
    points = as_points(np.array([0.25, 0.75]), level)
    assert points == pytest.approx([0.25 + 0.75 / 3, 0.75 * 2 / 3])


@pytest.mark.slow
def test_the_law_is_a_sum_over_atoms():
    _, _, seen = seen_at(25)
    group = int(seen.group[seen.undecided][0])
    atoms = atoms_of(seen.rows(seen.entered), group, 280.0)
    rows = np.flatnonzero(seen.undecided & (seen.group == group))[:5]
    rng = np.random.default_rng(1)
    points = rng.dirichlet(np.ones(atoms.tail[..., 0].size * len(HEADS))).reshape(len(HEADS), len(SLOPES), -1)
    have = seen.hits[rows].sum(axis=1).astype(int)
    found = law_of(seen, rows, atoms, points, have, 5)
    for place, row in enumerate(rows):
        total, law = 0.0, np.zeros(5)
        for h in range(len(HEADS)):
            for b in range(len(SLOPES)):
                for t in range(len(atoms.level)):
                    weight = points[h, b, t] * chance_of(seen, row, atoms.head[h], atoms.tail[b, t])
                    rest = (seen.size - seen.draws)[row][~seen.in_head] @ atoms.tail[b, t]
                    total += weight
                    law[have[place] :] += weight * stats.poisson.pmf(np.arange(5 - have[place]), rest)
        assert found[place] == pytest.approx(law / total, rel=2e-3, abs=1e-6)


def chance_of(seen, row, head, tail):
    chance = 1.0
    for hazard, part in ((head, seen.in_head), (tail, ~seen.in_head)):
        for z, hits, draws in zip(hazard, seen.hits[row][part], seen.draws[row][part], strict=True):
            chance *= (1 - np.exp(-z)) ** float(hits) * np.exp(-z) ** float(draws - hits)
    expected = (seen.size[row][seen.in_head] * (1 - np.exp(-head))).sum()
    return chance / max(stats.poisson.cdf(seen.needed[row] - 1, expected), 1e-12)


def test_what_is_known_is_certain():
    problem, search, seen = seen_at(40)
    law = rank_law(seen, 5, np.random.default_rng(0))
    rank = exact_ranks(problem)
    sure = np.flatnonzero(search.decided)
    wanted = (rank[sure, None] == np.arange(1, 6)).astype(float)
    assert np.array_equal(law[sure], wanted)
    assert (law >= 0).all()
    assert (law.sum(axis=1) <= 1 + 1e-5).all()
    least = 1 + search.hits
    for row in np.flatnonzero(~search.decided):
        assert not law[row, : least[row] - 1].any()


@pytest.mark.slow
def test_estimates_come_near_the_exact_recall():
    errors = []
    for seed in range(4):
        problem, _, seen = seen_at(30, n_users=1500, seed=seed)
        law = rank_law(seen, 5, np.random.default_rng(0))
        recall = (exact_ranks(problem)[:, None] <= np.arange(1, 6)).mean(axis=0)
        errors.append(law.mean(axis=0).cumsum() - recall)
    assert np.abs(np.mean(errors, axis=0)).max() < 0.01
    assert np.abs(errors).max() < 0.025


def test_likelihoods_of_nobody_are_empty():
    _, _, seen = seen_at(25)
    atoms = atoms_of(seen.rows(seen.entered), 0, 280.0)
    head, tail = likelihood_of(seen, np.zeros(0, int), atoms)
    assert fit(head, tail, atoms.level, np.full((10, 3, len(atoms.level)), 1.0), 5).sum() == pytest.approx(1)
