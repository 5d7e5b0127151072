"""Notice that training has run away, before what it learnt is written down."""

import numpy as np

from truerank.errors import UserError

LOWER_RATE = "lower `rate` in the model's definition"


def check_finite(epoch: int, epochs: int, loss: float, *learnt: np.ndarray, remedy: str = LOWER_RATE) -> None:
    """Raise UserError unless the loss of an epoch and all arrays learnt so far are finite; NaN never heals.

    A step's loss is computed before the step, so that only the arrays tell of the last one.
    """
    if not np.isfinite(loss) or not all(np.isfinite(array).all() for array in learnt):
        raise UserError(f"training diverged in epoch {epoch} of {epochs} (its loss is not finite); {remedy}")
