"""Gather what the models of all replicates score, and say what moves it."""

from collections.abc import Iterator

import numpy as np

from truerank.artefacts.files import REAL, TEXT, WHOLE, column_names, read_table, write_rows, write_table
from truerank.core.replicates import gathered, variance_rows
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
    keys = [read_table(path, ["model", "user"]) for path in paths]
    common = set.intersection(*(set(own["user"]) for own in keys))
    for column in columns_in(paths):
        metric = column.rpartition("@")[0]
        definition = settings.metrics[metric]
        tables = []
        for path, own in zip(paths, keys, strict=True):
            frame = own.assign(value=read_table(path, [column])[column])
            frame = frame[frame["user"].isin(common)].sort_values("user", kind="stable")
            tables.append(dict(list(frame.groupby("model")["value"])))
        values = {model: np.array([table[model].to_numpy(float) for table in tables]) for model in models}
        values = {model: own for model, own in values.items() if not np.isnan(own).all()}
        if values:
            better = METRICS.of(definition).facts.higher_is_better
            policy = policy_of(definition, settings.undefined_users)
            yield from variance_rows(column, settings.replicate_numbers, values, better, policy)


def columns_in(paths: list[PathLike]) -> list[str]:
    """Return the columns of metrics that all tables have."""
    names = list(map(column_names, paths))
    return [name for name in names[-1] if all(name in own for own in names) and name not in ("model", "user")]
