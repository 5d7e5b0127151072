"""Metrics of ranks and lists: per user, of a whole system, and summarised."""

from collections.abc import Collection, Mapping
from dataclasses import astuple
from typing import Any

import numpy as np

from truerank.artefacts.rank_table import Judgements
from truerank.metrics._core.bounds import Extent
from truerank.metrics._core.evaluation import columns_of, evaluate, is_per_user, is_pooled, needs, summarise
from truerank.metrics._core.listed import Catalogue, TopLists
from truerank.metrics._core.pooled import COUNT
from truerank.registry import METRICS, Cutoff, Definition, Definitions


def wants_lists(metrics: Definitions) -> bool:
    """Tell whether any metric looks at top lists."""
    return any(needs(METRICS.of(definition)) == "lists" for definition in metrics.values())


def by_rule(metrics: Definitions, relevance: Definition) -> list[tuple[Definition, dict[str, Definition]]]:
    """Return pairs of a rule of relevance and the metrics that are judged by it: a metric's own, or ``relevance``."""
    groups: dict[str, tuple[Definition, dict[str, Definition]]] = {}
    for name, definition in metrics.items():
        rule = definition.get("relevance", relevance)
        groups.setdefault(str(sorted(rule.items())), (rule, {}))[1][name] = definition
    return list(groups.values())


def per_user(metrics: Definitions) -> dict[str, Definition]:
    """Return the metrics that have a value for each user."""
    return {name: definition for name, definition in metrics.items() if is_per_user(definition)}


def of_systems(metrics: Definitions) -> dict[str, Definition]:
    """Return the metrics that have one value for a whole system."""
    return {name: definition for name, definition in metrics.items() if not is_per_user(definition)}


def per_user_columns(metrics: Definitions, cutoffs: Collection[Cutoff]) -> list[str]:
    """Return the columns of all per-user metrics in the order of ``metrics``."""
    return [column for name, d in per_user(metrics).items() for column in columns_of(name, d, cutoffs)]


def shard_columns(metrics: Definitions, cutoffs: Collection[Cutoff]) -> list[str]:
    """Return the columns of all per-user metrics where sums are kept apart: one more for each over all ratings."""
    counts = [f"{name}@all{COUNT}" for name, definition in metrics.items() if is_pooled(definition)]
    return per_user_columns(metrics, cutoffs) + counts


def evaluate_by_rule(
    judgements: Judgements,
    metrics: Definitions,
    cutoffs: Collection[Cutoff],
    relevance: Definition,
    lists: np.ndarray | None = None,
    catalogue: Catalogue | None = None,
    apart: bool = False,
) -> dict[str, Any]:
    """Return the values of metrics by column, without those that the model or the data cannot give.

    lists : users x depth items, with the ``catalogue``; needed for metrics of lists alone. apart : as ``evaluate`` has
    it, where these are some of the users.
    """
    values: dict[str, Any] = {}
    for rule, of_rule in by_rule(metrics, relevance):
        judged = judgements.by(rule)
        listed = None if lists is None or catalogue is None else TopLists(lists, judged, catalogue)
        values |= evaluate(judged, of_rule, cutoffs, listed, apart)
    return values


def summary_rows(
    model: str,
    values: Mapping[str, Any],
    metrics: Definitions,
    cutoffs: Collection[Cutoff],
    relevance: Definition,
    undefined_users: str,
    extent: Extent,
) -> list[tuple]:
    """Return model, metric, k, and the mean with its interval and counts, for every column that the model has."""
    with_rules = {name: {"relevance": relevance, **definition} for name, definition in metrics.items()}
    means = summarise(values, with_rules, cutoffs, undefined_users, extent)
    return [(model, *column.rpartition("@")[::2], *astuple(mean)) for column, mean in means.items()]
