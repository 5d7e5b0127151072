"""The convolutional embedder against loops, and what pair-wise training must bring about."""

import numpy as np
import pytest
from truerank.errors import UserError
from truerank.models._core.base import Train
from truerank.models._core.neural.embedder import UNRATED, embed, embedder_weights, sequence_of_users, triplets
from truerank.models._core.neural.pairwise import learn_vectors
from truerank.models.triplet import Triplet
from truerank.provenance import generator

from tests.support import all_scores, fitted, for_each, noisy_train, train_of
from tests.unit.models.test_ncf import two_kinds

SMALL = {"widths": [8, 16, 16, 8], "hidden": 16, "dropout": [0, 0, 0, 0], "epochs": 60, "batch": 64}


def slow_embedding(weights, sequence):
    """Return the vector of one entity. sequence : its vectors, one after the other."""
    for place, size in enumerate((1, 2, 2)):
        kernel, bias = weights[f"filter{place}_weights"], weights[f"filter{place}_bias"]
        end = [np.zeros_like(sequence[0])] * (size - 1)
        windows = [np.concatenate([*sequence, *end][start : start + size]) for start in range(len(sequence))]
        sequence = [np.maximum(window @ kernel + bias, 0) for window in windows]
    x = np.mean(sequence, axis=0)
    for name in ("dense0", "dense1"):
        x = np.maximum(x @ weights[f"{name}_weights"] + weights[f"{name}_bias"], 0)
    x = x @ weights["out_weights"] + weights["out_bias"]
    return x / max(np.linalg.norm(x), 1e-6)


@pytest.mark.parametrize("n_context", [0, 3], ids=["no context", "context"])
def test_the_embedder_is_a_convolution_along_the_sequence(n_context):
    train = noisy_train()
    weights = embedder_weights(generator(1), train, n_context, [5, 7, 6, 4], 9)
    context = train.context[:, :n_context]
    users = np.arange(train.n_users)
    found = embed(weights, sequence_of_users(weights, context, users))
    for user in users:
        sequence = [weights["user_table"][user]]
        if n_context:
            sequence.append(context[user] @ weights["context_weights"])
        np.testing.assert_allclose(found[user], slow_embedding(weights, sequence), rtol=1e-3, atol=1e-5)
    items = embed(weights, [weights["item_table"]])
    np.testing.assert_allclose(items[3], slow_embedding(weights, [weights["item_table"][3]]), rtol=1e-3, atol=1e-5)


def test_users_come_nearer_to_what_they_like():
    train, settings = two_kinds(), SMALL | {"liked": 5, "disliked": 2, "limit": 10**6, "margin": 1.0, "rate": 0.005}
    vectors = learn_vectors(train, train.context, generator(1), None, **settings)
    users, items = vectors["user_vectors"], vectors["item_vectors"]
    np.testing.assert_allclose(np.linalg.norm(users, axis=1), 1, rtol=1e-4)
    near = users @ items.T
    own = np.arange(40)[:, None] % 2 == np.arange(16) % 2
    assert near[:-2][own[:-2]].min() > near[:-2][~own[:-2]].max()


@pytest.mark.parametrize("head", ["bpr", "ncf", "lc_nn"])
def test_the_regressor_predicts_ratings(head):
    train, model = two_kinds(), Triplet(head=head, regressor_epochs=60, **SMALL)
    scores = all_scores(model, fitted(model, train), train)[:-2]
    wanted = np.where(np.arange(38)[:, None] % 2 == np.arange(16) % 2, 5, 1)
    np.testing.assert_allclose(scores, wanted, atol=1.2)


def test_an_epoch_has_a_triplet_for_every_liked_item_of_who_dislikes_one():
    train = two_kinds()
    dislikes = np.isin(train.user, train.user[train.rating <= 2])
    n_liked = int(((train.rating >= 5) & dislikes).sum())
    user, good, bad = triplets(generator(1), train, 5, 2, None)
    assert len(user) == len(set(zip(user.tolist(), good.tolist(), strict=True))) == n_liked
    rating = train.rated.toarray()
    assert (rating[user, good] == 5).all()
    assert ((rating[user, bad] > 0) & (rating[user, bad] <= 2)).all()
    assert len(triplets(generator(1), train, 5, 2, 3)[0]) == 3
    many = noisy_train(400, 300)
    assert len(many.user) > UNRATED
    assert len(triplets(generator(1), many, 0, 0, None)[0]) == UNRATED


def test_both_phases_are_told():
    told = []
    model = Triplet(**SMALL | {"epochs": 3}, regressor_epochs=2)
    model.fit(two_kinds(), generator(1), lambda *step: told.append(step))
    assert [step[:2] for step in told] == [(step, 5) for step in range(1, 6)]
    assert [step[3] for step in told] == [True] * 3 + [False] * 2
    assert all(np.isfinite(step[2]) for step in told)


@for_each(
    ("ratings", "settings", "expected"),
    [
        ([1, 5], {}, (5, 2)),
        ([0.5, 5], {}, (5, 2)),
        ([0, 5], {}, (5, 2)),
        ([1, 10], {}, (10, 3.25)),
        ([-10, 10], {}, (10, -5)),
        ([0, 1], {}, (1, 0.25)),
        ([1, 5], {"liked": 4, "disliked": 1}, (4, 1)),
        (None, {}, (0, 0)),
    ],
)
def test_what_counts_as_liked(ratings, settings, expected):
    train = train_of([(0, 0), (0, 1)], 1, 2, None if ratings is None else np.array(ratings, np.float32))
    assert tuple(Triplet(**settings).extremes(train).values()) == expected


def test_mistakes_are_sentences():
    with pytest.raises(UserError, match=r"widths of a triplet model is \[1, 2\], expected 4 numbers"):
        Triplet(widths=[1, 2])
    with pytest.raises(UserError, match=r"dropout of a triplet model is \[0.5\], expected 4 numbers"):
        Triplet(dropout=[0.5])
    known = noisy_train(rating=True)
    with pytest.raises(UserError, match="attributes of users"):
        fitted(Triplet(), Train(known.user, known.item, known.n_users, known.n_items, known.rating))
