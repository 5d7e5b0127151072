"""The study once more with other seeds: what every replicate gave, and what moves the numbers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from truerank.meta.variance import components

VALUES = ["model", "metric", "k", "split_seed", "training_seed", "value"]
VARIANCE = ["model", "against", "metric", "k", "value", "users", "split", "training"]
Numbers = Sequence[tuple[int, int]]


def gathered(numbers: Numbers, summaries: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return the value of every model under every metric in every replicate that has it, columns VALUES.

    numbers : split and training of each replicate, the study itself first. Metrics and models that the others lack are
    left out.
    """
    frames = []
    for (split_seed, training_seed), summary in zip(numbers, summaries, strict=True):
        frames.append(summary.assign(split_seed=split_seed, training_seed=training_seed)[VALUES])
    whole = pd.concat(frames, ignore_index=True)
    times = whole.groupby(["model", "metric", "k"], sort=False)["value"].transform("size")
    return whole[times == len(frames)].reset_index(drop=True)


def variance_rows(
    column: str, numbers: Numbers, values: Mapping[str, np.ndarray], higher_is_better: bool, undefined_users: str
) -> Iterator[tuple]:
    """Yield, as VARIANCE has it, what moves the mean of every model, and the lead of the first over every other.

    column : ``metric@k``. values : per model, replicates x users, in the order of ``numbers``, NaN where undefined,
    which counts as 0 or, with ``drop``, leaves the user out.
    """
    models = list(values)
    table = np.array([values[model] for model in models])
    if undefined_users == "drop":
        table = table[:, :, ~np.isnan(table).any(axis=(0, 1))]
    table = in_grid(np.nan_to_num(table), numbers)
    metric, _, k = column.rpartition("@")
    means = table[:, 0, 0].mean(axis=1) * (1 if higher_is_better else -1)
    leader = int(np.argmax(means))
    for place, model in enumerate(models):
        yield model, None, metric, k, float(table[place].mean()), *components(table[place])
    for place in (place for place in range(len(models)) if place != leader):
        lead = table[leader] - table[place]
        yield models[leader], models[place], metric, k, float(lead.mean()), *components(lead)


def in_grid(table: np.ndarray, numbers: Numbers) -> np.ndarray:
    """Return models x replicates x users as models x splits x trainings x users."""
    n_splits, n_trainings = np.max(numbers, axis=0)
    return table.reshape(len(table), n_splits, n_trainings, table.shape[2])
