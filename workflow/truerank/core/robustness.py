"""How well every metric keeps the order of models when judgements are missing."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from truerank.artefacts.rank_table import Judgements
from truerank.core.evaluation import by_rule
from truerank.meta.robustness import mean_metrics, random_subsets, robustness, without_popular
from truerank.metrics._core.evaluation import needs
from truerank.provenance import generator
from truerank.registry import METRICS, Cutoff, Definition, Definitions

COLUMNS = ["bias", "metric", "k", "fraction", "sample", "tau"]
Label = tuple[str, float, int]


def sweep(
    models: Sequence[Judgements],
    item: np.ndarray,
    degree: np.ndarray,
    metrics: Definitions,
    cutoffs: Collection[Cutoff],
    evaluation: Mapping[str, Any],
    settings: Mapping[str, Any],
    names: tuple[str, ...],
    seed: int,
    threads: int = 1,
) -> pd.DataFrame:
    """Return tau-b between the order of models on the whole test set and on every thinned one.

    item : per test row. degree : training users of each item. evaluation : ``relevance`` and ``undefined_users``.
    settings : ``sparsity`` and ``popularity``, fractions to keep, and ``samples``, how many random test sets there are
    of each fraction. names : dataset and split. Metrics from ranks alone are swept, and of those that need predictions
    the ones that ``predictions`` in the settings names.
    """
    found = []
    for rule, chosen in by_rule(swept(metrics, settings), evaluation["relevance"]):
        judged = [judgements.by(rule) for judgements in models]
        labels: list[Label] = []

        def masks(labels: list[Label] = labels) -> Iterator[np.ndarray]:
            yield np.ones(len(item), bool)
            for label, mask in thinned_sets(item, degree, settings, seed, names):
                labels.append(label)
                yield mask

        columns, means = mean_metrics(judged, masks(), chosen, cutoffs, evaluation["undefined_users"], threads)
        found.append(rows(labels, columns, robustness(means[0], means[1:])))
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame(columns=COLUMNS)


def swept(metrics: Definitions, settings: Mapping[str, Any]) -> dict[str, Definition]:
    """Return name -> definition of the metrics to sweep."""
    named = {name: metrics[name] for name in settings.get("predictions", ()) if name in metrics}
    return {
        name: definition for name, definition in metrics.items() if needs(METRICS.of(definition)) == "ranks"
    } | named


def thinned_sets(
    item: np.ndarray, degree: np.ndarray, settings: Mapping[str, Any], seed: int, names: tuple[str, ...]
) -> Iterator[tuple[Label, np.ndarray]]:
    """Yield every thinned test set: its bias, fraction and sample, and a mask over the test rows."""
    for fraction in settings["sparsity"]:
        rng = generator(seed, "measure_robustness", *names, fraction)
        for sample, mask in enumerate(random_subsets(len(item), fraction, settings["samples"], rng)):
            yield ("sparsity", float(fraction), sample), mask
    for fraction in settings["popularity"]:
        yield ("popularity", float(fraction), 0), without_popular(item, degree, fraction)


def rows(labels: list[Label], columns: list[str], tau: np.ndarray) -> pd.DataFrame:
    """Return a frame of tau, thinned sets x columns."""
    bias, fraction, sample = (np.repeat(values, len(columns)) for values in zip(*labels, strict=True))
    metric, k = zip(*(column.rpartition("@")[::2] for column in columns * len(labels)), strict=True)
    return pd.DataFrame(
        {"bias": bias, "metric": metric, "k": k, "fraction": fraction, "sample": sample, "tau": tau.ravel()}
    )
