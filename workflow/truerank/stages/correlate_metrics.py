"""Correlate the orders in which metrics, and their cut-offs, put the models."""

from truerank.artefacts.files import REAL, TEXT, read_table, write_table
from truerank.core.correlation import correlations
from truerank.stages import Files, Settings

TYPES = {"metric_a": TEXT, "k_a": TEXT, "metric_b": TEXT, "k_b": TEXT, "tau": REAL}


def correlate_metrics(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write tau-b between every two columns ``metric@k``. settings : ``metrics``."""
    write_table(outputs.correlation, correlations(read_table(inputs.summary), settings.metrics), TYPES)
