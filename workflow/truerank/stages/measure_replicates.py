"""Gather what the models of all replicates score, and say what moves it."""

from collections.abc import Iterator
from functools import reduce

import numpy as np

from truerank.artefacts.files import REAL, TEXT, WHOLE, column_names, read_parts, read_table, write_rows, write_table
from truerank.artefacts.per_user import read_by_users
from truerank.core.replicates import gathered, variance_rows
from truerank.meta.flips import USERS_PER_BLOCK
from truerank.metrics._core.evaluation import policy_of
from truerank.provenance import PathLike
from truerank.registry import METRICS
from truerank.stages import Files, Settings

VALUES = {"model": TEXT, "metric": TEXT, "k": TEXT, "split_seed": WHOLE, "training_seed": WHOLE, "value": REAL}
VARIANCE = {"model": TEXT, "against": TEXT, "metric": TEXT, "k": TEXT, "value": REAL}
VARIANCE |= {"users": REAL, "split": REAL, "training": REAL}


def measure_replicates(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the values of all replicates, and the parts of their variance.

    settings : ``replicate_numbers``, split and training of each, the study itself first; ``metrics``;
    ``undefined_users``.
    """
    found = gathered(settings.replicate_numbers, map(read_table, inputs.summary))
    write_table(outputs.replicates, found, VALUES)
    rows = list(variances(inputs.per_user, list(found["model"].unique()), settings))
    write_rows(outputs.replicate_variance, rows, VARIANCE)


def variances(paths: list[PathLike], models: list[str], settings: Settings) -> Iterator[tuple]:
    """Yield the rows of all metrics, one column of the tables at a time."""
    named = [models_in(path) for path in paths]
    users = [column_of(path, len(names))[0] for path, names in zip(paths, named, strict=True)]
    common = reduce(np.intersect1d, users)
    for column in columns_in(paths):
        metric = column.rpartition("@")[0]
        definition = settings.metrics[metric]
        tables = []
        for path, names, own in zip(paths, named, users, strict=True):
            values = column_of(path, len(names), column)[1][np.isin(own, common)]
            tables.append(dict(zip(names, values.T, strict=True)))
        found = {model: np.array([table[model] for table in tables]) for model in models}
        found = {model: own for model, own in found.items() if not np.isnan(own).all()}
        if found:
            better = METRICS.of(definition).facts.higher_is_better
            policy = policy_of(definition, settings.undefined_users)
            yield from variance_rows(column, settings.replicate_numbers, found, better, policy)


def column_of(path: PathLike, n_models: int, *columns: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the users of a table, and their values in a column, if one is asked for, users x models."""
    read = list(read_by_users(path, n_models, columns, USERS_PER_BLOCK))
    values = [own[column] for _, own in read for column in columns]
    return np.concatenate([users for users, _ in read]), np.concatenate(values) if values else np.empty(0)


def models_in(path: PathLike) -> list[str]:
    """Return the models of a table in their order."""
    return list(
        dict.fromkeys(name for part in read_parts([path], ["model"]) for name in part["model"].unique().to_pylist())
    )


def columns_in(paths: list[PathLike]) -> list[str]:
    """Return the columns of metrics that all tables have."""
    names = list(map(column_names, paths))
    return [name for name in names[-1] if all(name in own for own in names) and name not in ("model", "user")]
