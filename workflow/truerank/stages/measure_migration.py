"""Measure how far predicted ratings sell items above or below what their users think of them."""

import numpy as np
import pandas as pd

from truerank.artefacts.files import REAL, TEXT, read_json, write_table
from truerank.artefacts.metric_inputs import read_ranks
from truerank.artefacts.training_rows import read_train
from truerank.metrics._core.relevance import LEVELS, judged_by
from truerank.metrics.migration import migration

TYPES = {"model": TEXT, "level": TEXT, "up_sold": REAL, "down_sold": REAL, "accurate": REAL}


def measure_migration(ranks, split, facts, settings, table):
    """Write the shares of up-sold, down-sold and perfectly sold items per model and level of relevance.

    ranks : model -> path of its rank table; a model without predicted ratings has no row. split : paths of the training
    rows, the users and the items. facts : path of the dataset's summary. settings : ``margin`` and ``top``, the number
    of items per user. A user without an item of the level, or with one that has no prediction, is left out.
    """
    history, scale = read_train(*split), read_json(facts)["rating_scale"]
    found = []
    for model, path in ranks.items():
        rows = read_ranks(path, history, scale)
        if rows.get("prediction") is None:
            continue
        for level in LEVELS:
            judged = judged_by({"threshold": level}, **rows)
            shares = migration(judged, np.array([settings["top"]]), settings["margin"], relevant_only=True)
            counted = (judged.n_relevant > 0) & ~judged.unpredicted
            sold = [share[counted].mean() if counted.any() else np.nan for share in shares]
            found.append((model, level, *sold))
    write_table(table, pd.DataFrame(found, columns=list(TYPES)), TYPES)
