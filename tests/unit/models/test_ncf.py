"""Networks with a context: they predict ratings, and know a user without any by the context alone."""

import numpy as np
import pytest
from truerank.errors import UserError
from truerank.models._core.base import Train
from truerank.models.lc_nn import LCNN
from truerank.models.ncf import NCF

from tests.support import all_scores, fitted, noisy_train

SETTINGS = {"factors": 4, "layers": [16], "epochs": 60, "batch": 64, "rate": 0.01}


def two_kinds(n_users=40, n_items=16):
    """Return ratings 5 or 1 that follow from two kinds of users and of items; the last two users gave none."""
    kind = np.arange(n_users) % 2
    user, item = np.divmod(np.arange((n_users - 2) * n_items), n_items)
    rating = np.where(kind[user] == item % 2, 5, 1).astype(np.float32)
    context = np.stack([2 * kind - 1, np.ones(n_users)], axis=1).astype(np.float32)
    return Train(user, item, n_users, n_items, rating, context)


@pytest.mark.parametrize("kind", [NCF, LCNN], ids=["ncf", "lc_nn"])
def test_ratings_are_predicted_also_for_users_of_whom_only_the_context_is_known(kind):
    train, model = two_kinds(), kind(**SETTINGS)
    scores = all_scores(model, fitted(model, train), train)
    wanted = np.where(np.arange(40)[:, None] % 2 == np.arange(16) % 2, 5, 1)
    np.testing.assert_allclose(scores[:-2], wanted[:-2], atol=0.5)
    assert (np.sign(scores[-2:] - 3) == np.sign(wanted[-2:] - 3)).mean() > 0.9


@pytest.mark.parametrize("kind", [NCF, LCNN], ids=["ncf", "lc_nn"])
def test_the_context_is_used_unless_it_is_turned_off(kind):
    train = noisy_train(rating=True)
    other = Train(train.user, train.item, train.n_users, train.n_items, train.rating, -train.context)
    for used in (True, False):
        model = kind(**SETTINGS | {"epochs": 2, "context": used})
        one, two = (all_scores(model, fitted(model, data), data) for data in (train, other))
        assert np.array_equal(one, two) != used


@pytest.mark.parametrize("kind", [NCF, LCNN], ids=["ncf", "lc_nn"])
def test_without_attributes_of_users_there_is_a_sentence(kind):
    known = noisy_train(rating=True)
    train = Train(known.user, known.item, known.n_users, known.n_items, known.rating)
    with pytest.raises(UserError, match="learns from attributes of users, and this dataset has no attributes"):
        fitted(kind(), train)
    plain = kind(**SETTINGS | {"epochs": 1, "context": False})
    assert np.isfinite(all_scores(plain, fitted(plain, train), train)).all()


def test_the_loss_is_told():
    told = []
    NCF(**SETTINGS).fit(two_kinds(), np.random.default_rng(1), lambda *step: told.append(step))
    assert [step for step, _, _ in told] == list(range(1, 61))
    assert told[-1][2] < 0.1 < told[0][2]


@pytest.mark.slow
def test_the_convolutional_embedder_is_learnt_point_by_point():
    """Small, with little dropout; the vectors that the tower gets have length 1, those of users know the context."""
    sizes = {"widths": [8, 16, 16, 8], "hidden": 16, "dropout": [0, 0, 0, 0]}
    model, train = LCNN(embedder="convolution", **sizes, layers=[16], epochs=40, batch=64, rate=0.01), two_kinds()
    losses = []
    learnt = model.fit(train, np.random.default_rng(1), lambda *step: losses.append(step[2]))
    assert len(losses) == 40
    assert losses[-1] < 0.2 * losses[0]
    scores = all_scores(model, learnt, train)
    wanted = np.where(np.arange(40)[:, None] % 2 == np.arange(16) % 2, 5, 1)
    assert (np.sign(scores[:-2] - 3) == np.sign(wanted[:-2] - 3)).mean() > 0.95
    again = model.fit(train, np.random.default_rng(1))
    assert all(np.array_equal(learnt[name], again[name]) for name in learnt)
    with pytest.raises(UserError, match="widths of a lc_nn model is"):
        LCNN(embedder="convolution", widths=[8, 8])
