"""The context that a network is given."""

from typing import Literal

import numpy as np

from truerank.errors import UserError
from truerank.models._core.base import Train

Context = Literal[True, False, "auto"]  # auto: where the dataset has attributes of users


def context_of(train: Train, wanted: Context) -> np.ndarray:
    """Return users x features, without a feature if no context is wanted; UserError if it is and there is none.

    With ``auto`` there is a context where the dataset has attributes of users.
    """
    if not wanted or (wanted == "auto" and train.context is None):
        return np.zeros((train.n_users, 0), np.float32)
    if train.context is None:
        raise UserError(
            "the model learns from attributes of users, and this dataset has no attributes that vary; set "
            "`context: false` in the model's definition, or leave it out of the config's select"
        )
    return train.context
