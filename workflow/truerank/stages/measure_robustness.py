"""Measure how well every metric keeps the order of models when judgements are missing."""

from truerank.artefacts.files import REAL, TEXT, TRUTH, WHOLE, read_columns, write_table
from truerank.artefacts.rank_table import read_judgements
from truerank.artefacts.split import Split
from truerank.core.robustness import measure
from truerank.stages import Files, Settings

TYPES = {"bias": TEXT, "metric": TEXT, "k": TEXT, "fraction": REAL, "sample": WHOLE, "tau": REAL}
SUMMARY = {"bias": TEXT, "metric": TEXT, "k": TEXT, "tau": REAL, "tau_se": REAL, "in_best_set": TRUTH}


def measure_robustness(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write tau-b between the order of models on the whole test set and on every thinned one, and its means.

    settings : ``metrics``, ``cutoffs``, ``evaluation``, ``robustness``, ``seed``.
    """
    split = Split.of(inputs)
    history = split.history()
    models = [read_judgements(path, history, split.scale) for path in inputs.ranks]
    (item,) = read_columns(inputs.ranks[0], "item")
    rules = settings.metrics, settings.cutoffs, settings.evaluation, settings.robustness
    found = measure(models, item, history.degree, *rules, settings.names, settings.seed, settings.threads)
    write_table(outputs.robustness, found.every, TYPES)
    write_table(outputs.robustness_summary, found.summary, SUMMARY)
