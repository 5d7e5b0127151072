"""How far predicted ratings sell items above or below what their users think of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from truerank.artefacts.rank_table import Judgements
from truerank.metrics._core.relevance import LEVELS
from truerank.metrics.migration import migration, spread_of

AUTO = "auto"  # a margin from the distribution of predictions
COLUMNS = ["model", "level", "up_sold", "down_sold", "accurate"]


def migrations(models: Mapping[str, Judgements], settings: Mapping[str, Any]) -> pd.DataFrame:
    """Return the shares of up-sold, down-sold and perfectly sold items per model and level of relevance.

    A model without predicted ratings has no row. settings : ``margin``, a number or ``auto``, and ``top``, the number
    of items per user. A user without an item of the level, or with one that has no prediction, is left out.
    """
    found = []
    margin = settings["margin"]
    if margin == AUTO:
        margin = spread_of(own.prediction for own in models.values() if own.prediction is not None)
    for model, judgements in models.items():
        if judgements.prediction is None:
            continue
        for level in LEVELS:
            judged = judgements.by({"threshold": level})
            shares = migration(judged, np.array([settings["top"]]), margin, relevant_only=True)
            counted = (judged.n_relevant > 0) & ~judged.unpredicted
            found.append((model, level, *(share[counted].mean() if counted.any() else np.nan for share in shares)))
    return pd.DataFrame(found, columns=COLUMNS)
