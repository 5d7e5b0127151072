"""Curves from scores to ratings: monotone, on the scale, the best of their kind, and fitted on training pairs alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LinearRegression
from truerank.core import training
from truerank.models._core import calibration
from truerank.models._core.calibration import (
    calibrate,
    gives_ratings,
    isotonic,
    linear,
    parted,
    predict,
    training_scores,
)
from truerank.provenance import generator

from tests.support import noisy_train, train_of

KINDS = ("linear", "isotonic")
RATINGS = st.integers(1, 5)
SCORES = st.one_of(st.integers(-3, 3), st.floats(-10, 10, width=32))
pairs = st.lists(st.tuples(SCORES, RATINGS), min_size=2, max_size=30)


def curve(kind, score, rating):
    x, y = (linear if kind == "linear" else isotonic)(np.array(score, float), np.array(rating, float), 1, 5)
    return lambda at: np.interp(at, x, y)


@pytest.mark.parametrize("kind", KINDS)
@given(data=pairs)
def test_it_never_falls_and_stays_on_the_scale(kind, data):
    at = np.linspace(-20, 20, 201)
    found = curve(kind, *zip(*data, strict=True))(at)
    assert (np.diff(found) >= 0).all()
    assert ((found >= 1 - 1e-9) & (found <= 5 + 1e-9)).all()


@given(st.lists(st.tuples(st.integers(-40, 40).map(lambda n: n / 4), RATINGS), min_size=2, max_size=30))
def test_scikit_learn_isotonic_regression(data):
    score, rating = (np.array(column, float) for column in zip(*data, strict=True))
    peer = IsotonicRegression(out_of_bounds="clip").fit(score, rating)
    at = np.linspace(-12, 12, 49)
    np.testing.assert_allclose(curve("isotonic", score, rating)(score), peer.predict(score), atol=1e-9)
    np.testing.assert_allclose(curve("isotonic", score, rating)(at), peer.predict(at), atol=1e-9)


@given(st.lists(st.tuples(st.integers(-3, 3), RATINGS), min_size=2, max_size=30))
def test_least_squares_with_a_slope_of_at_least_0(data):
    score, rating = (np.array(column, float) for column in zip(*data, strict=True))
    peer = LinearRegression(positive=True).fit(score[:, None], rating)
    at = np.linspace(-5, 5, 21)
    np.testing.assert_allclose(curve("linear", score, rating)(at), np.clip(peer.predict(at[:, None]), 1, 5), atol=1e-6)


def scores_of(train, seed=0):
    table = np.random.default_rng(seed).normal(size=(train.n_users, train.n_items)).astype(np.float32)
    return table, lambda users: table[users]


def test_scores_of_training_pairs_and_their_ratings():
    train = noisy_train(rating=True)
    table, scores = scores_of(train)
    score, rating = training_scores(scores, train, generator(1, "a"))
    expected = sorted(zip(table[train.user, train.item].tolist(), train.rating.tolist(), strict=True))
    assert sorted(zip(score.tolist(), rating.tolist(), strict=True)) == expected


def test_blocks_change_nothing(monkeypatch):
    train = noisy_train(rating=True)
    _, scores = scores_of(train)
    whole = training_scores(scores, train, generator(1, "a"))
    monkeypatch.setattr(calibration, "CELLS_PER_BLOCK", 3 * train.n_items)
    np.testing.assert_array_equal(training_scores(scores, train, generator(1, "a")), whole)


def test_of_very_many_pairs_a_seeded_sample_of_users_is_taken(monkeypatch):
    train = noisy_train(rating=True)
    monkeypatch.setattr(calibration, "MOST_PAIRS", 40)
    _, scores = scores_of(train)
    asked = []
    spy = lambda users: asked.extend(users) or scores(users)  # noqa: E731
    score, _ = training_scores(spy, train, generator(1, "a"))
    assert 40 <= len(score) < len(train.user) / 2
    assert len(score) == np.isin(train.user, asked).sum(), "all pairs of the users that were asked for"
    again, _ = training_scores(scores, train, generator(1, "a"))
    other, _ = training_scores(scores, train, generator(2, "a"))
    assert score.tolist() == again.tolist() != other.tolist()


def test_scores_of_minus_infinity_are_left_out():
    train = train_of([(0, 0), (0, 1), (1, 1)], 2, 2, np.array([1, 2, 5], np.float32))
    table = np.array([[-np.inf, 0], [0, 1]], np.float32)
    score, rating = training_scores(lambda users: table[users], train, generator(1, "a"))
    assert (score.tolist(), rating.tolist()) == ([0, 1], [2, 5])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rating", [None, 4])
def test_without_ratings_that_differ_there_is_nothing_to_learn(kind, rating):
    rating = None if rating is None else np.full(3, rating, np.float32)
    train = train_of([(0, 0), (0, 1), (1, 1)], 2, 2, rating)
    assert calibrate(kind, lambda users: np.zeros((len(users), 2)), train, generator(1, "a")) == {}


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_that_scores_no_training_pair_is_not_calibrated(kind):
    train = noisy_train(rating=True)
    nothing = lambda users: np.full((len(users), train.n_items), -np.inf)  # noqa: E731
    assert calibrate(kind, nothing, train, generator(1, "a")) == {}


@pytest.mark.parametrize("kind", KINDS)
def test_predictions_follow_the_curve(kind):
    train = noisy_train(rating=True)
    _, scores = scores_of(train)
    learnt = calibrate(kind, scores, train, generator(1, "a"))
    score = np.array([-np.inf, -99, 0, 0.5, 99], np.float32)
    found = predict(learnt, score, train, predicts_ratings=False)
    assert found.dtype == np.float32
    assert np.isnan(found[0]), "what is not recommended has no prediction"
    assert (np.diff(found[1:]) >= 0).all()
    assert ((found[1:] >= 1) & (found[1:] <= 5)).all()


def test_a_model_that_predicts_ratings_is_cut_off_at_their_scale_and_others_predict_nothing():
    train = noisy_train(rating=True)
    score = np.array([-3, 2.5, 9], np.float32)
    assert predict({}, score, train, predicts_ratings=True).tolist() == [1, 2.5, 5]
    assert np.isnan(predict({}, np.array([-np.inf], np.float32), train, predicts_ratings=True)).all()
    assert np.isnan(predict({}, score, train, predicts_ratings=False)).all()
    assert np.isnan(predict({}, score, noisy_train(), predicts_ratings=True)).all()


def test_a_run_says_itself_whether_its_scores_are_ratings():
    assert gives_ratings({"kind": "svd"})
    assert not gives_ratings({"kind": "ease"})
    assert not gives_ratings({"kind": "run", "path": "run.txt"})
    assert gives_ratings({"kind": "run", "path": "run.txt", "ratings": True})


def test_held_out_rows_are_a_tenth_and_nobody_loses_all():
    train = noisy_train(n_users=400, rating=True)
    seen, held_out = parted(train, generator(1, "a"))
    assert len(seen.user) + len(held_out.user) == len(train.user)
    assert len(held_out.user) / len(train.user) == pytest.approx(0.1, abs=0.02)
    assert set(train.user) == set(seen.user)
    rows = sorted(
        zip(*(np.append(getattr(seen, c), getattr(held_out, c)) for c in ("user", "item", "rating")), strict=True)
    )
    assert rows == sorted(zip(train.user, train.item, train.rating, strict=True))


class Remembers:
    """Scores what it was trained on 10 above the rating's own signal: fitted there, a curve is of no use elsewhere."""

    def __init__(self, signal):
        self.signal = signal

    def fit(self, train, rng, callback=None):
        return {"user": train.user, "item": train.item}

    def bytes_needed(self, train):
        return 0

    def scores(self, learnt, train, users):
        table = self.signal.copy()
        table[learnt["user"], learnt["item"]] += 10
        return table[users]


def test_a_curve_of_held_out_rows_predicts_unseen_pairs(monkeypatch):
    rng = np.random.default_rng(3)
    signal = rng.integers(1, 6, (60, 40)).astype(float)
    known = np.argwhere(rng.random(signal.shape) < 0.6)
    train = train_of(known.tolist(), 60, 40, signal[tuple(known.T)].astype(np.float32))
    unseen = np.setdiff1d(np.arange(60 * 40), train.user.astype(int) * 40 + train.item)
    model, truth = Remembers(signal), signal.ravel()[unseen]
    errors = {}
    monkeypatch.setattr(training.MODELS, "make", lambda definition: model)
    for kind in ("isotonic", "isotonic_held_out", "linear_held_out"):
        found = training.train({"kind": "mf", "calibration": kind}, train, ("a", "b", "c"), 1)
        predicted = predict(found.learnt, truth, train, predicts_ratings=False)
        errors[kind] = np.abs(predicted - truth).mean()
        assert (len(found.learnt["user"]) < len(train.user)) == (kind != "isotonic")
    assert errors["isotonic"] > 1
    assert errors["isotonic_held_out"] < 0.1
    assert errors["linear_held_out"] < 0.1
