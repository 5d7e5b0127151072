"""What an estimate is said to need, against what it takes."""

import tracemalloc

import numpy as np
import pytest
from truerank.api.correct import estimates, usable_estimators
from truerank.estimators._core.cost import BEGINNING, HELD, cost
from truerank.estimators._core.histogram import histogram
from truerank.estimators._core.problem import Problem
from truerank.estimators._core.rank_bootstrap import resampled
from truerank.provenance import generator
from truerank.registry import ESTIMATORS

from tests.support import for_each

NOISE = 200_000  # bytes that the runner of the tests takes meanwhile
NAMES = ["cls", "bv_01", "mle", "mes", "monotone_mle", "bv_mle", "mn_mes"]


@pytest.mark.slow
@for_each("name", NAMES)
@for_each(("n_items", "negatives", "resamples"), [(5000, 100, 100), (20_000, 40, 20), (5000, 20, 200)])
def test_the_memory_that_is_told_is_the_peak_or_up_to_twice_as_much(name, n_items, negatives, resamples):
    definition, prior = usable_estimators()[name]
    rng = generator(1, "cost")
    seen = histogram(1 + rng.binomial(negatives, rng.random(4000) ** 3), negatives)
    counts, _ = resampled(seen, resamples, rng)
    metrics = {"recall": {"kind": "recall"}, "ndcg": {"kind": "ndcg"}}
    estimates(Problem(200, counts, metrics, [10]), definition, prior)  # imports are not counted
    tracemalloc.start()
    estimates(Problem(n_items, counts, metrics, [10]), definition, prior)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    kinds = definition["kind"], prior and prior["kind"]
    told = cost(*kinds, n_items, negatives + 1, resamples + 1, 2)[0] - BEGINNING[0]
    untraced = 1.5 if name == "cls" else 1  # by LAPACK, for the factors of a matrix
    assert peak - NOISE < told < 2 * untraced * peak


def test_every_estimator_of_sampled_ranks_is_measured():
    kinds = {name for name in ESTIMATORS.names if "ranks" in ESTIMATORS[name].facts.takes}
    assert kinds == HELD.keys()


def test_an_estimator_that_is_not_measured_needs_as_much_as_any():
    about = 1000, 101, 201, 2
    most = np.max([cost(kind, "mes", *about) for kind in HELD], axis=0)
    assert (np.array(cost("mine", "mes", *about)) >= most).all()
