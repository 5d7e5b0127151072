"""Small problems that the tests of estimators share."""

import numpy as np
from hypothesis import strategies as st
from truerank.estimators._core.histogram import histogram
from truerank.estimators._core.problem import Problem
from truerank.provenance import generator
from truerank.sampling.uniform import uniform

METRICS = {
    "recall": {"kind": "recall"},
    "ndcg": {"kind": "ndcg", "gain": "binary"},
    "ap": {"kind": "ap"},
    "auc": {"kind": "auc"},
}
CUTOFFS = [1, 3, 10]


def problem_of(rank, negatives, n_items, cutoffs=CUTOFFS, **choices):
    return Problem(n_items, histogram(rank, negatives), METRICS, cutoffs, **choices)


@st.composite
def problems(draw, most_items=30, most_negatives=8):
    """Draw ranks among sampled negatives of up to three repeats."""
    n_items = draw(st.integers(3, most_items))
    negatives = draw(st.integers(1, min(most_negatives, n_items - 1)))
    n = draw(st.integers(1, 20))
    rows = st.lists(st.integers(1, negatives + 1), min_size=n, max_size=n)
    rank = draw(st.lists(rows, min_size=1, max_size=3))
    return problem_of(np.array(rank), np.int32(negatives), n_items)


def skilled(n_items=300, n_instances=4000, negatives=20, repeats=4, seed=1):
    """Return exact ranks that fall off like a power, and the problem that samples of them pose."""
    rng = generator(seed, "skilled")
    rank = np.minimum((n_items * rng.random(n_instances) ** 3).astype(int) + 1, n_items)
    sample = uniform(rank[None], np.full(n_instances, n_items), rng, negatives=negatives, replace=True, repeats=repeats)
    return rank, problem_of(sample.rank[0], sample.negatives, n_items)
