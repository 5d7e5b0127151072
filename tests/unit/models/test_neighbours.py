"""Neighbourhoods against loops over all pairs."""

import numpy as np
import pytest
from truerank.errors import UserError
from truerank.models._core.neighbours import cosine_neighbours, loaded, neighbour_bytes, saved, weights_of

from tests.neighbourhoods import columns_of, cosine, near, rows_of
from tests.support import for_each, noisy_train, train_of


def as_dicts(matrix):
    """Return the rows of a CSR matrix as {column: value}."""
    cuts = range(matrix.shape[0])
    return [dict(zip(matrix[r].indices.tolist(), matrix[r].data.tolist(), strict=True)) for r in cuts]


@for_each("rating", [False, True])
@for_each(("k", "shrink"), [(1, 0.0), (5, 0.0), (5, 10.0), (100, 3.0)])
def test_the_nearest_are_those_of_loops_over_pairs(rating, k, shrink):
    train = noisy_train(rating=rating)
    for matrix, rows in ((train.rated, rows_of(train)), (train.rated.T.tocsr(), columns_of(train))):
        found = as_dicts(cosine_neighbours(matrix, k, shrink))
        expected = near(rows, k, lambda a, b: cosine(a, b, shrink))
        for one, two in zip(found, expected, strict=True):
            assert one.keys() == two.keys()
            assert one == pytest.approx(two)


def test_nobody_is_a_neighbour_of_themselves_or_of_a_stranger():
    train = train_of([(0, 0), (1, 0), (2, 1)], 4, 2)
    assert as_dicts(cosine_neighbours(train.rated, 3)) == [{1: 1.0}, {0: 1.0}, {}, {}]


def test_equally_near_rows_are_taken_in_order_of_their_code():
    train = train_of([(user, item) for user in range(5) for item in range(3)], 5, 3)
    found = as_dicts(cosine_neighbours(train.rated, 2))
    assert [sorted(row) for row in found] == [[1, 2], [0, 2], [0, 1], [0, 1], [0, 1]]


def test_the_nearer_of_many_are_kept_though_their_codes_are_last():
    """User 0 has items 0 to 3; the others have one more of them each, and other things."""
    pairs = [(0, item) for item in range(4)]
    pairs += [(user, item) for user in range(1, 5) for item in range(user)] + [(user, 4 + user) for user in range(1, 5)]
    near_first = cosine_neighbours(train_of(pairs, 5, 9).rated, 2)[0]
    assert near_first.indices.tolist() == [3, 4]


def test_what_is_saved_is_what_is_loaded():
    matrix = cosine_neighbours(noisy_train().rated, 4)
    learnt = saved("near", matrix)
    assert all(name.startswith("near_") for name in learnt)
    assert (loaded(learnt, "near", matrix.shape) != matrix.astype(np.float32)).nnz == 0


def test_a_rating_below_zero_has_no_weight():
    train = train_of([(0, 0), (0, 1)], 1, 2, np.array([3, -1], np.float32))
    with pytest.raises(UserError, match="a rating below 0 has no weight"):
        weights_of(train)


@pytest.mark.parametrize("k", [1, 5, 1000])
def test_the_memory_that_is_said_covers_what_is_kept(k):
    near = saved("near", cosine_neighbours(noisy_train(300, 200).rated, k))
    assert sum(array.nbytes for array in near.values()) < neighbour_bytes(300, k)
    assert neighbour_bytes(300, 300) == neighbour_bytes(300, 1000)
