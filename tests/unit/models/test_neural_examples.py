"""Negatives, examples and triplets: counted against the users' own histories."""

import numpy as np
import pytest
from truerank.models._core.neural.embedder import triplets
from truerank.models._core.neural.examples import has_ratings, rated, unseen, with_negatives
from truerank.provenance import generator

from tests.support import noisy_train, train_of


def pairs_of(train):
    return set(zip(train.user.tolist(), train.item.tolist(), strict=True))


def test_negatives_are_drawn_evenly_from_what_the_user_lacks():
    train = train_of([(0, 0), (0, 2), (1, 1)], 2, 5)
    items = unseen(generator(1), train, np.zeros(30_000, int))
    assert set(items.tolist()) == {1, 3, 4}
    np.testing.assert_allclose(np.bincount(items)[[1, 3, 4]] / 30_000, 1 / 3, atol=0.02)


def test_every_interaction_has_its_negatives():
    train = noisy_train()
    user, item, target = with_negatives(generator(1), train, 3)
    n = len(train.user)
    assert len(user) == 4 * n
    assert target.sum() == n
    assert set(zip(user[target == 1].tolist(), item[target == 1].tolist(), strict=True)) == pairs_of(train)
    assert not set(zip(user[target == 0].tolist(), item[target == 0].tolist(), strict=True)) & pairs_of(train)
    np.testing.assert_array_equal(np.bincount(user), 4 * train.per_user[: user.max() + 1])


def test_a_user_who_has_everything_gets_no_negatives():
    train = train_of([(0, 0), (0, 1), (1, 0)], 2, 2)
    user, item, target = with_negatives(generator(1), train, 2)
    assert list(zip(user[target == 0].tolist(), item[target == 0].tolist(), strict=True)) == [(1, 1), (1, 1)]


def test_ratings_that_do_not_differ_are_none():
    assert has_ratings(noisy_train(rating=True))
    assert not has_ratings(noisy_train())
    assert not has_ratings(train_of([(0, 0), (0, 1)], 1, 2, np.full(2, 5, np.float32)))
    train = noisy_train(rating=True)
    np.testing.assert_array_equal(rated(train)[2], train.rating)


def test_triplets_join_a_users_highest_and_lowest():
    train = noisy_train(rating=True)
    rating = {pair: value for pair, value in zip(zip(train.user, train.item, strict=True), train.rating, strict=True)}
    user, good, bad = triplets(generator(1), train, 5, 2, 10**6)
    assert all(rating[u, i] == 5 for u, i in zip(user, good, strict=True))
    assert all(rating[u, j] <= 2 for u, j in zip(user, bad, strict=True))
    has_low = {u for (u, _), value in rating.items() if value <= 2}
    expected = {(u, i) for (u, i), value in rating.items() if value == 5 and u in has_low}
    assert set(zip(user, good, strict=True)) == expected
    assert len(user) == len(expected)


def test_the_disliked_item_is_drawn_evenly():
    train = train_of([(0, 0), (0, 1), (0, 2), (1, 3)], 2, 4, np.array([5, 1, 2, 1], np.float32))
    rng = generator(1)
    bad = [int(triplets(rng, train, 5, 2, 9)[2][0]) for _ in range(600)]
    assert set(bad) == {1, 2}
    assert np.mean(np.array(bad) == 1) == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("rating", [None, 5.0], ids=["implicit", "nobody rated low"])
def test_without_such_pairs_triplets_take_items_that_the_user_lacks(rating):
    pairs = [(0, 0), (0, 1), (1, 1), (2, 0), (2, 1), (2, 2)]
    train = train_of(pairs, 3, 3, None if rating is None else np.array([5, 4, 5, 4, 5, 5], np.float32))
    user, good, bad = triplets(generator(1), train, 5, 2, 10**6)
    assert set(zip(user.tolist(), good.tolist(), strict=True)) == {(0, 0), (0, 1), (1, 1)}
    assert not set(zip(user.tolist(), bad.tolist(), strict=True)) & set(pairs)


def test_there_are_no_more_triplets_than_asked_for():
    assert len(triplets(generator(1), noisy_train(rating=True), 5, 2, 4)[0]) == 4
    assert len(triplets(generator(1), noisy_train(), 5, 2, 4)[0]) == 4
