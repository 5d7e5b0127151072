"""Exact ranks with the number of candidates, as ``tr.rank`` gives them."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from truerank.api.checks import MOST_ITEMS, check_count
from truerank.api.ranks import RANK, sampled_ranks
from truerank.cli_input import read_rows
from truerank.errors import UserError

CANDIDATES = "candidates"


def exact_ranks(ranks: Any, items: int | None) -> tuple[np.ndarray, int]:
    """Return ranks from 1 to N, and N: as given, or else the mean of the column ``candidates``."""
    table = as_frame(ranks)
    if items is None:
        if table is None or CANDIDATES not in table.columns:
            raise UserError(
                "items is not given, expected how many candidates the full ranking has, or ranks with a column "
                "candidates; give it, and negatives too if the ranks are among sampled ones"
            )
        items = round(float(pd.to_numeric(table[CANDIDATES]).mean()))
        table = table.assign(**{RANK: np.minimum(pd.to_numeric(table[RANK]), items)})  # N is a mean
    items = check_count("items", items, 2, MOST_ITEMS)
    return sampled_ranks(ranks if table is None else table[[RANK]], items - 1).rank, items


def as_frame(ranks: Any) -> pd.DataFrame | None:
    """Return a frame, or a file with the columns ``rank`` and ``candidates`` as one; None for what has no columns."""
    if isinstance(ranks, pd.DataFrame):
        return ranks
    if not isinstance(ranks, str | Path):
        return None
    if str(ranks).endswith(".parquet"):
        return pd.read_parquet(ranks)
    heading, rows = read_rows(str(ranks), "rank")
    names = [name.lower() for name in heading]
    if not {RANK, CANDIDATES} <= set(names):
        return None
    return pd.DataFrame([cells for _, cells in rows], columns=names)
