"""Measure how well every metric keeps the order of models when judgements are missing."""

import numpy as np
import pandas as pd

from truerank.meta.robustness import mean_metrics, random_subsets, robustness, without_popular
from truerank.metrics.relevance import judged_by
from truerank.provenance import generator
from truerank.stages.evidence import by_rule, from_ranks, read_ranks
from truerank.stages.files import read_columns, read_json, write_table
from truerank.stages.train_model import read_train


def measure_robustness(
    ranks, split, facts, metrics, cutoffs, relevance, undefined_users, settings, names, seed, threads, table
):
    """Write tau-b between the order of models on the whole test set and on every thinned one.

    ranks : paths of the rank tables, one per model. split : paths of the training rows, the users and the items.
    facts : path of the dataset's summary. settings : ``sparsity`` and ``popularity``, fractions to keep, and
    ``samples``, how many random test sets there are of each fraction. names : dataset and split. Metrics from ranks
    alone are swept.
    """
    history, scale = read_train(*split), read_json(facts)["rating_scale"]
    tables = [read_ranks(path, history, scale) for path in ranks]
    (item,) = read_columns(ranks[0], "item")
    found = []
    for rule, chosen in by_rule(from_ranks(metrics), relevance):
        judged = [judged_by(rule, **of_model) for of_model in tables]

        def means(subsets, judged=judged, chosen=chosen):
            return mean_metrics(judged, subsets, chosen, cutoffs, undefined_users, threads)

        columns, (full,) = means([np.ones(len(item), bool)])
        for fraction in settings["sparsity"]:
            rng = generator(seed, "measure_robustness", *names, fraction)
            thinned = means(random_subsets(len(item), fraction, settings["samples"], rng))[1]
            found.append(rows("sparsity", columns, fraction, robustness(full, thinned)))
        for fraction in settings["popularity"]:
            thinned = means([without_popular(item, history.degree, fraction)])[1]
            found.append(rows("popularity", columns, fraction, robustness(full, thinned)))
    write_table(table, pd.concat(found, ignore_index=True))


def rows(bias, columns, fraction, tau):
    """Return a frame of tau, samples x columns."""
    samples = np.repeat(np.arange(len(tau)), len(columns))
    metric, k = zip(*(column.rpartition("@")[::2] for column in columns * len(tau)), strict=True)
    return pd.DataFrame(
        {"bias": bias, "metric": metric, "k": k, "fraction": float(fraction), "sample": samples, "tau": tau.ravel()}
    )
