"""The random recommender is uniform, and unrelated to the data and to the order that decides ties."""

import numpy as np
from scipy import stats
from truerank.models.random import Random
from truerank.provenance import generator
from truerank.ranking.order import hashes, order_key

from tests.support import all_scores, fitted, train_of

FALSE_ALARM = 1e-6  # over seeds; the seed is fixed, so a test that passes keeps passing


def scores(n_users, n_items, seed=7):
    train, model = train_of([(0, 0)], n_users, n_items), Random()
    return all_scores(model, fitted(model, train, seed), train)


def test_scores_are_uniform():
    drawn = scores(500, 400).ravel() / 2**24
    assert stats.kstest(drawn, "uniform").pvalue > FALSE_ALARM


def test_every_item_is_first_equally_often():
    first = scores(20_000, 10).argmax(axis=1)
    assert stats.chisquare(np.bincount(first, minlength=10)).pvalue > FALSE_ALARM


def test_users_and_seeds_have_unrelated_lists():
    one, two = scores(2000, 10, seed=1).argmax(axis=1), scores(2000, 10, seed=2).argmax(axis=1)
    agreements = [(one == two).sum(), (one[1:] == one[:-1]).sum()]
    for agree in agreements:
        assert stats.binomtest(int(agree), 2000, 0.1).pvalue > FALSE_ALARM


def test_scores_are_unrelated_to_the_order_of_ties():
    ties = hashes(order_key(generator(7, "ties")), np.arange(2000)[:, None], np.arange(10)).argmin(axis=1)
    agree = (scores(2000, 10).argmax(axis=1) == ties).sum()
    assert stats.binomtest(int(agree), 2000, 0.1).pvalue > FALSE_ALARM


def test_scores_rarely_tie():
    """24 bits: among 400 items of 500 users, 2.4 pairs per 1,000 users are expected to tie."""
    drawn = np.sort(scores(500, 400), axis=1)
    assert (drawn[:, 1:] == drawn[:, :-1]).sum() < 20


def test_a_user_keeps_the_scores_when_the_catalogue_grows():
    assert (scores(5, 10)[:, :6] == scores(9, 6)[:5]).all()
