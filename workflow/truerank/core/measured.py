"""The per-user values of all models, one table for every metric and cut-off."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd

from truerank.core.comparing import Scores
from truerank.meta.flips import USERS_PER_BLOCK, Block
from truerank.metrics._core.evaluation import is_pooled, limits, needs, policy_of
from truerank.ranking.shards import blocks
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

    def of(self, rows: slice) -> "Measured":
        """Return the values of some users."""
        return replace(
            self, values=self.values[rows], exchanged=None if self.exchanged is None else self.exchanged[rows]
        )


@dataclass(frozen=True)
class Users:
    """The users of a study, of whom some are in memory at a time.

    n : how many there are. tables : all metrics, of no user. read : returns codes of users, and their values under all
    metrics, block by block in the order of the codes, and does so again each time.
    """

    n: int
    tables: Sequence[Measured]
    read: Callable[[], Iterator[tuple[np.ndarray, Sequence[Measured]]]]

    @classmethod
    def of(cls, tables: Sequence[Measured], users: np.ndarray) -> "Users":
        """Return users who are in memory."""

        def read() -> Iterator[tuple[np.ndarray, Sequence[Measured]]]:
            for rows in blocks(len(users), USERS_PER_BLOCK):
                yield users[rows], [table.of(rows) for table in tables]

        return cls(len(users), [table.of(slice(0, 0)) for table in tables], read)

    def view(self, values: Callable[[Measured], np.ndarray], places: Sequence[int] | None = None) -> "View":
        """Return the same users with arrays, users x models, of all metrics or those at ``places``."""
        return View(self, values, range(len(self.tables)) if places is None else places)


@dataclass(frozen=True)
class View:
    """Blocks of users as ``flips`` has them."""

    users: Users
    values: Callable[[Measured], np.ndarray]
    places: Sequence[int]

    def __iter__(self) -> Iterator[Block]:
        for users, tables in self.users.read():
            yield users, [self.values(tables[place]) for place in self.places]


Means = tuple[float, float]  # of contributions and of ratings, over all users of a model who are defined


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
    count = None if ratings is None else ratings.reindex(users).to_numpy(float)
    found = []
    for column in values.columns.drop("model"):
        rows = [own[column].reindex(users).to_numpy(float) for own in models.values()]
        table = np.column_stack(rows) if rows else np.empty((len(users), 0))
        having = np.asarray(~np.isnan(table).all(axis=0))
        found.append(table_of(column, table, list(models), having, metrics, undefined_users, count))
    return users, found


def table_of(
    column: str,
    values: np.ndarray,
    models: Sequence[str],
    having: np.ndarray,
    metrics: Definitions,
    undefined_users: str,
    ratings: np.ndarray | None = None,
    means: Sequence[Means] | None = None,
) -> Measured:
    """Return one column. values : users x models, of which those that are not ``having`` it are left out.

    ratings : per user, or None. means : per model, where these are some of the users.
    """
    metric, _, k = column.rpartition("@")
    definition = metrics[metric]
    low, (high,) = limits(definition, [k], None)
    table = values[:, having]
    exchanged = None
    if ratings is not None and is_pooled(definition) and table.shape[1]:
        own = [None if means is None else means[place] for place in map(int, np.flatnonzero(having))]
        errors_of = METRICS.of(definition).facts.pooled.errors_of
        exchanged = np.column_stack([errors_of(each, ratings, of) for each, of in zip(table.T, own, strict=True)])
    named = tuple(model for model, has in zip(models, having, strict=True) if has)
    policy, judges = policy_of(definition, undefined_users), what_it_judges(definition, k)
    return Measured(table, metric, k, low, float(high), policy, named, judges, exchanged)


def what_it_judges(definition: Definition, k: str) -> Judges | None:
    """Return whether a metric judges the top of a ranking, all of it, or something else."""
    if needs(METRICS.of(definition)) != "ranks":
        return None
    return "whole" if k == "all" else "cut_off"


def models_of(per_user: pd.DataFrame) -> list[str]:
    return list(per_user["model"].unique())
