"""The sum of unit vectors against the cosine of every pair."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from truerank.metrics._core.listed import Catalogue, TopLists
from truerank.metrics.intra_list import intra_list

from tests.support import CUTOFFS, lists


def cosine(one, other):
    lengths = np.linalg.norm(one) * np.linalg.norm(other)
    return one @ other / lengths if lengths else 0


@pytest.mark.parametrize("similarity", ["ratings", "attributes"])
@given(listed=lists())
def test_every_pair_of_a_list(similarity, listed):
    vectors = getattr(listed.catalogue, similarity).toarray()
    found = intra_list(listed, k=CUTOFFS, similarity=similarity)
    for row, items in enumerate(listed.item):
        for column, k in enumerate(CUTOFFS):
            kept = [item for item in (items if math.isinf(k) else items[: int(k)]) if item >= 0]
            cosines = [cosine(vectors[one], vectors[other]) for one, other in combinations(kept, 2)]
            expected = np.mean(cosines) if cosines else math.nan
            assert found[row, column] == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(lists())
def test_without_attributes_there_is_none(listed):
    bare = TopLists(listed.item, listed.judged, Catalogue(listed.catalogue.ratings))
    assert intra_list(bare, k=CUTOFFS, similarity="attributes") is None
