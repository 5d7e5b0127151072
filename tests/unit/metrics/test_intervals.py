"""Intervals of means: what they are in simple cases, and how often they hold the mean under every default metric."""

import runpy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse, stats
from truerank.metrics._core.bounds import Extent
from truerank.metrics._core.evaluation import columns_of, evaluate, is_per_user, limits, policy_of
from truerank.metrics._core.intervals import mean_interval
from truerank.metrics._core.listed import Catalogue, TopLists
from truerank.metrics._core.relevance import judged_by

from tests.support import ROOT, default_study

SIMULATION = runpy.run_path(str(ROOT / "docs" / "make_intervals.py"), run_name="make_intervals")
NUMBERS = st.lists(st.integers(0, 1000), min_size=2, max_size=30).map(lambda numbers: np.array(numbers) / 1000)


def t_interval(values):
    n = len(values)
    half = stats.t.ppf(0.975, n - 1) * values.std(ddof=1) / np.sqrt(n)
    return values.mean() - half, values.mean() + half


def test_values_without_skew_and_range_have_the_t_interval():
    values = np.array([1.0, 2, 3, 4, 5, 6, 7])
    assert mean_interval(values) == pytest.approx(t_interval(values), rel=1e-12)


@given(NUMBERS)
def test_it_is_within_the_range_and_never_narrower_than_the_t_interval(values):
    low, high = mean_interval(values, 0, 1)
    t_low, t_high = t_interval(values)
    assert 0 <= low <= max(t_low, 0) + 1e-9
    assert 1 >= high >= min(t_high, 1) - 1e-9


@given(NUMBERS)
def test_it_turns_and_stretches_with_the_values(values):
    low, high = mean_interval(values, 0, 1)
    assert mean_interval(-values, -1, 0) == pytest.approx((-high, -low), abs=1e-9)
    assert mean_interval(3 + 8 * values, 3, 11) == pytest.approx((3 + 8 * low, 3 + 8 * high), abs=1e-6)


@pytest.mark.parametrize(("hits", "n"), [(3, 200), (20, 200), (5, 943)])
def test_the_upper_end_of_a_rare_hit_is_near_wilsons(hits, n):
    values = np.arange(n) < hits
    wilson = stats.binomtest(hits, n).proportion_ci(method="wilson").high
    assert mean_interval(values.astype(float), 0, 1)[1] == pytest.approx(wilson, rel=0.03)


def test_equal_values_are_not_certain():
    assert mean_interval(np.zeros(50), 0, 1) == pytest.approx((0, stats.t.ppf(0.975, 49) ** 2 / 50))
    assert mean_interval(np.ones(50), 0, 1) == pytest.approx((1 - stats.t.ppf(0.975, 49) ** 2 / 50, 1))
    assert np.isnan(mean_interval(np.full(50, 0.3), 0, np.inf)).all()


def test_values_that_differ_by_rounding_are_equal():
    rounded = np.array([0.1, 0.1, np.nextafter(0.1, 1)] * 20)
    assert mean_interval(rounded, 0, 1) == pytest.approx(mean_interval(np.full(60, 0.1), 0, 1))
    assert mean_interval(rounded, 0, 1)[1] > 0.15
    assert np.isnan(mean_interval(rounded, 0, np.inf)).all()


def test_a_value_that_is_possible_counts_as_seen():
    near_one = np.array([0.990, 0.991, 0.992] * 20)
    alone, with_zero = mean_interval(near_one, 0, 1), mean_interval(near_one, 0, 1, possible=(0.0,))
    assert with_zero[0] < alone[0] - 0.02
    assert with_zero[1] == alone[1]


def test_one_user_or_none_has_no_interval():
    assert np.isnan(mean_interval(np.array([0.5]), 0, 1)).all()
    assert np.isnan(mean_interval(np.array([]), 0, 1)).all()


def test_many_samples_at_once_are_as_one_by_one():
    samples = np.random.default_rng(3).random((5, 20)) ** 4
    together = mean_interval(samples, 0, 1)
    np.testing.assert_allclose(np.transpose(together), [mean_interval(sample, 0, 1) for sample in samples], rtol=1e-12)


# How often they hold the mean

N_USERS, N_ITEMS, DEPTH = 943, 800, 100
SKILL = {"random": 0.0, "good": 2.5}
CUTOFFS = [5, 100]


@pytest.fixture(scope="module")
def study():
    """Per-user values of a random and a good model, by metric of the default study: column -> values, policy, range.

    Users hold out few to many items, a hundredth of the users like none of theirs.
    """
    rng = np.random.default_rng(20)
    appeal = 1 / np.arange(1, N_ITEMS + 1) ** 0.6
    noise = rng.gumbel(size=(N_USERS, N_ITEMS)) + np.log(appeal)
    n_test = 1 + rng.geometric(0.06, N_USERS).clip(max=100)
    is_test = np.argsort(np.argsort(-noise, axis=1), axis=1) < n_test[:, None]
    rating = rng.choice([1, 2, 3, 4, 5], is_test.shape, p=[0.06, 0.11, 0.27, 0.34, 0.22])
    rating[rng.permutation(N_USERS)[: N_USERS // 100]] = 2
    known = (rng.random((N_ITEMS, N_USERS)) < 0.3 * appeal[:, None]).astype(float)
    catalogue = Catalogue(sparse.csr_matrix(known), sparse.csr_matrix((rng.random((N_ITEMS, 8)) < 0.3).astype(float)))
    config = default_study()
    selected, rule = config["select"]["ranking"]["metrics"], config["relevance"]
    metrics = {name: {"relevance": rule} | config["metrics"].get(name, {"kind": name}) for name in selected}
    metrics = {name: definition for name, definition in metrics.items() if is_per_user(definition)}
    extent, columns = Extent(N_USERS, N_ITEMS, DEPTH, (1, 5)), {}
    for model, skill in SKILL.items():
        score = rng.normal(size=is_test.shape) + skill * (np.log(appeal) / 2 + is_test * rating / 4)
        ranked = np.argsort(-score, axis=1)
        user, item = np.nonzero(is_test)
        table = {"user": user, "rank": np.argsort(ranked, axis=1)[user, item] + 1, "rating": rating[user, item]}
        table |= {"candidates": np.full(len(user), N_ITEMS), "scale": (1, 5), "mean_rating": np.full(len(user), 3.55)}
        table["prediction"] = (3.5 + 0.3 * skill * (rating - 3.5)[user, item] + rng.normal(0, 1, len(user))).clip(1, 5)
        for definition_rule in {str(d["relevance"]): d["relevance"] for d in metrics.values()}.values():
            chosen = {name: d for name, d in metrics.items() if d["relevance"] == definition_rule}
            judged = judged_by(definition_rule, **table)
            values = evaluate(judged, chosen, CUTOFFS, TopLists(ranked[:, :DEPTH], judged, catalogue))
            for name, definition in chosen.items():
                low, highs = limits(definition, CUTOFFS, extent)
                for column, high in zip(columns_of(name, definition, CUTOFFS), highs, strict=True):
                    columns[model, column] = values[column], policy_of(definition, "zero"), low, high
    assert {column.rpartition("@")[0] for _, column in columns} == metrics.keys()
    return columns


@pytest.mark.slow
def test_they_hold_the_mean_of_every_default_metric(study):
    """2,000 samples each: a share of .95 is uncertain by .005, so that .93 is four standard errors below."""
    least_before = 1
    for number, (column, (values, policy, low, high)) in enumerate(study.items()):
        found = SIMULATION["measure"](values, policy, low, high, np.random.default_rng(number), repeats=2000)
        for size, (before, _, now, width) in found.items():
            least_before = min(least_before, before)
            assert now >= 0.93, f"{column}, {size} users: {now:.3f}, before {before:.3f}"
            assert width < high - low
    assert least_before < 0.8, "these populations are too easy to show anything"


def with_atom(share, value, others):
    """Return a population in which this share of users has one value and the rest has others."""
    n = len(others)
    return np.where(np.arange(n) < share * n, value, others)


RNG = np.random.default_rng(21)
NEAR_ONE = 1 - RNG.beta(2, 30, 20_000)
HOSTILE = {
    f"{name}, {share:g}": with_atom(share, value, others)
    for share in (0.001, 0.003, 0.01, 0.03)
    for name, value, others in (
        ("hits", 1.0, np.zeros(20_000)),
        ("auc without relevant items", 0.0, NEAR_ONE),
        ("auc near 1 without relevant items", 0.0, 1 - NEAR_ONE / 100),
        ("hits of all sizes", RNG.beta(0.5, 2, 20_000), np.zeros(20_000)),
        ("reciprocal ranks", 1 / RNG.integers(1, 60, 20_000), np.zeros(20_000)),
    )
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_they_hold_the_mean_of_hostile_populations(name):
    found = SIMULATION["measure"](HOSTILE[name], "zero", 0, 1, np.random.default_rng(22), repeats=2000)
    for size, (_, _, now, _) in found.items():
        assert now >= 0.93, f"{size} users: {now:.3f}"
