"""LDA: distributions, planted topics, and the settings that reach scikit-learn."""

from dataclasses import replace

import numpy as np
import pytest
from truerank.models.lda import LDA
from truerank.provenance import generator

from tests.support import block_train, fitted, noisy_train


def test_what_is_learnt_are_distributions():
    learnt = fitted(LDA(topics=4, passes=2), noisy_train())
    np.testing.assert_allclose(learnt["users"].sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(learnt["items"].sum(axis=0), 1, rtol=1e-5)
    np.testing.assert_allclose(learnt["users"][-1], 0.25, rtol=1e-5, err_msg="no interactions, the prior's shares")
    assert (learnt["items"] > 0).all(), "the prior leaves no item out"


def test_planted_topics_are_found():
    """Three blocks of items, three topics: each has nearly all its weight on one block, and each block has one."""
    train, user_block, item_block = block_train()
    learnt = fitted(LDA(topics=3, passes=20, batch=8), train)
    by_block = np.stack([learnt["items"][item_block == block].sum(axis=0) for block in range(3)])
    assert (by_block.max(axis=0) > 0.8).all()
    assert sorted(by_block.argmax(axis=0)) == [0, 1, 2]
    assert (by_block.argmax(axis=0)[learnt["users"].argmax(axis=1)] == user_block).all()


@pytest.mark.parametrize(
    "change", [{"passes": 2}, {"batch": 7}, {"updates": 1}, {"user_prior": 1.0}, {"item_prior": 1.0}], ids=str
)
def test_every_setting_has_an_effect(change):
    train = noisy_train()
    settings = {"topics": 3, "passes": 1, "batch": 64, "updates": 20}
    one, two = fitted(LDA(**settings), train), fitted(LDA(**settings | change), train)
    assert not np.array_equal(one["items"], two["items"])


def test_a_rating_counts_as_so_many_interactions():
    """Ratings of 1 are no ratings; of one topic that has every interaction, an item's share is that of its stars."""
    train = noisy_train(rating=True)
    ones = replace(train, rating=np.ones_like(train.rating))
    settings = {"topics": 3, "passes": 2}
    plain, same = fitted(LDA(**settings), train), fitted(LDA(**settings, ratings=True), ones)
    np.testing.assert_allclose(plain["items"], same["items"], rtol=1e-6)
    stars = np.bincount(train.item, train.rating, train.n_items)
    learnt = fitted(LDA(topics=1, passes=60, batch=40, item_prior=1e-6, ratings=True), train)
    np.testing.assert_allclose(learnt["items"][:, 0], stars / stars.sum(), rtol=0.01, atol=1e-5)


def test_em_is_a_step_of_plsa_with_the_priors_added():
    """From the same random shares, one iteration of each, written out."""
    train = noisy_train(rating=True)
    settings = {"topics": 3, "iterations": 1, "ratings": True}
    learnt = fitted(LDA(**settings, method="em", user_prior=0.5, item_prior=0.25), train)
    rng = generator(7, "test")  # as ``fitted`` has it
    start = [rng.random((n, 3), np.float32) + np.float32(1) for n in (train.n_users, train.n_items)]
    topics, items = start[0] / start[0].sum(axis=1, keepdims=True), start[1] / start[1].sum(axis=0)
    users_sum, items_sum = np.full((train.n_users, 3), 0.5), np.full((train.n_items, 3), 0.25)
    for u, i, r in zip(train.user, train.item, train.rating, strict=True):
        joint = topics[u] * items[i]
        users_sum[u] += r * joint / joint.sum()
        items_sum[i] += r * joint / joint.sum()
    np.testing.assert_allclose(learnt["users"], users_sum / users_sum.sum(axis=1, keepdims=True), rtol=1e-3)
    np.testing.assert_allclose(learnt["items"], items_sum / items_sum.sum(axis=0), rtol=1e-3)


def test_em_finds_planted_topics_and_leaves_no_item_out():
    train, user_block, item_block = block_train()
    learnt = fitted(LDA(topics=3, method="em", user_prior=0.1, item_prior=0.01), train)
    by_block = np.stack([learnt["items"][item_block == block].sum(axis=0) for block in range(3)])
    assert (by_block.argmax(axis=0)[learnt["users"].argmax(axis=1)] == user_block).all()
    assert (fitted(LDA(topics=4, method="em"), noisy_train())["items"] > 0).all()


def test_passes_are_told():
    told = []
    LDA(topics=2, passes=3).fit(noisy_train(), np.random.default_rng(1), lambda *step: told.append(step))
    assert told == [(1, 3), (2, 3), (3, 3)]
