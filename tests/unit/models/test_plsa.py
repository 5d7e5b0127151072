"""PLSA against an EM step written out, and by its likelihood."""

from itertools import pairwise

import numpy as np
from truerank.models.compiled.plsa import expect
from truerank.models.plsa import PLSA, shares

from tests.support import fitted, for_each, noisy_train


def slow_step(train, topics, items, weight):
    """P(z|u,i) for every interaction, summed over the user's and over the item's, and scaled to sum to 1."""
    new_topics, new_items, likely = np.zeros_like(topics), np.zeros_like(items), 0
    for u, i, w in zip(train.user, train.item, weight, strict=True):
        joint = topics[u] * items[i]
        likely += w * np.log(joint.sum())
        new_topics[u] += w * joint / joint.sum()
        new_items[i] += w * joint / joint.sum()
    return new_topics, new_items, likely


@for_each("ratings", [False, True])
def test_a_step_is_that_of_the_slow_one(ratings):
    rng, train = np.random.default_rng(1), noisy_train(rating=True)
    matrix = train.rated if ratings else train.matrix
    topics, items = shares(rng.random((40, 5)), 1), shares(rng.random((30, 5)), 0)
    out = np.empty_like(topics), np.empty_like(items)
    likely = expect(matrix.indptr, matrix.indices, matrix.data, topics, items, *out)
    expected = slow_step(train, topics.astype(float), items.astype(float), matrix.data)
    np.testing.assert_allclose(likely, expected[2], rtol=1e-5)
    np.testing.assert_allclose(out[0], expected[0], rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(out[1], expected[1], rtol=1e-3, atol=1e-5)


def test_the_likelihood_never_falls():
    told = []
    PLSA(topics=4, iterations=40).fit(noisy_train(), np.random.default_rng(1), lambda *step: told.append(step))
    losses = [loss for _, _, loss in told]
    assert len(losses) == 40
    assert all(later <= earlier + 1e-5 for earlier, later in pairwise(losses))
    assert losses[-1] < losses[0] - 0.05


def test_one_topic_is_popularity():
    train = noisy_train()
    learnt = fitted(PLSA(topics=1, iterations=2), train)
    np.testing.assert_allclose(learnt["items"][:, 0], train.degree / train.degree.sum(), rtol=1e-5)


def test_one_topic_of_ratings_is_the_share_of_all_stars():
    train = noisy_train(rating=True)
    stars = np.bincount(train.item, train.rating, train.n_items)
    learnt = fitted(PLSA(topics=1, iterations=2, ratings=True), train)
    np.testing.assert_allclose(learnt["items"][:, 0], stars / stars.sum(), rtol=1e-5)


def test_what_is_learnt_are_distributions():
    learnt = fitted(PLSA(topics=4, iterations=10), noisy_train())
    np.testing.assert_allclose(learnt["users"].sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(learnt["items"].sum(axis=0), 1, rtol=1e-5)
    np.testing.assert_allclose(learnt["users"][-1], 0.25, rtol=1e-6, err_msg="no interactions, equal shares")
    assert (learnt["items"][-1] == 0).all(), "nobody has it"
