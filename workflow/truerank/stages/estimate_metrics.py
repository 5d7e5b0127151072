"""Estimate full-catalogue metrics from ranks among sampled candidates."""

import numpy as np

from truerank.artefacts.files import read_arrays, write_table
from truerank.estimators._core.histogram import histogram
from truerank.estimators._core.problem import Problem
from truerank.registry import ESTIMATORS


def estimate_metrics(samples, fit, estimator, metrics, cutoffs, estimates):
    """Write model, repeat, metric, k, estimate.

    fit : path of the P(R) that the estimator needs, None if it needs none. estimator : its definition.
    """
    estimating = ESTIMATORS.make(estimator)
    models, problem = read_problem(samples, metrics, cutoffs, estimating.law)
    prior = read_arrays(fit)["p"] if fit else None
    if prior is not None and getattr(estimating, "pooled", False):
        prior = prior.mean(axis=1, keepdims=True)
    found = estimating.estimate(problem, prior)
    model, repeat, column = (index.ravel() for index in np.indices(found.shape))
    names = [name.rpartition("@") for name in problem.columns]
    table = {
        "model": models[model],
        "repeat": repeat.astype(np.int32),
        "metric": np.array([metric for metric, _, _ in names])[column],
        "k": np.array([k for _, _, k in names])[column],
        "estimate": found.ravel(),
    }
    write_table(estimates, table)


def read_problem(samples, metrics=(), cutoffs=(), law="binomial"):
    """Return the models' names and the problem that their sampled ranks pose, models x repeats."""
    arrays = read_arrays(samples)
    seen = histogram(arrays["rank"], arrays["negatives"], arrays["exact"])
    return arrays["models"], Problem(round(arrays["candidates"].mean()), seen, metrics, cutoffs, law)
