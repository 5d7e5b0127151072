"""The audit: no bias whatever the model said, and intervals that hold."""

import numpy as np
import pytest
from truerank.informed.audit import Audit, chances, choose, complete, rectified
from truerank.informed.budget import budget_search
from truerank.informed.ranks import known_ranks
from truerank.informed.search import alone

from tests.informed import exact_ranks, one_held_out


def population(n, seed, off):
    """Users with expected metrics that are wrong by ``off``, true ones of 0 or 1, and prices."""
    rng = np.random.default_rng(seed)
    chance = rng.beta(0.5, 0.8, n)
    true = (rng.random(n) < chance).astype(float)[:, None]
    expected = np.clip(chance + off, 0.01, 0.99)[:, None]
    return expected, true, rng.integers(50, 300, n).astype(float)


@pytest.mark.slow
@pytest.mark.parametrize("off", [-0.2, 0.0, 0.3])
@pytest.mark.parametrize("n", [200, 1000, 6000])
def test_the_estimate_has_no_bias_and_its_interval_holds(n, off):
    expected, true, price = population(n, 1, off)
    spread = np.sqrt(expected * (1 - expected))[:, 0]
    rng = np.random.default_rng(2)
    found, covered = [], 0
    for _ in range(1000):
        chosen, chance = choose(spread, price, 0.2 * price.sum(), rng)
        mean, half = rectified(expected, true[chosen], Audit(chosen, chance[chosen]))
        found.append(mean[0])
        covered += abs(mean[0] - true.mean()) <= half[0]
    assert abs(np.mean(found) - true.mean()) < 5 * np.std(found) / np.sqrt(1000)
    assert covered >= 930


def test_chances_spend_what_there_is():
    rng = np.random.default_rng(0)
    spread, price = rng.random(60), rng.integers(10, 100, 60).astype(float)
    wanted = spread / np.sqrt(price)
    chance = chances(wanted, price, 800)
    assert (chance * price).sum() == pytest.approx(800, rel=1e-6)
    assert chance.max() <= 1
    assert np.array_equal(chances(wanted, price, 10**9), np.ones(60))


@pytest.mark.slow
def test_users_are_chosen_with_their_chances():
    rng = np.random.default_rng(0)
    spread, price = rng.random(60), rng.integers(10, 100, 60).astype(float)
    count = np.zeros(60)
    for _ in range(4000):
        count[choose(spread, price, 800, rng)[0]] += 1
    exact = chances(np.maximum(spread, spread.mean()) / np.sqrt(price), price, 800)
    assert np.abs(count / 4000 - exact).max() < 5 * np.sqrt(0.25 / 4000)


def test_completed_users_are_decided_and_asked_nothing_twice():
    problem, popularity = one_held_out()
    search = problem.search(popularity, 5)
    budget_search(alone(search), 25 * 400, np.uint64(3))
    rows = np.flatnonzero(~search.decided)[:20]
    before = search.asked.copy()
    complete(search, rows)
    assert search.decided[rows].all()
    assert len(set(problem.asked)) == len(problem.asked)
    others = np.setdiff1d(np.arange(400), rows)
    assert np.array_equal(search.asked[others], before[others])
    rank, known = exact_ranks(problem)[rows], known_ranks(search).least[rows]
    assert np.array_equal(np.minimum(rank, 6), np.minimum(known, 6))


def test_one_audited_user_has_no_interval():
    mean, half = rectified(np.full((10, 2), 0.5), np.ones((1, 2)), Audit(np.array([3]), np.array([0.5])))
    assert mean.tolist() == [0.6, 0.6]
    assert np.isnan(half).all()


@pytest.mark.parametrize("n_audited", [12, 30])
def test_an_interval_holds_where_few_are_audited_and_nearly_all_is_known(n_audited):
    """Of 300 users 190 are decided, 100 nearly so and 10 not: those who are audited often show no spread."""
    rng = np.random.default_rng(5)
    chance = np.concatenate([np.zeros(190), np.full(100, 0.999), np.full(10, 0.7)])
    expected, rows = chance[:, None], np.arange(190, 300)
    price = np.full(110, 900.0)
    covered = {True: 0, False: 0}
    for _ in range(300):
        true = (rng.random(300) < chance).astype(float)[:, None]
        chosen, q = choose(np.ones(110), price, n_audited * 900, rng)
        doubt = np.zeros(300)
        doubt[rows] = (1 - q) / q
        for floor in covered:
            done = Audit(rows[chosen], q[chosen], doubt if floor else np.zeros(0))
            mean, half = rectified(expected, true[rows[chosen]], done)
            covered[floor] += abs(mean[0] - true.mean()) <= half[0]
    assert covered[True] >= 279
    assert covered[False] < covered[True]
