"""Measure how well every metric keeps the order of models when judgements are missing."""

import numpy as np
import pandas as pd

from truerank.meta.robustness import mean_metrics, random_subsets, robustness, without_popular
from truerank.provenance import generator
from truerank.stages.evaluate_metrics import read_judged
from truerank.stages.files import read_columns, write_table


def measure_robustness(
    ranks, train, metrics, cutoffs, relevance, undefined_users, settings, names, seed, threads, table
):
    """Write tau-b between the order of models on the whole test set and on every thinned one.

    ranks : paths of the rank tables, one per model. settings : ``sparsity`` and ``popularity``, fractions to keep, and
    ``samples``, how many random test sets there are of each fraction. names : dataset and split.
    """
    judged = [read_judged(path, relevance) for path in ranks]
    (item,) = read_columns(ranks[0], "item")
    (trained,) = read_columns(train, "item")
    degree = np.bincount(trained, minlength=item.max() + 1)

    def means(subsets):
        return mean_metrics(judged, subsets, metrics, cutoffs, undefined_users, threads)

    columns, (full,) = means([np.ones(len(item), bool)])
    found = []
    for fraction in settings["sparsity"]:
        rng = generator(seed, "measure_robustness", *names, fraction)
        thinned = means(random_subsets(len(item), fraction, settings["samples"], rng))[1]
        found.append(rows("sparsity", columns, fraction, robustness(full, thinned)))
    for fraction in settings["popularity"]:
        thinned = means([without_popular(item, degree, fraction)])[1]
        found.append(rows("popularity", columns, fraction, robustness(full, thinned)))
    write_table(table, pd.concat(found, ignore_index=True))


def rows(bias, columns, fraction, tau):
    """Return a frame of tau, samples x columns."""
    samples = np.repeat(np.arange(len(tau)), len(columns))
    metric, k = zip(*(column.rpartition("@")[::2] for column in columns * len(tau)), strict=True)
    return pd.DataFrame(
        {"bias": bias, "metric": metric, "k": k, "fraction": float(fraction), "sample": samples, "tau": tau.ravel()}
    )
