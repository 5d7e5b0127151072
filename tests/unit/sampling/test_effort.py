"""Cost of adaptive sampling: by hand, by counting, and expected beside realised."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from truerank.provenance import generator
from truerank.sampling._core.effort import chance_first, cost_per_resolved, expected_effort, realised_effort
from truerank.sampling.adaptive import adaptive, set_sizes


def test_equation_44_by_hand():
    """100 instances; sets of 10, 20, 40; 50 and 25 resolved, then nobody."""
    waiting, sizes = np.array([100, 50, 25]), np.array([10, 20, 40])
    scored = waiting * np.diff(sizes, prepend=0)
    np.testing.assert_allclose(cost_per_resolved(scored, [50, 25, 0]), [20, 20, np.inf])


@given(st.integers(2, 60), st.booleans(), st.data())
def test_chance_of_being_first(candidates, replace, data):
    rank = data.draw(st.integers(1, candidates))
    sizes = np.array([2, 5, 40])
    found = chance_first(np.array([rank]), np.array([candidates]), sizes, replace)[0]
    for size, chance in zip(sizes, found, strict=True):
        drawn = size - 1 if replace else min(size, candidates) - 1
        law = stats.binom(drawn, (rank - 1) / (candidates - 1))
        law = law if replace else stats.hypergeom(candidates - 1, rank - 1, drawn)
        assert chance == pytest.approx(law.pmf(0), abs=1e-9)


def test_realised_effort_is_what_a_reader_would_count():
    """Four instances, one repeat; the last set of the last one is all of its 15 candidates."""
    rank, drawn = np.array([[3, 1, 2, 4]]), np.array([[9, 39, 19, 14]])
    waiting, scored, resolved = realised_effort(rank, drawn, np.array([10, 20, 40]))
    assert waiting.tolist() == [4, 3, 1]
    assert scored.tolist() == [40, 10 + 10 + 5, 20]
    assert resolved.tolist() == [1, 2, 0]
    assert scored.sum() == (drawn + 1).sum()


@pytest.mark.parametrize("replace", [True, False])
def test_expected_effort_is_the_mean_of_realised_effort(replace):
    """400 repeats of 300 instances; six standard errors."""
    rng = generator(1, "effort")
    candidates = rng.integers(30, 200, 300)
    rank = 1 + (rng.random(300) ** 3 * candidates).astype(int)
    sizes = set_sizes(8, 100)
    sample = adaptive(rank[None], candidates, rng, start=8, limit=100, replace=replace, repeats=400)
    expected = expected_effort(rank, candidates, sizes, replace)
    each = [realised_effort(r[None], d[None], sizes) for r, d in zip(sample.rank[0], sample.negatives[0], strict=True)]
    together = realised_effort(sample.rank[0], sample.negatives[0], sizes)
    for place in range(3):
        values = np.array([effort[place] for effort in each])
        np.testing.assert_allclose(values.mean(axis=0), together[place])
        error = values.std(axis=0, ddof=1) / np.sqrt(400) + 1e-9
        assert (np.abs(values.mean(axis=0) - expected[place]) < 6 * error).all()
