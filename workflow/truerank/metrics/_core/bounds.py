"""Upper bounds that depend on the data, and what of the data they depend on."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Extent:
    """How large a study is: users and items of training, places of a list, the lowest and highest rating."""

    n_users: int
    n_items: int
    depth: int
    scale: tuple[float, float] | None

    def places(self, k: np.ndarray) -> np.ndarray:
        """Return the cut-offs as numbers of places, at most the depth."""
        return np.minimum(k, self.depth).astype(int)


@dataclass(frozen=True)
class Bound:
    """An upper bound that depends on the data: how it is written, and what it is at cut-offs k.

    at : called with an ``Extent``, k, and the settings of the metric.
    """

    formula: str
    at: Callable[..., np.ndarray | float]
