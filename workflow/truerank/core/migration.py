"""How far predicted ratings sell items above or below what their users think of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from truerank.core.ranked_users import RankedUsers
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.moments import Moments
from truerank.metrics._core.relevance import LEVELS
from truerank.metrics.migration import migration, spread_of

AUTO = "auto"  # a margin from the distribution of predictions
COLUMNS = ["model", "level", "up_sold", "down_sold", "accurate"]


def migrations(models: Sequence[str], ranked: RankedUsers, settings: Mapping[str, Any]) -> pd.DataFrame:
    """Return the shares of up-sold, down-sold and perfectly sold items per model and level of relevance.

    A model without predicted ratings has no row. settings : ``margin``, a number or ``auto``, and ``top``, the number
    of items per user. A user without an item of the level, or with one that has no prediction, is left out.
    """
    margin = settings["margin"]
    if margin == AUTO:
        margin = spread_of(spreads(ranked, len(models)))
    sums: dict[tuple[str, str], np.ndarray] = {}
    for block in range(len(ranked.users)):
        for model, judgements in zip(models, ranked.read(block)[0], strict=True):
            for level in LEVELS if judgements.prediction is not None else ():
                own = sold(judgements.by({"threshold": level}), settings["top"], margin)
                sums[model, level] = sums.get((model, level), np.zeros(4)) + own
    with np.errstate(invalid="ignore"):
        rows = [(*key, *(sums[key][1:] / sums[key][0])) for key in sorted(sums, key=lambda key: models.index(key[0]))]
    return pd.DataFrame(rows, columns=COLUMNS)


def sold(judged: JudgedRanks, top: int, margin: float) -> np.ndarray:
    """Return how many of some users count, and the sums of their shares."""
    shares = migration(judged, np.array([top]), margin, relevant_only=True)
    counted = (judged.n_relevant > 0) & ~judged.unpredicted
    return np.array([counted.sum(), *(share[counted].sum() for share in shares)])


def spreads(ranked: RankedUsers, n_models: int) -> list[Moments]:
    """Return the moments of every model's predictions."""
    found = [Moments.of(np.empty(0))] * n_models
    for block in range(len(ranked.users)):
        for place, judgements in enumerate(ranked.read(block)[0]):
            if judgements.prediction is not None:
                known = judgements.prediction[~np.isnan(judgements.prediction)].astype(float)
                found[place] = found[place].plus(Moments.of(known))
    return found
