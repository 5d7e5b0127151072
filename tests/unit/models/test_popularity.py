"""Popularity counts users."""

from collections import Counter

from truerank.models.popularity import Popularity

from tests.support import all_scores, fitted, noisy_train


def test_every_user_gets_the_number_of_users_of_every_item():
    train, model = noisy_train(rating=True), Popularity()
    scores = all_scores(model, fitted(model, train), train)
    counts = Counter(train.item.tolist())
    assert scores.tolist() == [[counts[item] for item in range(train.n_items)]] * train.n_users
