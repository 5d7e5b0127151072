"""Models that are far behind all others: an axis is not spent on them."""

import numpy as np
import pandas as pd

FAR = 3  # times the range between the quartiles
MANY = 10  # models from which on some may be far behind
ROOM = 0.06  # of what is drawn, between it and the edge


def far_worse(values: pd.Series, higher: bool) -> pd.Series:
    """Tell which of many models are further behind the others than three times the range between their quartiles."""
    good = values if higher else -values
    low, high = good.quantile([0.25, 0.75])
    return (good < low - FAR * (high - low)) & (len(values) >= MANY)


def edge_of(rows: pd.DataFrame, higher: bool) -> float:
    """Return where a model far behind is drawn: at the worse end of the others. rows : value, ci_low, ci_high."""
    drawn = rows[["value", "ci_low", "ci_high"]].to_numpy(float)
    low, high = np.nanmin(drawn), np.nanmax(drawn)
    return float(low - ROOM * (high - low) if higher else high + ROOM * (high - low))
