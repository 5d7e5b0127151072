"""Measure how well every metric keeps the order of models when judgements are missing."""

import numpy as np
import pandas as pd

from truerank.artefacts.files import REAL, TEXT, WHOLE, read_columns, read_json, write_frames
from truerank.artefacts.metric_inputs import by_rule, from_ranks, read_ranks
from truerank.artefacts.training_rows import read_train
from truerank.meta.robustness import mean_metrics, random_subsets, robustness, without_popular
from truerank.metrics._core.relevance import judged_by
from truerank.provenance import generator

TYPES = {"bias": TEXT, "metric": TEXT, "k": TEXT, "fraction": REAL, "sample": WHOLE, "tau": REAL}


def measure_robustness(
    ranks, split, facts, metrics, cutoffs, relevance, undefined_users, settings, names, seed, threads, table
):
    """Write tau-b between the order of models on the whole test set and on every thinned one.

    ranks : paths of the rank tables, one per model. split : paths of the training rows, the users and the items.
    facts : path of the dataset's summary. settings : ``sparsity`` and ``popularity``, fractions to keep, and
    ``samples``, how many random test sets there are of each fraction. names : dataset and split. Metrics from ranks
    alone are swept, and of those that need predictions the ones that ``predictions`` in the settings names.
    """
    history, scale = read_train(*split), read_json(facts)["rating_scale"]
    tables = [read_ranks(path, history, scale) for path in ranks]
    (item,) = read_columns(ranks[0], "item")
    found = []
    for rule, chosen in by_rule(swept(metrics, settings), relevance):
        judged = [judged_by(rule, **of_model) for of_model in tables]
        labels = []

        def masks(labels=labels):
            yield np.ones(len(item), bool)
            for label, mask in thinned_sets(item, history.degree, settings, seed, names):
                labels.append(label)
                yield mask

        columns, means = mean_metrics(judged, masks(), chosen, cutoffs, undefined_users, threads)
        found.append(rows(labels, columns, robustness(means[0], means[1:])))
    write_frames(table, found, TYPES)


def swept(metrics, settings):
    """Return name -> definition of the metrics to sweep."""
    named = {name: metrics[name] for name in settings.get("predictions", ()) if name in metrics}
    return from_ranks(metrics) | named


def thinned_sets(item, degree, settings, seed, names):
    """Yield every thinned test set: its bias, fraction and sample, and a mask over the test rows."""
    for fraction in settings["sparsity"]:
        rng = generator(seed, "measure_robustness", *names, fraction)
        for sample, mask in enumerate(random_subsets(len(item), fraction, settings["samples"], rng)):
            yield ("sparsity", float(fraction), sample), mask
    for fraction in settings["popularity"]:
        yield ("popularity", float(fraction), 0), without_popular(item, degree, fraction)


def rows(labels, columns, tau):
    """Return a frame of tau, thinned sets x columns."""
    bias, fraction, sample = (np.repeat(values, len(columns)) for values in zip(*labels, strict=True))
    metric, k = zip(*(column.rpartition("@")[::2] for column in columns * len(labels)), strict=True)
    return pd.DataFrame(
        {"bias": bias, "metric": metric, "k": k, "fraction": fraction, "sample": sample, "tau": tau.ravel()}
    )
