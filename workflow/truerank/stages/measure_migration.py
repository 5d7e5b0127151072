"""Measure how far predicted ratings sell items above or below what their users think of them."""

import pandas as pd
import pyarrow.parquet as pq

from truerank.meta.migration import migration
from truerank.metrics.relevance import LEVELS, is_relevant
from truerank.stages.files import read_columns, read_json, write_table

TYPES = {"model": "string", "level": "string", "us": float, "ds": float, "ps": float}


def measure_migration(ranks, summary, settings, table):
    """Write the shares of up-sold, down-sold and perfectly sold items per model and level of relevance.

    ranks : model -> path of its rank table; a model without predicted ratings has no row. summary : of the dataset, for
    its rating scale. settings : ``margin`` and ``top``, the number of items per user.
    """
    scale = read_json(summary).get("scale")
    found = []
    for model, path in ranks.items():
        if scale is None or "prediction" not in pq.read_schema(path).names:
            continue
        user, true, predicted = read_columns(path, "user", "rating", "prediction")
        for level in LEVELS:
            chosen = is_relevant({"threshold": level}, true, None, scale)
            sold = (column[chosen] for column in (user, true, predicted))
            found.append((model, level, *migration(*sold, settings["margin"], settings["top"])))
    write_table(table, pd.DataFrame(found, columns=list(TYPES)).astype(TYPES))
