"""Estimate full-catalogue metrics from ranks among sampled candidates."""

from truerank.artefacts.counted_samples import read_samples
from truerank.artefacts.files import read_arrays, write_table
from truerank.core.estimation import estimated
from truerank.stages import Files, Settings


def estimate_metrics(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write model, repeat, metric, k, estimate.

    settings : the definition of the ``estimator``, ``metrics``, ``cutoffs``.
    """
    prior = read_arrays(inputs.fit)["p"] if inputs.fit else None
    samples = read_samples(inputs.samples)
    write_table(outputs.estimates, estimated(samples, settings.estimator, settings.metrics, settings.cutoffs, prior))
