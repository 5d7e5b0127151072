"""A paper's worked example: a few ranks that it prints, and what becomes of their metrics in sampled sets."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from truerank.metrics._core.single import metric_of_rank
from truerank.sampling._core.expected import expected_metric

COLUMNS = ["model", "metric", "k", "negatives", "exact", "expected", "sd"]


def example_table(example: Mapping[str, Any]) -> pd.DataFrame:
    """Return, per recommender, metric and number of negatives, the exact mean over its instances, the expected mean in
    sampled sets, drawn with replacement, and its standard deviation from draw to draw.

    example : ``items``, ``negatives`` (a list), ``cutoffs``, ``metrics`` (name -> definition), ``ranks`` (recommender
    -> ranks of its instances).
    """
    rows = []
    for model, ranks in example["ranks"].items():
        rank = np.array(ranks)
        exact = metric_of_rank(example["metrics"], example["cutoffs"], rank, example["items"])
        for negatives in example["negatives"]:
            in_set = np.arange(1, negatives + 2)
            values = metric_of_rank(example["metrics"], example["cutoffs"], in_set, negatives + 1)
            own = np.column_stack(list(values.values()))
            mean, square = (expected_metric(rank, example["items"], negatives, power) for power in (own, own**2))
            spread = np.sqrt(np.maximum(square - mean**2, 0).sum(axis=0)) / len(rank)
            for place, column in enumerate(values):
                metric, _, k = column.rpartition("@")
                figures = [exact[column].mean(), mean[:, place].mean(), spread[place]]
                rows.append([model, metric, k, negatives, *figures])
    return pd.DataFrame(rows, columns=COLUMNS)
