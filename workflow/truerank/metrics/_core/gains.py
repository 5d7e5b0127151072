"""What a judged item is worth, and how much of that is left at a rank."""

from typing import Annotated, Literal

import numpy as np

from truerank.errors import UserError
from truerank.metrics._core.judged import JudgedRanks, Scale

Gain = Literal["linear", "binary", "exponential", "relevant"]
Base = Annotated[float, {"minimum": 2}]
MOST_EXPONENT = 1000  # of 2, so that a sum of gains stays below the largest float64, 2^1024


def gains(judged: JudgedRanks, gain: Gain) -> np.ndarray:
    """Return what each row gains, 0 or more."""
    if gain == "binary":
        return judged.relevant.astype(float)
    worth = gain_of(judged.rating, gain, judged.scale)
    return worth * judged.relevant if gain == "relevant" else worth


def gain_of(rating: np.ndarray, gain: Gain, scale: Scale) -> np.ndarray:
    """Return what ratings gain: where the scale goes below 0, gains are counted from its lowest rating.

    ``binary`` is the gain of what is relevant, and so is ``relevant``, a linear one.
    """
    if gain == "binary":
        return np.ones(len(rating))
    lowest, highest = scale
    shift = gain_shift(scale)
    # A rating that was rounded to 32 bits may lie below the scale by as much.
    rating = np.maximum(rating + shift, 0) if shift else rating
    if gain in ("linear", "relevant"):
        return rating
    if highest + shift > MOST_EXPONENT:
        raise UserError(
            f"ndcg: expected ratings of at most {MOST_EXPONENT} for exponential gain, 2^rating - 1, found a scale from "
            f"{lowest:g} to {highest:g}; use `gain: linear`"
        )
    return 2.0**rating - 1


def gain_shift(scale: Scale) -> float:
    """Return what is added to ratings before they are gains: 0, unless the scale goes below 0."""
    return max(-scale[0], 0)


def discount(rank: np.ndarray, base: float | None) -> np.ndarray:
    """Return log2(r + 1) or, with a base b, Järvelin & Kekäläinen's: none for r < b, then log_b r."""
    if base is None:
        return np.log2(rank + 1)
    return np.maximum(np.log(rank) / np.log(base), 1)
