"""Lists as arrays, and which of their places are relevant."""

import numpy as np
from scipy import sparse
from truerank.metrics._core.listed import Catalogue, TopLists, list_array

from tests.support import judged_of


def test_rows_become_users_by_depth():
    users = np.array([2, 5, 9])
    found = list_array(users, np.array([2, 2, 9]), np.array([1, 2, 1]), np.array([7, 0, 3]))
    assert found.tolist() == [[7, 0], [-1, -1], [3, -1]]


def test_no_list_at_all_is_one_empty_place():
    none = np.array([], int)
    assert list_array(np.array([1]), none, none, none).tolist() == [[-1]]


def test_the_item_at_place_p_is_the_one_of_rank_p():
    judged = judged_of({0: (9, {2: 5, 3: 1, 9: 5}), 1: (9, {1: 4})})
    listed = TopLists(np.array([[4, 3, 2], [-1, -1, -1]]), judged, Catalogue(sparse.csr_matrix(np.ones((9, 1)))))
    assert listed.relevant.tolist() == [[False, True, False], [False, False, False]]


def test_cutoffs_end_at_the_depth():
    listed = TopLists(np.array([[0, 1]]), judged_of({0: (3, {1: 5})}), Catalogue(sparse.csr_matrix(np.ones((3, 1)))))
    assert listed.places(np.array([1, 100, np.inf])).tolist() == [1, 2, 2]
    assert [counts.tolist() for counts in listed.counts(np.array([1, 100]))] == [[1, 0, 0], [1, 1, 0]]
