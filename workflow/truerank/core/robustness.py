"""How well every metric keeps the order of models when judgements are missing."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from truerank.artefacts.rank_table import Judgements
from truerank.core.evaluation import by_rule
from truerank.core.measured import what_it_judges
from truerank.core.ranked_users import RankedUsers
from truerank.meta.best_set import best_set
from truerank.meta.groups_of_users import Groups
from truerank.meta.robustness import Means, Swept, sweep
from truerank.meta.thinned_sets import Label, ThinnedSets, labels_of
from truerank.metrics._core.evaluation import needs
from truerank.provenance import generator
from truerank.registry import METRICS, Cutoff, Definition, Definitions

COLUMNS = ["bias", "metric", "k", "fraction", "sample", "tau"]
SUMMARY = ["bias", "metric", "k", "tau", "tau_se", "in_best_set"]


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
    labels, rules = labels_of(settings), (metrics, cutoffs, evaluation, settings, names, seed, threads)
    found = sweep_sets(RankedUsers.of(models, item), degree, labels, *rules)
    return summarised(labels, [kept(of_rule, only) for of_rule in found], metrics, names, seed)


def sweep_sets(
    ranked: RankedUsers,
    degree: np.ndarray,
    labels: Sequence[Label],
    metrics: Definitions,
    cutoffs: Collection[Cutoff],
    evaluation: Mapping[str, Any],
    settings: Mapping[str, Any],
    names: tuple[str, ...],
    seed: int,
    threads: int = 1,
) -> list[Swept]:
    """Return tau-b of some thinned sets with the whole one, for the metrics of every rule of relevance."""
    groups, sets = Groups.of(ranked.users[-1].stop), ThinnedSets(degree, ranked.rows, seed, names)
    weights = groups.resamples(generator(seed, "measure_robustness", *names))

    def swept_by(rule: Definition, chosen: Definitions) -> Swept:
        held: dict[int, tuple[Means, np.ndarray]] = {}

        def means_of(block: int) -> tuple[Means, np.ndarray]:
            models, item = ranked.read(block)
            judged, own = [judgements.by(rule) for judgements in models], groups.within(ranked.users[block])[0]
            return Means(judged, chosen, cutoffs, evaluation["undefined_users"], own), item

        def blocks_of(some: slice | None) -> Iterator[tuple[Means, int, Iterable[np.ndarray]]]:
            for block, users in enumerate(ranked.users):
                means, item = held[block] if block in held else means_of(block)
                if len(ranked.users) == 1:
                    held[block] = means, item
                whole = [np.ones(len(item), bool)]
                masks = whole if some is None else sets.masks(labels[some], block, item)
                yield means, groups.within(users)[1], masks

        return sweep(blocks_of, len(labels), weights, threads)

    return [swept_by(rule, chosen) for rule, chosen in by_rule(swept(metrics, settings), evaluation["relevance"])]


def summarised(
    labels: Sequence[Label], found: Sequence[Swept], metrics: Definitions, names: tuple[str, ...], seed: int
) -> Robustness:
    """Return tau of all thinned sets, and its means. found : of all sets, for every rule of relevance."""
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


def rows(labels: Sequence[Label], columns: list[str], tau: np.ndarray) -> pd.DataFrame:
    """Return a frame of tau, thinned sets x columns."""
    bias, fraction, sample = (np.repeat(values, len(columns)) for values in zip(*labels, strict=True))
    metric, k = zip(*(column.rpartition("@")[::2] for column in columns * len(labels)), strict=True)
    return pd.DataFrame(
        {"bias": bias, "metric": metric, "k": k, "fraction": fraction, "sample": sample, "tau": tau.ravel()}
    )
