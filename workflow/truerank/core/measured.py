"""The per-user values of all models, one table for every metric and cut-off."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from truerank.core.comparing import Scores
from truerank.metrics._core.evaluation import is_pooled, limits, needs, policy_of
from truerank.registry import METRICS, Definition, Definitions

Judges = Literal["cut_off", "whole"]


@dataclass(frozen=True)
class Measured(Scores):
    """One metric at one cut-off. models : those for which it is defined at all, a column each.

    judges : the top of a ranking (``cut_off``), the ``whole`` of it, or None for lists and errors. exchanged : what a
    test exchanges between models user by user, where that is not the values.
    """

    models: tuple[str, ...] = ()
    judges: Judges | None = None
    exchanged: np.ndarray | None = None

    @property
    def tested(self) -> np.ndarray:
        """What a test exchanges between models, users x models."""
        return self.values if self.exchanged is None else self.exchanged


def measured(
    per_user: pd.DataFrame, metrics: Definitions, undefined_users: str, ratings: pd.Series | None = None
) -> tuple[np.ndarray, list[Measured]]:
    """Return the users, ascending, and the values of every column. per_user : model, user, columns ``metric@k``.

    ratings : how many test ratings each user has. With it a test of a metric over all ratings exchanges the users' sums
    of errors, which is exact; without it their contributions, which is near that where no user has most ratings.
    """
    values = per_user.set_index("user")
    models = dict(list(values.groupby("model", sort=False)))
    users = np.unique(values.index)
    found = []
    for column in values.columns.drop("model"):
        metric, _, k = column.rpartition("@")
        having = tuple(model for model, own in models.items() if own[column].notna().any())
        rows = [models[model][column].reindex(users).to_numpy(float) for model in having]
        table = np.column_stack(rows) if rows else np.empty((len(users), 0))
        low, (high,) = limits(metrics[metric], [k], None)
        policy = policy_of(metrics[metric], undefined_users)
        judges = what_it_judges(metrics[metric], k)
        exchanged = sums_of_errors(table, metrics[metric], None if ratings is None else ratings.reindex(users))
        found.append(Measured(table, metric, k, low, float(high), policy, having, judges, exchanged))
    return users, found


def sums_of_errors(table: np.ndarray, definition: Definition, ratings: pd.Series | None) -> np.ndarray | None:
    """Return what a test of a metric over all ratings exchanges, None for another metric."""
    if ratings is None or not is_pooled(definition):
        return None
    parts, count = METRICS.of(definition).facts.pooled, ratings.to_numpy(float)
    return np.column_stack([parts.errors_of(column, count) for column in table.T]) if table.shape[1] else table


def what_it_judges(definition: Definition, k: str) -> Judges | None:
    """Return whether a metric judges the top of a ranking, all of it, or something else."""
    if needs(METRICS.of(definition)) != "ranks":
        return None
    return "whole" if k == "all" else "cut_off"


def models_of(per_user: pd.DataFrame) -> list[str]:
    return list(per_user["model"].unique())
