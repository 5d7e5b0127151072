"""Groups of systems against every set written out."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from truerank.meta.groups import groups


def largest_sets(separated):
    """Try every set of systems; keep those with no separated pair that no larger one holds."""
    n = len(separated)
    sets = [set(chosen) for size in range(1, n + 1) for chosen in combinations(range(n), size)]
    alike = [one for one in sets if not any(separated[a][b] for a, b in combinations(sorted(one), 2))]
    return sorted(tuple(sorted(one)) for one in alike if not any(one < other for other in alike))


@given(st.integers(1, 7), st.data())
def test_are_the_largest_sets_without_a_separated_pair(n, data):
    upper = data.draw(st.lists(st.booleans(), min_size=n * n, max_size=n * n))
    separated = np.triu(np.array(upper).reshape(n, n), 1)
    separated |= separated.T
    assert groups(separated) == largest_sets(separated)


def test_none_all_and_a_chain():
    assert groups(np.zeros((0, 0), bool)) == []
    assert groups(np.zeros((3, 3), bool)) == [(0, 1, 2)]
    assert groups(~np.eye(3, dtype=bool)) == [(0,), (1,), (2,)]
    chain = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool)
    assert groups(chain) == [(0, 1), (1, 2)]
