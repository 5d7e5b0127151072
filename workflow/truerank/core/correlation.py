"""How alike the orders are in which metrics, and their cut-offs, put the models."""

from collections.abc import Collection

import numpy as np
import pandas as pd

from truerank.meta.kendall import correlation
from truerank.registry import METRICS, Definitions


def correlations(summary: pd.DataFrame, metrics: Definitions) -> pd.DataFrame:
    """Return the agreement of metrics that ``metrics`` defines."""
    named = summary["metric"].unique()
    return agreement(summary, {name for name in named if not METRICS.of(metrics[name]).facts.higher_is_better})


def agreement(summary: pd.DataFrame, lower_is_better: Collection[str]) -> pd.DataFrame:
    """Return tau-b between every two columns ``metric@k``, best models first in both.

    summary : model, metric, k, value. NaN where a metric lacks a model, or has all models equal.
    """
    means = summary.pivot_table(index=["metric", "k"], columns="model", values="value", sort=False, dropna=False)
    means = means.dropna(how="all")
    better = [metric not in lower_is_better for metric, _ in means.index]
    tau = correlation(np.where(np.array(better)[:, None], 1, -1) * means.to_numpy(float))
    one, other = (axis.ravel() for axis in np.indices(tau.shape))
    metric, k = (means.index.get_level_values(level).to_numpy() for level in ("metric", "k"))
    pairs = {"metric_a": metric[one], "k_a": k[one], "metric_b": metric[other], "k_b": k[other]}
    return pd.DataFrame({**pairs, "tau": tau.ravel()})
