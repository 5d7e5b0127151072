"""The per-user values of all models, one table for every metric and cut-off."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from truerank.core.comparing import Scores
from truerank.metrics._core.evaluation import limits, needs, policy_of
from truerank.registry import METRICS, Definition, Definitions

Judges = Literal["cut_off", "whole"]


@dataclass(frozen=True)
class Measured(Scores):
    """One metric at one cut-off. models : those for which it is defined at all, a column each.

    judges : the top of a ranking (``cut_off``), the ``whole`` of it, or None for lists and errors.
    """

    models: tuple[str, ...] = ()
    judges: Judges | None = None


def measured(per_user: pd.DataFrame, metrics: Definitions, undefined_users: str) -> tuple[np.ndarray, list[Measured]]:
    """Return the users, ascending, and the values of every column. per_user : model, user, columns ``metric@k``."""
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
        found.append(Measured(table, metric, k, low, float(high), policy, having, judges))
    return users, found


def what_it_judges(definition: Definition, k: str) -> Judges | None:
    """Return whether a metric judges the top of a ranking, all of it, or something else."""
    if needs(METRICS.of(definition)) != "ranks":
        return None
    return "whole" if k == "all" else "cut_off"


def models_of(per_user: pd.DataFrame) -> list[str]:
    return list(per_user["model"].unique())
