"""Where numbers are float32, results are float64's to a stated tolerance, and the order of systems is the same.

docs/robustness.md lists the places. Kernels of our own that train in float32 are compared with slow float64 steps
beside their own tests, in tests/unit/models.
"""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from truerank.datasets._core.cleaning import implicit
from truerank.datasets._core.interactions import Interactions
from truerank.meta.compiled.sign_flips import draw_bits
from truerank.meta.flips import columns_of
from truerank.meta.kendall import pair_orders
from truerank.meta.significance import compare
from truerank.metrics._core.relevance import is_relevant
from truerank.provenance import generator
from truerank.ranking.exact import rank_items
from truerank.ranking.order import order_key, salt
from truerank.registry import MODELS

from tests.contract.test_models import LEARNERS, SETTINGS
from tests.support import all_scores, fitted, noisy_train

SCORES = 1e-5  # of the largest score: what float32 may move a score by
TRAINED = 1e-3  # of the largest score: what training in float32 may move it by
NDCG = 5e-3  # what that may move a mean nDCG by, when near ties change places


def counted_in_float64(scores, rng, draws):
    """Count the draws as extreme as the observed difference with float64 alone: the same signs, plain sums."""
    problem = columns_of(scores, "zero")
    salts = np.pad(salt(order_key(rng), np.arange(len(scores))), (0, -len(scores) % 8))
    bits = np.empty((len(salts) // 8, 64 * -(-draws // 64)), np.uint8)
    draw_bits(salts, 0, bits)
    negative = np.unpackbits(bits[:, None], axis=1, bitorder="little").reshape(len(salts), -1)[: len(scores), :draws]
    signs = 1.0 - 2 * negative
    flipped = signs.T @ (problem.scores[:, problem.left] - problem.scores[:, problem.right])
    tolerance = problem.noise[problem.left] + problem.noise[problem.right]
    return (np.abs(flipped) >= np.abs(problem.sums) - tolerance).sum(axis=0)


@pytest.mark.parametrize("kind", ["precision", "smooth", "far apart", "large"])
def test_p_values_are_exactly_those_of_float64(kind):
    rng, draws = np.random.default_rng(3), 3000
    scores = {
        "precision": lambda: rng.integers(0, 11, (300, 4)) / 10,
        "smooth": lambda: rng.random((300, 4)),
        "far apart": lambda: rng.random((300, 4)) * 10.0 ** rng.integers(-12, 1, (300, 1)),
        "large": lambda: 1e9 * rng.random((300, 4)),
    }[kind]()
    found = compare([scores], generator(1, "test"), draws)[0].p_value
    expected = (1 + counted_in_float64(scores, generator(1, "test"), draws)) / (1 + draws)
    np.testing.assert_array_equal(found, expected)


@given(st.lists(st.floats(-1e150, 1e150), min_size=2, max_size=6))
def test_orders_of_systems_are_those_of_float64(values):
    values = np.array(values)
    rounded = np.round(values, 12)
    expected = [np.sign(rounded[a] - rounded[b]) for a in range(len(values)) for b in range(a + 1, len(values))]
    np.testing.assert_array_equal(pair_orders(values), expected)


def test_counts_are_whole_numbers_on_a_long_catalogue():
    """There are more candidates than float32, or 16 bits, can count one by one: they are counted in chunks."""
    n_items = (1 << 24) + 5
    scores = np.zeros((1, n_items), np.float32)
    scores[0, :3] = 1
    none = sparse.csr_matrix((1, n_items), dtype=np.float32)
    ranking = rank_items(lambda _: scores.copy(), none, np.array([0]), np.array([n_items - 1]), np.uint64(1), depth=1)
    assert ranking.above[0] == 3
    assert ranking.tied[0] == n_items - 4


@pytest.mark.parametrize("step", [0.1, 0.25, 0.01])
def test_a_rating_at_the_threshold_is_relevant(step):
    """4.1 in float32 is not 4.1 in float64; a threshold is compared in the ratings' own precision."""
    levels = [round(step * n, 2) for n in range(1, round(5 / step) + 1)]
    rating = np.array(levels, np.float32)
    for place, level in enumerate(levels):
        np.testing.assert_array_equal(
            is_relevant({"threshold": level}, rating, None, None), np.arange(len(levels)) >= place
        )
    codes = np.arange(len(levels), dtype=np.int32)
    names = {"id": [str(code) for code in codes]}
    rows = Interactions(codes, codes, rating, np.zeros(len(codes), np.int64), names, names)
    for place, level in enumerate(levels):
        assert len(implicit(rows, level)) == len(levels) - place


def ndcg(scores, train):
    """Mean nDCG@10 of three test items per user, by sorting, in the precision that the scores have."""
    dense, values = train.matrix.toarray() > 0, []
    for user in range(train.n_users):
        free = np.flatnonzero(~dense[user])
        tests = set(free[(7 * user + np.arange(3)) % len(free)])
        order = free[np.argsort(-scores[user, free], kind="stable")][:10]
        gain = sum(1 / np.log2(place + 2) for place, item in enumerate(order) if item in tests)
        values.append(gain / sum(1 / np.log2(place + 2) for place in range(len(tests))))
    return np.mean(values)


def in_both(entry):
    """Return what a model scores from what it learnt, in float32 and with all that it learnt in float64."""
    train, model = noisy_train(rating=True), entry.make(**SETTINGS.get(entry.name, {}))
    learnt = fitted(model, train)
    wide = {name: array.astype(float) if array.dtype == np.float32 else array for name, array in learnt.items()}
    users = np.arange(train.n_users)
    return train, model.scores(learnt, train, users), np.asarray(model.scores(wide, train, users), float)


@pytest.mark.slow
def test_scores_are_those_of_float64_and_systems_stand_in_the_same_order():
    found = {entry.name: in_both(entry) for entry in LEARNERS}
    for name, (_, narrow, wide) in found.items():
        finite = np.isfinite(wide)
        np.testing.assert_array_equal(np.isfinite(narrow), finite, err_msg=name)
        scale = np.abs(wide[finite]).max(initial=1e-30)
        assert np.abs(narrow[finite] - wide[finite]).max(initial=0) <= SCORES * scale, name
    assert len(found) == len([entry for entry in MODELS if not entry.facts.inputs])
    narrow, wide = (np.array([ndcg(both[place], both[0]) for both in found.values()]) for place in (1, 2))
    np.testing.assert_allclose(narrow, wide, atol=NDCG)
    apart = np.abs(wide[:, None] - wide[None]) > 2 * NDCG
    assert apart.sum() > len(found)
    np.testing.assert_array_equal(
        np.sign(narrow[:, None] - narrow[None])[apart], np.sign(wide[:, None] - wide[None])[apart]
    )


def in_float64(minimise, loss, settings, weights, epoch, epochs, rate, rng, callback, tables=(), given=None):
    """Minimise with all but the rate in float64; what is drawn is drawn in float32, as otherwise, so is the same."""
    import jax

    def wide(arrays):
        return [array.astype(float) if array.dtype == np.float32 else array for array in map(np.asarray, arrays)]

    weights, given = (dict(zip(arrays, wide(arrays.values()), strict=True)) for arrays in (weights, given or {}))
    with jax.enable_x64(True), pytest.MonkeyPatch.context() as patch:
        normal, uniform = jax.random.normal, jax.random.uniform
        patch.setattr(jax.random, "normal", lambda key, shape: normal(key, shape, np.float32))
        patch.setattr(
            jax.random, "bernoulli", lambda key, share, shape: uniform(key, shape, np.float32) < np.float32(share)
        )
        return minimise(loss, settings, weights, lambda: map(wide, epoch()), epochs, rate, rng, callback, tables, given)


NETWORKS = {"neumf": {}, "ncf": {}, "lc_nn": {}, "multivae": {}, "triplet": {"epochs": 3, "regressor_epochs": 3}}


@pytest.mark.slow
@pytest.mark.parametrize("name", NETWORKS)
def test_networks_learn_what_they_learn_in_float64(name, monkeypatch):
    """The triplets' hinges part the ways of two trainings after some epochs, however little they differ: three here."""
    from truerank.models._core.neural import pairwise, pointwise, training

    train, model = noisy_train(rating=True), MODELS[name].make(**SETTINGS[name] | NETWORKS[name])
    narrow = all_scores(model, fitted(model, train), train)
    minimise = partial(in_float64, training.minimise)
    for module in (training, pairwise, pointwise):
        monkeypatch.setattr(module, "minimise", minimise)
    learnt = fitted(model, train)
    assert {array.dtype for array in learnt.values()} == {np.dtype(float)}
    wide = all_scores(model, learnt, train)
    assert 0 < np.abs(narrow - wide).max() <= TRAINED * np.abs(wide).max()


@pytest.mark.slow
def test_lda_learns_what_it_learns_in_float64():
    model = MODELS["lda"].make(topics=3, passes=20, batch=8)
    train, double = noisy_train(), noisy_train()
    double.__dict__["matrix"] = double.matrix.astype(float)
    narrow, wide = (all_scores(model, fitted(model, each), each) for each in (train, double))
    assert 0 < np.abs(narrow - wide).max() <= TRAINED * np.abs(wide).max()
