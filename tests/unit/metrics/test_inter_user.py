"""The formula over counts against all pairs of lists."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from truerank.metrics.inter_user import inter_user

from tests.support import CUTOFFS, lists


@given(lists())
def test_all_pairs_of_lists(listed):
    for value, k in zip(inter_user(listed, k=CUTOFFS), CUTOFFS, strict=True):
        places = listed.depth if math.isinf(k) else min(int(k), listed.depth)
        sets = [set(row[:places][row[:places] >= 0].tolist()) for row in listed.item]
        distances = [1 - len(one & other) / places for one, other in permutations(sets, 2)]
        assert value == pytest.approx(np.mean(distances)) if distances else math.isnan(value)
