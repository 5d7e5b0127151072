"""Item-based collaborative filtering against loops over pairs of items."""

import math

import numpy as np
import pytest
from scipy import sparse
from truerank.models._core.base import stored_weights
from truerank.models.item_cf import ItemCF, cosines

from tests.support import all_scores, fitted, for_each, noisy_train, train_of


def slow_scores(train, power, neighbours=None):
    """Return users x items in plain Python."""
    users_of = [set(train.user[train.item == item].tolist()) for item in range(train.n_items)]

    def weight(i, j):
        both = len(users_of[i] & users_of[j])
        return (both / math.sqrt(len(users_of[i]) * len(users_of[j]))) ** power if both else 0.0

    items = range(train.n_items)
    weights = {(i, j): weight(i, j) for i in items for j in items}
    if neighbours is not None:
        for j in items:
            near = sorted((i for i in items if i != j), key=lambda i: (-round(weights[i, j], 12), i))[:neighbours]
            for i in items:
                if i not in near:
                    weights[i, j] = 0.0
    scores = np.zeros((train.n_users, train.n_items))
    for i in items:
        length = math.sqrt(sum(weights[i, j] ** 2 for j in items))
        for user in range(train.n_users):
            history = train.item[train.user == user].tolist()
            scores[user, i] = sum(weights[i, j] for j in history) / length if length else 0.0
    return scores


@for_each("seed", [1, 2, 3])
@for_each(("power", "neighbours"), [(3.0, None), (1.0, 10), (1.0, 1), (1.0, None), (0.5, 3), (1.0, 100)])
def test_scores_are_those_of_loops_over_pairs(power, neighbours, seed):
    train = noisy_train(seed=seed)
    model = ItemCF(power=power, neighbours=neighbours)
    scores = all_scores(model, fitted(model, train), train)
    np.testing.assert_allclose(scores, slow_scores(train, power, neighbours), rtol=1e-5, atol=1e-6)


def test_the_diagonal_is_in_the_norm_without_neighbours_and_zero_with_them():
    """Items 0 and 1 share two users of the three and two that they have."""
    train = train_of([(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)], 3, 2)
    cosine = 2 / math.sqrt(6)
    y, z = ItemCF(power=1.0), ItemCF(power=1.0, neighbours=1)
    assert all_scores(y, fitted(y, train), train)[2, 1] == pytest.approx(cosine / math.hypot(1, cosine))
    assert all_scores(z, fitted(z, train), train)[2].tolist() == [0, 1]


def test_neighbours_are_kept_for_the_history_item_and_normalised_for_the_candidate():
    """Everybody is nearest to item 0, which itself is nearest to item 1: candidate 0 keeps a weight from each other."""
    pairs = [(user, 0) for user in range(9)] + [(user, 1 + user // 3) for user in range(9)] + [(9, 1), (9, 0)]
    train = train_of(pairs, 10, 4)
    learnt = fitted(ItemCF(power=1.0, neighbours=1), train)
    parts = tuple(learnt[f"weights_{part}"] for part in ("data", "indices", "indptr"))
    weights = sparse.csr_matrix(parts, shape=(4, 4)).toarray()
    kept = weights > 0
    assert kept[:, 0].tolist() == [False, True, True, True]
    assert kept[0].tolist() == [False, True, False, False]
    np.testing.assert_allclose((weights**2).sum(axis=0), [1, 1, 0, 0], rtol=1e-6)


def test_equally_near_candidates_are_taken_in_order_of_their_code():
    train = train_of([(user, item) for user in range(3) for item in range(5)], 3, 5)
    learnt = fitted(ItemCF(power=1.0, neighbours=2), train)
    kept = stored_weights(learnt, 5).toarray() > 0
    expected = [[1, 2], [0, 2], [0, 1], [0, 1], [0, 1]]
    assert [np.flatnonzero(row).tolist() for row in kept] == expected


def test_cosines_are_symmetric_with_a_unit_diagonal_where_there_are_users():
    train = noisy_train()
    similar = cosines(train.matrix).toarray()
    assert (similar == similar.T).all()
    np.testing.assert_allclose(np.diag(similar), train.degree > 0)
    assert similar.max() <= 1 + 1e-12


def test_an_item_that_shares_no_user_scores_zero():
    train = train_of([(0, 0), (1, 1), (1, 2)], 2, 4)
    for neighbours in (None, 2):
        model = ItemCF(neighbours=neighbours)
        scores = all_scores(model, fitted(model, train), train)
        assert (scores[0, 1:] == 0).all()
        assert (scores[:, 3] == 0).all()
