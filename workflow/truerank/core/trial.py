"""Metrics on trial from per-user values alone: power, agreement and verdict, as a study has them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from truerank.core.comparing import DRAWS, MOST_USERS
from truerank.core.correlation import agreement
from truerank.core.measured import Measured, Users, what_it_judges
from truerank.core.power import Power, alike_by_values, criteria_of_resamples, power_of
from truerank.core.significance import compare_all, compare_all_of_many
from truerank.core.verdict import on_metrics
from truerank.metrics._core.evaluation import mean_over_users
from truerank.provenance import generator
from truerank.registry import METRICS, Definitions


@dataclass(frozen=True)
class Tried:
    """Power and best set as ``test_significance`` writes them, the pairs, agreement of metrics, and the verdict."""

    pairs: pd.DataFrame
    power: Power
    agreement: pd.DataFrame
    verdict: dict[str, Any] | None


def tables_of(
    columns: Mapping[str, np.ndarray],
    models: Sequence[str],
    definitions: Definitions,
    undefined_users: str,
    lower_is_better: Collection[str],
) -> list[Measured]:
    """Return one table per column. columns : ``metric@k`` -> users x models.

    definitions : of the metrics that are known; lists and errors are in no best set, and where less is better an
    undefined user is left out. A metric that nobody knows judges the top of a ranking, or the whole at ``@all``.
    """
    found = []
    for column, values in columns.items():
        metric, _, k = column.rpartition("@")
        having = ~np.isnan(values).all(axis=0)
        named = tuple(model for model, has in zip(models, having, strict=True) if has)
        judges = what_it_judges(definitions[metric], k) if metric in definitions else guess(k)
        policy = "drop" if metric in lower_is_better else undefined_users
        found.append(Measured(values[:, having], metric, k, undefined_users=policy, models=named, judges=judges))
    return found


def guess(k: str) -> Any:
    return "whole" if k == "all" else "cut_off"


def less_is_better(metrics: Collection[str], definitions: Definitions, said: Collection[str]) -> set[str]:
    """Return the metrics of which less is better: those that are said to be, and errors that are known."""
    known = (name for name in metrics if name in definitions)
    return {*said, *(name for name in known if not METRICS.of(definitions[name]).facts.higher_is_better)}


def put_on_trial(
    tables: Sequence[Measured],
    lower_is_better: Collection[str],
    seed: int,
    robustness: pd.DataFrame | None = None,
    threads: int = 1,
) -> Tried:
    """Return what the tables say of their metrics. robustness : one row per bias, metric and cut-off, if measured."""
    n_users = len(tables[0].values)
    users, rng = Users.of(tables, np.arange(n_users)), generator(seed, "trial")
    if n_users > MOST_USERS:
        pairs, p_values = compare_all_of_many(tables, DRAWS, rng, threads, MOST_USERS)
    else:
        pairs, p_values = compare_all(users, DRAWS, rng, threads)
    again = criteria_of_resamples(users, generator(seed, "trial", "resamples"), threads=threads)
    power = power_of(users, p_values, alike_by_values(tables), again, generator(seed, "trial", "power"), threads)
    order = list(dict.fromkeys(table.metric or "" for table in tables))
    verdict = on_metrics(pairs, power.power, power.best, n_users, order, robustness)
    return Tried(pairs, power, agreement(summary_of(tables), lower_is_better), verdict)


def summary_of(tables: Sequence[Measured]) -> pd.DataFrame:
    """Return the mean over users of every model under every metric."""
    rows = [
        (model, table.metric, table.k, mean_over_users(values, table.undefined_users).value)
        for table in tables
        for model, values in zip(table.models, table.values.T, strict=True)
    ]
    return pd.DataFrame(rows, columns=["model", "metric", "k", "value"])
