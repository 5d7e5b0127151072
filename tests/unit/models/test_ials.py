"""iALS against the loss in its docstring and against dense normal equations."""

import math
from itertools import pairwise

import numpy as np
import pytest
from truerank.errors import UserError
from truerank.models.ials import Ials, best_rows

from tests.support import fitted, noisy_train

LAMBDA, ALPHA = 0.5, 0.2


def trained(iterations, **settings):
    train = noisy_train()
    settings = {"factors": 4, "regularisation": LAMBDA, "unobserved": ALPHA, "iterations": iterations} | settings
    learnt = fitted(Ials(**settings), train)
    return train.matrix.toarray().astype(float), learnt["users"].astype(float), learnt["items"].astype(float)


def loss(observed, users, items):
    """The docstring's loss; implicit's factors are larger by (1 + alpha)^(1/2) on each side."""
    users, items = users / math.sqrt(1 + ALPHA), items / math.sqrt(1 + ALPHA)
    predicted = users @ items.T
    return (
        (observed * (predicted - 1) ** 2).sum()
        + ALPHA * (predicted**2).sum()
        + LAMBDA * ((users**2).sum() + (items**2).sum())
    )


def test_the_loss_in_the_docstring_falls_with_every_iteration():
    losses = [loss(*trained(iterations)) for iterations in (1, 2, 3, 5, 10, 30, 100)]
    assert all(later < earlier * (1 + 1e-6) for earlier, later in pairwise(losses)), losses
    assert losses[-1] < 0.9 * losses[0]


def test_the_loss_told_is_that_of_the_docstring_in_implicits_form():
    """That is (1 + alpha)^2 / alpha times the loss, without the constant 1 + alpha of each observation."""
    told, train = [], noisy_train()
    model = Ials(factors=4, regularisation=LAMBDA, unobserved=ALPHA, iterations=7)
    learnt = model.fit(train, np.random.default_rng(1), lambda *step: told.append(step))
    observed = train.matrix.toarray().astype(float)
    n, confidence = observed.sum(), (1 + ALPHA) / ALPHA
    expected = loss(observed, learnt["users"].astype(float), learnt["items"].astype(float)) * (1 + ALPHA) ** 2 / ALPHA
    expected = (expected - n * (1 + ALPHA)) / (n * confidence + observed.size - n)
    assert [step[:2] for step in told] == [(step, 7) for step in range(1, 8)]
    assert told[-1][2] == pytest.approx(expected, rel=1e-3)


def test_no_step_in_any_direction_lowers_the_loss_where_it_has_converged():
    observed, users, items = trained(300)
    least = loss(observed, users, items)
    rng = np.random.default_rng(1)
    for _ in range(50):
        step = 1e-2 * rng.normal(size=users.shape), 1e-2 * rng.normal(size=items.shape)
        assert loss(observed, users + step[0], items + step[1]) > least


@pytest.mark.parametrize("threads", [1, 2])
def test_factors_and_loss_are_those_of_implicit(threads):
    """To the rounding of sums in another order, from the same start."""
    from implicit.cpu.als import AlternatingLeastSquares

    told, train = [], noisy_train()
    model = Ials(factors=20, regularisation=LAMBDA, unobserved=ALPHA, iterations=10)
    model.threads = threads
    learnt = model.fit(train, np.random.default_rng(1), lambda *step: told.append(step[2]))
    weight, seed = (1 + ALPHA) / ALPHA, int(np.random.default_rng(1).integers(2**31))
    settings = {"alpha": 1.0, "iterations": 10, "random_state": seed, "calculate_training_loss": True}
    other = AlternatingLeastSquares(factors=20, regularization=LAMBDA * weight, num_threads=1, **settings)
    losses = []
    other.fit(train.matrix * np.float32(weight), show_progress=False, callback=lambda *step: losses.append(step[2]))
    np.testing.assert_allclose(told, losses, rtol=1e-5)
    np.testing.assert_allclose(learnt["users"], other.user_factors, atol=1e-4)
    np.testing.assert_allclose(learnt["items"], other.item_factors, atol=1e-4)


def test_factors_that_are_no_numbers_are_told():
    with pytest.raises(UserError, match=r"diverged in epoch 1 of 5 .*; raise `unobserved`, or lower `regularisation`"):
        fitted(Ials(factors=16, iterations=5, unobserved=1e-12, regularisation=1e15), noisy_train())


def normal_equations(observed_row, others):
    """Solve one vector of the docstring's loss given the other side, in the docstring's scale."""
    gram = others[observed_row > 0].T @ others[observed_row > 0] + ALPHA * others.T @ others
    return np.linalg.solve(gram + LAMBDA * np.eye(others.shape[1]), others[observed_row > 0].sum(axis=0))


@pytest.mark.parametrize("side", ["users", "items"])
def test_each_vector_solves_its_normal_equations(side):
    """After 300 iterations; we solve by three steps of conjugate gradients in float32, hence 1 %."""
    observed, users, items = trained(300)
    mine, others, rows = (users, items, observed) if side == "users" else (items, users, observed.T)
    scale = math.sqrt(1 + ALPHA)
    expected = np.array([normal_equations(row, others / scale) for row in rows])
    assert np.abs(mine / scale - expected).max() < 0.01 * np.abs(expected).max()


def test_more_penalty_gives_shorter_vectors_and_more_weight_on_the_unobserved_lower_scores():
    _, users, items = trained(30)
    _, penalised, _ = trained(30, regularisation=5.0)
    assert (penalised**2).sum() < (users**2).sum()
    _, low_users, low_items = trained(30, unobserved=2.0)
    # In the docstring's scale, which differs between the two.
    assert (low_users @ low_items.T).mean() / 3 < (users @ items.T).mean() / (1 + ALPHA)


def test_shapes_follow_the_settings():
    train = noisy_train()
    learnt = fitted(Ials(factors=3, iterations=1), train)
    assert learnt["users"].shape == (40, 3)
    assert learnt["items"].shape == (30, 3)
    assert learnt["users"].dtype == np.float32


def test_a_user_or_item_without_interactions_has_no_vector():
    _, users, items = trained(3)
    assert (users[-1] == 0).all()
    assert (items[-1] == 0).all()


def test_another_seed_starts_elsewhere_and_ends_as_low():
    train = noisy_train()
    observed = train.matrix.toarray()
    settings = {"factors": 4, "regularisation": LAMBDA, "unobserved": ALPHA, "iterations": 100}
    ends = [fitted(Ials(**settings), train, seed) for seed in (1, 2)]
    assert not np.array_equal(ends[0]["users"], ends[1]["users"])
    one, two = (loss(observed, end["users"], end["items"]) for end in ends)
    assert one == pytest.approx(two, rel=0.05)


def test_towards_ratings_every_step_solves_the_weighted_least_squares():
    """Rows against a dense solution: each cell an equation of weight 1 + w r, zeros included."""
    rng, train = np.random.default_rng(1), noisy_train(rating=True)
    ratings, other = train.rated.astype(float), rng.normal(size=(30, 4))
    found = best_rows(ratings, other, 0.3, LAMBDA)
    for row, own in zip(found, ratings.toarray(), strict=True):
        root = np.sqrt(1 + 0.3 * own)
        equations = np.vstack([root[:, None] * other, math.sqrt(LAMBDA) * np.eye(4)])
        expected = np.linalg.lstsq(equations, np.append(root * own, np.zeros(4)), rcond=None)[0]
        np.testing.assert_allclose(row, expected, atol=1e-9)


def test_towards_ratings_the_loss_in_the_docstring_falls():
    train = noisy_train(rating=True)
    ratings = train.rated.toarray().astype(float)

    def loss_after(iterations):
        settings = {"factors": 4, "regularisation": LAMBDA, "weight": 0.3, "iterations": iterations}
        learnt = fitted(Ials(preference="rating", **settings), train)
        users, items = (learnt[name].astype(float) for name in ("users", "items"))
        error = (1 + 0.3 * ratings) * (users @ items.T - ratings) ** 2
        return error.sum() + LAMBDA * ((users**2).sum() + (items**2).sum())

    losses = [loss_after(iterations) for iterations in (1, 2, 5, 20)]
    assert all(later < earlier * (1 + 1e-6) for earlier, later in pairwise(losses)), losses
    assert losses[-1] < 0.95 * losses[0]
