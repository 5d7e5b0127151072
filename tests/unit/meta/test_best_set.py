"""The best set holds the best metric as often as it claims; the name follows the convention."""

import numpy as np
import pytest
from truerank.meta.best_set import BestSet, best_set, distances, named_by_convention, users_for_handful
from truerank.meta.criterion import UserScores
from truerank.meta.flips import InMemory
from truerank.meta.resampling import resampled, stability, times
from truerank.meta.significance import compare


def scores_of(tables, policy="zero"):
    return UserScores(InMemory(tables, np.arange(len(tables[0]))), [policy] * len(tables))


def slow_set(values, covariance, rng, draws=4_000):
    """The definition, draw by draw and pair by pair."""
    n = len(values)
    se = np.array(
        [[np.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]) for j in range(n)] for i in range(n)]
    )
    others = [[j for j in range(n) if j != m] for m in range(n)]
    noise = rng.multivariate_normal(np.zeros(n), covariance, draws)
    inside = []
    for m in range(n):
        t = max((values[j] - values[m]) / se[j, m] for j in others[m])
        chance = [max((g[j] - g[m]) / se[j, m] for j in others[m]) for g in noise]
        inside.append(t <= np.quantile(chance, 0.95))
    return np.array(inside)


def test_the_set_is_the_definition():
    rng = np.random.default_rng(0)
    root = rng.normal(size=(5, 5))
    covariance = root @ root.T
    for scale in (0.5, 3, 9):
        values = np.linspace(0, scale, 5)
        found = best_set(values, covariance, np.random.default_rng(1))
        np.testing.assert_array_equal(found.inside, slow_set(values, covariance, rng))


def metrics_of(rng, n_users):
    """Metrics of four systems that see the same qualities through more and more noise: the first is the best."""
    quality = rng.normal(size=(n_users, 4)) * 0.5 + np.array([0, 0.05, 0.1, 0.2])
    return [quality + rng.normal(size=quality.shape) * noise for noise in (0.1, 0.3, 0.5, 1.0, 2.0)]


@pytest.mark.slow
def test_the_best_metric_is_in_the_set_in_at_least_93_of_100_samples():
    rng = np.random.default_rng(2)
    inside, sizes = [], []
    for _ in range(300):
        found = scores_of(metrics_of(rng, 250)).criterion()
        chosen = best_set(found.values, found.covariance, rng, draws=1_000).inside
        inside.append(chosen[0])
        sizes.append(chosen.sum())
    assert np.mean(inside) >= 0.93
    assert np.mean(sizes) < 5, "a set of everything would cover too"


@pytest.mark.slow
def test_a_null_pair_is_rarely_significant_under_the_named_metric():
    """Two systems whose scores are swapped at random for each user are alike; some selection remains, and no more."""
    rng = np.random.default_rng(3)
    names = [(name, "10") for name in ("a", "b", "c", "d", "e")]
    significant = []
    for _ in range(150):
        tables = metrics_of(rng, 200)
        swap = rng.random(200) < 0.5
        for table in tables:
            table[swap, :2] = table[swap, 1::-1]
        found = scores_of(tables).criterion()
        inside = best_set(found.values, found.covariance, rng, draws=500).inside
        named = named_by_convention(names, found.values, inside, ())
        significant.append(compare([tables[named]], rng, draws=500)[0].p_value[0] < 0.05)
    assert np.mean(significant) <= 0.15


def test_metrics_that_always_move_together_stay_together():
    values, covariance = np.array([1.0, 1.0, 0.0]), np.ones((3, 3)) * 0.01
    covariance[2] = covariance[:, 2] = 0
    covariance[2, 2] = 0.01
    assert best_set(values, covariance, np.random.default_rng(0)).inside.tolist() == [True, True, False]


def test_nothing_and_no_noise():
    rng = np.random.default_rng(0)
    assert best_set(np.empty(0), np.empty((0, 0)), rng).inside.tolist() == []
    assert best_set(np.array([5.0, 5.0]), np.zeros((2, 2)), rng).inside.all()


def test_the_name_is_by_convention_then_by_value_then_deepest():
    metrics = [("rr", "5"), ("f1", "5"), ("ndcg", "5"), ("ndcg", "10"), ("ndcg", "50"), ("precision", "5")]
    values = np.array([9, 9, 1, 2, 2, 5.0])
    everything = np.ones(6, bool)
    assert named_by_convention(metrics, values, everything, ("f1",)) == 4
    assert named_by_convention(metrics, values, np.array([True, True, False, False, False, True]), ()) == 5
    assert named_by_convention(metrics, values, np.array([True, True, False, False, False, False]), ("f1", "rr")) == 0
    assert named_by_convention(metrics[:2], values[:2], np.array([False, True]), ("f1",)) == 1
    assert named_by_convention(metrics, values, ~everything, ()) is None


def test_users_that_would_leave_a_handful():
    inside = np.ones(7, bool)
    found = BestSet(inside, np.array([0, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0]), np.full(7, 3.0))
    assert users_for_handful(found, 100) == pytest.approx(100 * (3 / 1.5) ** 2)
    assert users_for_handful(found, 100, handful=7) is None
    np.testing.assert_array_equal(distances(np.array([1.0, 3.0]), np.array([[0, 2.0], [2.0, 0]])), [4, 0])


def test_stability_is_the_share_of_resamples_and_does_not_depend_on_threads():
    rng = np.random.default_rng(5)
    scores = scores_of([rng.normal(size=(200, 3)) + np.array([0, 0.1, 0.2]) * size for size in (3, 3, 0.1)])
    sets = [np.array([0, 2]), np.array([1])]
    key = np.uint64(6)
    again = [resampled(scores, key, slice(0, 40), threads) for threads in (1, 2)]
    one, two = (stability(own, sets, np.random.default_rng(6)) for own in again)
    np.testing.assert_array_equal(one, two)
    assert one[0] > 0.9
    assert one[1] == 1, "alone in its set"
    assert one[2] < 0.1
    nobody = resampled(scores_of([np.empty((0, 3))]), key, slice(0, 20))
    assert np.isnan(stability(nobody, [np.array([0])], rng)).all()


def test_a_user_is_in_resamples_as_often_as_in_a_bootstrap_of_very_many():
    drawn = times(np.uint64(3), np.arange(20_000), np.arange(5))
    shares = [(drawn == n).mean() for n in range(4)]
    np.testing.assert_allclose(shares, [np.exp(-1), np.exp(-1), np.exp(-1) / 2, np.exp(-1) / 6], atol=0.01)
    assert drawn.mean() == pytest.approx(1, abs=0.02)
    assert abs(np.corrcoef(drawn.T)[np.triu_indices(5, 1)]).max() < 0.04
    np.testing.assert_array_equal(times(np.uint64(3), np.arange(7, 9), np.arange(2, 5)), drawn[7:9, 2:])


def test_a_metric_that_is_worse_without_doubt_is_not_in_the_set():
    score = np.random.default_rng(5).random((200, 1))
    sure, blind = np.hstack([score, score + 1]), np.hstack([score, score])
    found = scores_of([sure, blind, sure * 2]).criterion()
    assert found.values.tolist() == [5, 0, 5]
    assert best_set(found.values, found.covariance, np.random.default_rng(6)).inside.tolist() == [True, False, True]
