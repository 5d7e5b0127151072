"""Fit the distribution of exact ranks to sampled ones, once for every estimator that needs it."""

from truerank.artefacts.files import write_arrays
from truerank.registry import ESTIMATORS
from truerank.stages.estimate_metrics import read_problem


def fit_ranks(samples, estimator, fit):
    """Write ``p``: P(R), models x repeats x C. estimator : the definition of one that fits."""
    fitting = ESTIMATORS.make(estimator)
    _, problem = read_problem(samples, law=fitting.law)
    write_arrays(fit, {"p": fitting.fit(problem)})
