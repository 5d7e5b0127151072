"""The rank tables of all models, of which some users are in memory at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from truerank.artefacts.rank_table import Judgements


@dataclass(frozen=True)
class RankedUsers:
    """The rank tables of all models, of the same test rows, of which some users are in memory at a time.

    users : blocks of them. rows : how many test rows each block has. read : returns the judgements of all models on a
    block, and the items of its rows.
    """

    users: Sequence[slice]
    rows: Sequence[int]
    read: Callable[[int], tuple[Sequence[Judgements], np.ndarray]]

    @classmethod
    def of(cls, models: Sequence[Judgements], item: np.ndarray) -> "RankedUsers":
        """Return users who are in memory. item : per test row."""
        return cls([slice(0, len(np.unique(models[0].user)))], [len(item)], lambda block: (models, item))
