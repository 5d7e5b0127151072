"""Items counted one by one."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse
from truerank.metrics._core.listed import Catalogue, TopLists
from truerank.metrics.coverage import coverage, entropy

from tests.support import CUTOFFS, judged_of, lists


def shown(listed, k, relevant_only=False):
    """Return the item at every filled place of every list, cut off at k."""
    places = listed.depth if math.isinf(k) else int(k)
    found = []
    for row in range(len(listed.item)):
        own = listed.judged.row == row
        relevant = set(listed.judged.rank[own & listed.judged.relevant].tolist())
        for place, item in enumerate(listed.item[row, :places].tolist(), start=1):
            if item >= 0 and (place in relevant or not relevant_only):
                found.append(item)
    return found


@given(lists())
def test_distinct_items_per_item_of_the_catalogue(listed):
    for relevant_only in (False, True):
        expected = [len(set(shown(listed, k, relevant_only))) / listed.catalogue.n_items for k in CUTOFFS]
        assert coverage(listed, k=CUTOFFS, relevant_only=relevant_only) == pytest.approx(expected)


@given(lists())
def test_entropy_of_all_places(listed):
    for value, k in zip(entropy(listed, k=CUTOFFS), CUTOFFS, strict=True):
        items = shown(listed, k)
        shares = [count / len(items) for count in Counter(items).values()]
        expected = -sum(p * math.log2(p) for p in shares) if items else math.nan
        assert value == pytest.approx(expected, nan_ok=True)


def test_showing_everything_to_everybody_alike_has_the_largest_entropy():
    catalogue = Catalogue(sparse.csr_matrix(np.ones((8, 2))))
    judged = judged_of({0: (8, {1: 5}), 1: (8, {1: 5})})
    listed = TopLists(np.array([[0, 1, 2, 3], [4, 5, 6, 7]]), judged, catalogue)
    assert entropy(listed, k=np.array([4])).tolist() == [3]
    assert coverage(listed, k=np.array([1, 4])).tolist() == [0.25, 1]
