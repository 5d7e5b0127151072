"""What a judged item is worth, and how much of that is left at a rank."""

from typing import Annotated, Literal

import numpy as np

Gain = Literal["linear", "binary", "exponential"]
Base = Annotated[float, {"minimum": 2}]


def gains(judged, gain):
    """Return the gain of every row: the rating, 1 if relevant, or 2^rating - 1."""
    if gain == "binary":
        return judged.relevant.astype(float)
    return judged.rating if gain == "linear" else 2.0**judged.rating - 1


def discount(rank, base):
    """Return log2(r + 1) or, with a base b, Järvelin & Kekäläinen's: none for r < b, then log_b r."""
    if base is None:
        return np.log2(rank + 1)
    return np.maximum(np.log(rank) / np.log(base), 1)
