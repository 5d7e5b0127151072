"""How well every metric keeps the order of models when judgements are missing."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from truerank.artefacts.rank_table import Judgements
from truerank.core.evaluation import by_rule
from truerank.core.measured import what_it_judges
from truerank.meta.best_set import best_set
from truerank.meta.groups_of_users import Groups
from truerank.meta.robustness import Means, Swept, random_subsets, sweep, without_popular
from truerank.metrics._core.evaluation import needs
from truerank.provenance import generator
from truerank.registry import METRICS, Cutoff, Definition, Definitions

COLUMNS = ["bias", "metric", "k", "fraction", "sample", "tau"]
SUMMARY = ["bias", "metric", "k", "tau", "tau_se", "in_best_set"]
Label = tuple[str, float, int]


@dataclass(frozen=True)
class Robustness:
    """Frames with the columns COLUMNS and SUMMARY."""

    every: pd.DataFrame
    summary: pd.DataFrame


def measure(
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
    only: Collection[str] | None = None,
) -> Robustness:
    """Return tau-b between the order of models on the whole test set and on every thinned one, and its means.

    item : per test row. degree : training users of each item. evaluation : ``relevance`` and ``undefined_users``.
    settings : ``sparsity`` and ``popularity``, fractions to keep, and ``samples``, how many random test sets there are
    of each fraction. names : dataset and split. Metrics from ranks alone are swept, and of those that need predictions
    the ones that ``predictions`` in the settings names. only : the columns ``metric@k`` to keep, all if not given.
    """
    labels = [label for label, _ in thinned_sets(item, degree, settings, seed, names)]
    weights = Groups.of(len(np.unique(models[0].user))).resamples(generator(seed, "measure_robustness", *names))
    found = []
    for rule, chosen in by_rule(swept(metrics, settings), evaluation["relevance"]):
        judged = [judgements.by(rule) for judgements in models]
        masks = (mask for _, mask in thinned_sets(item, degree, settings, seed, names))
        means = Means(judged, chosen, cutoffs, evaluation["undefined_users"])
        found.append(kept(sweep(means, masks, weights, threads), only))
    if not found:
        return Robustness(pd.DataFrame(columns=COLUMNS), pd.DataFrame(columns=SUMMARY))
    columns = [column for of_rule in found for column in of_rule.columns]
    tau = np.concatenate([of_rule.tau for of_rule in found], axis=1)
    again = np.concatenate([of_rule.resampled for of_rule in found], axis=2)
    rng = generator(seed, "measure_robustness", *names, "best")
    judges = [what_it_judges(metrics[metric], k) for metric, _, k in (column.rpartition("@") for column in columns)]
    every = pd.concat([rows(labels, of_rule.columns, of_rule.tau) for of_rule in found], ignore_index=True)
    return Robustness(every, pd.DataFrame(summarise(labels, columns, judges, tau, again, rng), columns=SUMMARY))


def kept(found: Swept, only: Collection[str] | None) -> Swept:
    """Return what was found of some columns, of all if ``only`` is None."""
    if only is None:
        return found
    places = [place for place, column in enumerate(found.columns) if column in only]
    columns = [found.columns[place] for place in places]
    return Swept(columns, found.tau[:, places], found.resampled[:, :, places])


def summarise(
    labels: Sequence[Label],
    columns: Sequence[str],
    judges: Sequence[str | None],
    tau: np.ndarray,
    again: np.ndarray,
    rng: np.random.Generator,
) -> Iterator[tuple]:
    """Yield, per bias and column, the mean tau over all thinned sets, its standard error over users, and whether it can
    be told from the best of the metrics with a cut-off; null for the others, and where no order is defined at all.

    An order that is undefined counts as 0. tau : sets x columns. again : sets x resamples of the users x columns.
    """
    top = np.array([each == "cut_off" for each in judges])
    for bias in dict.fromkeys(label[0] for label in labels):
        chosen = np.array([label[0] == bias and label[1] < 1 for label in labels])
        if not chosen.any():
            continue
        mean, means = (np.nan_to_num(values[chosen]).mean(axis=0) for values in (tau, again.astype(float)))
        covariance = np.atleast_2d(np.cov(means.T))
        inside = np.full(len(columns), None, object)
        if top.any() and not np.isnan(tau[chosen][:, top]).all():
            inside[top] = best_set(mean[top], covariance[np.ix_(top, top)], rng).inside
        errors = np.sqrt(np.diag(covariance))
        for place, column in enumerate(columns):
            yield bias, *column.rpartition("@")[::2], mean[place], errors[place], inside[place]


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
