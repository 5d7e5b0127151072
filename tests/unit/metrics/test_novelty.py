"""Degrees and surprise, place by place."""

import math

import numpy as np
import pytest
from hypothesis import given
from truerank.metrics.novelty import esibn, popularity, sibn

from tests.support import CUTOFFS, lists


def listed_items(listed, row, k):
    places = listed.depth if math.isinf(k) else int(k)
    return [(item, place) for place, item in enumerate(listed.item[row, :places].tolist()) if item >= 0]


@given(lists())
def test_place_by_place(listed):
    degree = (listed.catalogue.ratings.toarray() != 0).sum(axis=1)
    surprise = [math.log2(listed.catalogue.n_users / max(d, 1)) for d in degree]
    found = popularity(listed, k=CUTOFFS), sibn(listed, k=CUTOFFS), esibn(listed, k=CUTOFFS)
    judged = listed.judged
    for row in range(len(listed.item)):
        own = judged.row == row
        relevant_places = set((judged.rank[own & judged.relevant] - 1).tolist())
        for column, k in enumerate(CUTOFFS):
            kept = listed_items(listed, row, k)
            expected = (
                np.mean([degree[item] for item, _ in kept]) if kept else math.nan,
                np.mean([surprise[item] for item, _ in kept]) if kept else 0,
                sum(surprise[item] for item, place in kept if place in relevant_places)
                if relevant_places
                else math.nan,
            )
            assert [of[row, column] for of in found] == pytest.approx(expected, nan_ok=True)
