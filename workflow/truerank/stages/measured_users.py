"""The users of a study with their values under all metrics, read some at a time."""

from collections.abc import Iterator

import numpy as np

from truerank.artefacts.files import column_names, n_rows, read_columns
from truerank.artefacts.per_user import Values, read_by_users
from truerank.core.measured import Measured, Users, table_of
from truerank.meta.flips import USERS_PER_BLOCK
from truerank.metrics._core.evaluation import is_pooled
from truerank.stages import Files, Settings

KEPT = 1 << 26  # values that stay in memory where there are no more, 512 MB
Raw = tuple[np.ndarray, Values]


def read_users(inputs: Files, settings: Settings) -> Users:
    """Return the users of a split, as ``test_significance`` compares models on them.

    settings : ``model_names``, ``metrics``, ``undefined_users``.
    """
    models, path = settings.model_names, inputs.per_user
    columns = column_names(path)[2:]
    pooled = [column for column in columns if is_pooled(settings.metrics[column.rpartition("@")[0]])]
    kept: list[Raw] | None = [] if n_rows(path) * len(columns) <= KEPT else None

    def raw() -> Iterator[Raw]:
        return iter(kept) if kept else read_by_users(path, len(models), columns, USERS_PER_BLOCK)

    def ratings(users: np.ndarray) -> np.ndarray | None:
        if not pooled or not len(users):
            return None
        (rated,) = read_columns(inputs.test, "user", users=(users[0], users[-1]))
        return np.bincount(np.searchsorted(users, rated), minlength=len(users)).astype(float)

    facts = Facts(len(models), columns, pooled)
    for users, values in raw():
        facts.add(values, ratings(users))
        if kept is not None:
            kept.append((users, values))

    def tables(users: np.ndarray, values: Values) -> list[Measured]:
        rated, means = ratings(users), facts.means
        rules = settings.metrics, settings.undefined_users, rated
        return [
            table_of(column, values[column], models, facts.having[column], *rules, means=means.get(column))
            for column in columns
        ]

    nobody = tables(np.empty(0, int), {column: np.empty((0, len(models))) for column in columns})
    return Users(facts.n, nobody, lambda: ((users, tables(users, values)) for users, values in raw()))


class Facts:
    """What must be known of all users of some models before their values are taken apart."""

    def __init__(self, n_models: int, columns: list[str], pooled: list[str]) -> None:
        self.n = 0
        self.having = {column: np.zeros(n_models, bool) for column in columns}
        self.sums = {column: np.zeros((3, n_models)) for column in pooled}

    def add(self, values: Values, ratings: np.ndarray | None) -> None:
        """Add some users."""
        self.n += len(next(iter(values.values()), ()))
        for column, own in values.items():
            known = ~np.isnan(own)
            self.having[column] |= known.any(axis=0)
            if column in self.sums and ratings is not None:
                self.sums[column] += known.sum(axis=0), np.nansum(own, axis=0), ratings @ known

    @property
    def means(self) -> dict[str, list[tuple[float, float]]]:
        """The means of contributions and of ratings over the users of each model who are defined."""
        with np.errstate(invalid="ignore"):
            return {column: list(zip(of[1] / of[0], of[2] / of[0], strict=True)) for column, of in self.sums.items()}
