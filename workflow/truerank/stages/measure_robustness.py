"""Measure how well every metric keeps the order of models when judgements are missing."""

import numpy as np

from truerank.artefacts.files import REAL, TEXT, TRUTH, WHOLE, read_arrays, write_table
from truerank.core.robustness import summarised
from truerank.meta.robustness import Swept
from truerank.meta.thinned_sets import labels_of
from truerank.stages import Files, Settings

TYPES = {"bias": TEXT, "metric": TEXT, "k": TEXT, "fraction": REAL, "sample": WHOLE, "tau": REAL}
SUMMARY = {"bias": TEXT, "metric": TEXT, "k": TEXT, "tau": REAL, "tau_se": REAL, "in_best_set": TRUTH}


def measure_robustness(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write tau-b between the order of models on the whole test set and on every thinned one, and its means.

    settings : ``metrics``, ``robustness``, ``seed``.
    """
    labels, shards = labels_of(settings.robustness), [read_arrays(path) for path in inputs.sweep_shards]
    order = np.argsort(np.concatenate([shard["sets"] for shard in shards]))
    found = []
    for number in range(sum(name.startswith("tau_") for name in shards[0])):
        filled = [shard for shard in shards if len(shard["sets"])]
        tau, again = (
            np.concatenate([shard[f"{name}_{number}"] for shard in filled])[order] for name in ("tau", "resampled")
        )
        found.append(Swept(shards[0][f"columns_{number}"].tolist(), tau, again))
    found_of_all = summarised(labels, found, settings.metrics, settings.names, settings.seed)
    write_table(outputs.robustness, found_of_all.every, TYPES)
    write_table(outputs.robustness_summary, found_of_all.summary, SUMMARY)
