"""Fit the distribution of exact ranks to sampled ones, once for every estimator that needs it or is asked for it."""

from truerank.artefacts.counted_samples import read_samples
from truerank.artefacts.files import read_arrays, write_arrays
from truerank.core.estimation import fitted
from truerank.stages import Files, Settings


def fit_ranks(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write ``p``: P(R), models x repeats x C. settings : the definition of an ``estimator`` that has one."""
    prior = read_arrays(inputs.fit)["p"] if inputs.fit else None
    write_arrays(outputs.fit, {"p": fitted(read_samples(inputs.samples), settings.estimator, prior)})
