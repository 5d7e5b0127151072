"""What sampling does to metrics and to recall curves, in expectation."""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import get_args

import numpy as np
import pandas as pd

from truerank.artefacts.counted_ranks import CountedRanks
from truerank.estimators._core.base import Weighting
from truerank.estimators._core.dominance import crossings
from truerank.estimators._core.histogram import Histogram
from truerank.estimators._core.make import needed_fit
from truerank.estimators._core.mapping import MAPPINGS
from truerank.estimators._core.problem import Law, Problem
from truerank.registry import ESTIMATORS, Cutoff, Definitions
from truerank.sampling._core.expected import expected_metric

SIZES = (1, 2, 5, 10, 20, 50, 60, 100, 200, 500, 800, 1000, 2000, 5000, 10_000)
MOST_CORRECTED = {"cls": 200, "bias_variance": 2000}  # negatives; beyond, the weights take minutes or gigabytes
MOST_K = 101  # places of a set; of one of 500 they reach 2,000 of 10,000 items
CROSSINGS = ["model_a", "model_b", "crossings", "first"]


def expected(
    ranked: CountedRanks,
    models: Sequence[str],
    metrics: Definitions,
    cutoffs: Collection[Cutoff],
    estimators: Definitions,
) -> list[pd.DataFrame]:
    """Return tables of ``EXPECTED``, for draws with replacement, from one to nearly all candidates."""
    made = {name: ESTIMATORS.make(definition) for name, definition in estimators.items()}
    drawn = {n: e for n, e in made.items() if isinstance(e, Weighting) and not needed_fit(n, estimators[n])}
    frames = []
    for negatives in filter(lambda size: size < ranked.n_items, SIZES):
        seen = Histogram(np.full(negatives + 1, negatives), np.arange(1, negatives + 2), np.zeros(negatives + 1))
        problems = {law: Problem(ranked.n_items, seen, metrics, cutoffs, law) for law in get_args(Law)}
        for name, estimator in drawn.items():
            if negatives <= MOST_CORRECTED.get(estimators[name]["kind"], negatives):
                problem = problems[estimator.law]
                weights = estimator.weights(problem, problem.uniform)
                values = np.stack([expectation(ranked, place, negatives, weights) for place in range(len(models))])
                frames.append(long(values, models, problem.columns).assign(estimator=name, negatives=negatives))
    return frames


def expectation(ranked: CountedRanks, model: int, negatives: int, values: np.ndarray) -> np.ndarray:
    """Return the mean over instances of what ``expected_metric`` says of each, per column of values."""
    found = expected_metric(ranked.rank(model), ranked.candidates(model), negatives, values)
    return ranked.share(model) @ found


def long(values: np.ndarray, models: Sequence[str], columns: Sequence[str]) -> pd.DataFrame:
    """Turn models x columns into one row per model, metric and cut-off."""
    model, column = (index.ravel() for index in np.indices(values.shape))
    parts = np.array([name.rpartition("@") for name in columns])
    named = {"model": np.array(models)[model], "metric": parts[column, 0], "k": parts[column, 2]}
    return pd.DataFrame({**named, "value": values.ravel()})


def mapping(ranked: CountedRanks, models: Sequence[str], sizes: Iterable[int], n_items: int) -> list[pd.DataFrame]:
    """Return tables of ``MAPPING``: expected recall@k in the set beside recall@f(k) of the whole.

    n_items : of the whole catalogue, from which f follows, also where ranks leave training items out.
    """
    frames = []
    for negatives in sizes:
        k = np.arange(1, min(MOST_K, negatives + 1) + 1)
        hits = (np.arange(1, negatives + 2)[:, None] <= k).astype(float)
        for place, model in enumerate(models):
            sampled, curve = expectation(ranked, place, negatives, hits), ranked.recall(place)
            for name, function in MAPPINGS.items():
                f = np.minimum(function(k, n_items, negatives + 1), len(curve))
                named = {"mapping": name, "negatives": negatives, "k": k.astype(str), "f": f, "model": model}
                frames.append(pd.DataFrame({**named, "sampled": sampled, "exact": curve[f - 1]}))
    return frames


def crossing(ranked: CountedRanks, models: Sequence[str]) -> pd.DataFrame:
    """Return a table of ``CROSSINGS``: how often two recall curves cross, and at which K first, 0 if never."""
    curves = {model: ranked.recall(place) for place, model in enumerate(models)}
    rows = [(a, b, *crossings(curves[a], curves[b])) for a, b in combinations(models, 2)]
    return pd.DataFrame(rows, columns=CROSSINGS)
