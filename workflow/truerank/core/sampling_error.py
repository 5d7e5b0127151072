"""One error per estimator, model and metric: the relative error over all cut-offs."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

ERROR = ["sampler", "estimator", "model", "metric", "cutoffs", "error", "error_sd"]
USER_MEAN = "user_mean"


def sampling_errors(
    estimates: Mapping[tuple[str, str], np.ndarray], exact: np.ndarray, models: Sequence[str], columns: Sequence[str]
) -> list[pd.DataFrame]:
    """Return tables of ``ERROR``. estimates : by sampler and estimator, as ``as_array`` gives them; the mean over
    sampled users is the estimator ``user_mean``. exact : models x columns."""
    return [error_table(pair, estimate, exact, models, columns) for pair, estimate in estimates.items()]


def as_array(table: pd.DataFrame, models: Sequence[str], columns: Sequence[str]) -> np.ndarray:
    """Return estimates as models x repeats x columns, NaN where there is none."""
    model = pd.Index(models).get_indexer(table["model"])
    column = pd.Index(columns).get_indexer(columns_of(table))
    repeats, repeat = np.unique(table["repeat"], return_inverse=True)
    found = np.full((len(models), len(repeats), len(columns)), np.nan)
    asked = (model >= 0) & (column >= 0)
    found[model[asked], repeat[asked], column[asked]] = table["estimate"].to_numpy()[asked]
    return found


def columns_of(table: pd.DataFrame) -> pd.Series:
    """Return the name ``metric@k`` of every row."""
    return table["metric"] + "@" + table["k"]


def error_table(
    pair: tuple[str, str], found: np.ndarray, exact: np.ndarray, models: Sequence[str], columns: Sequence[str]
) -> pd.DataFrame:
    """Return the errors of one sampler with one estimator.

    found : models x repeats x columns. exact : models x columns.
    """
    metric_of = np.array([column.rpartition("@")[0] for column in columns])
    rows = []
    for metric in dict.fromkeys(metric_of):
        own = metric_of == metric
        for place, model in enumerate(models):
            error = mean_relative_error(found[place][:, own], exact[place, own])
            spread = error.std(ddof=1) if len(error) > 1 else np.nan
            rows.append([*pair, model, metric, int(own.sum()), error.mean(), spread])
    return pd.DataFrame(rows, columns=ERROR)


def mean_relative_error(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    r"""Return, per repeat, the absolute relative error averaged over the cut-offs.

    .. math:: \frac{1}{|K|} \sum_{k \in K} \frac{|\hat T_k - T_k|}{|T_k|}

    found : repeats x cut-offs. exact : per cut-off. A cut-off whose exact value is 0 adds no error and counts in |K|.

    Li et al. 2024, doi:10.1145/3629171, section 8.3, Tables 4, 5, 8 and 9.
    """
    apart = np.abs(found - exact)
    return np.divide(apart, np.abs(exact), where=exact != 0, out=np.zeros_like(apart)).mean(axis=1)
