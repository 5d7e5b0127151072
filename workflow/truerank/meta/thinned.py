"""A rank table of which only some judgements are kept: the same lists, fewer items known to be liked."""

from functools import cached_property

import numpy as np

from truerank.metrics._core.judged import JudgedRanks


class Thinned(JudgedRanks):
    """Some rows of ``full``, by mask or number, in the same order; users who lose all their rows stay, with none."""

    def __init__(self, full: JudgedRanks, rows: np.ndarray) -> None:
        rows = np.flatnonzero(rows) if rows.dtype == bool else rows
        self.order = full.order[rows]
        self.row, self.rank, self.relevant, self.rating = (
            column[rows] for column in (full.row, full.rank, full.relevant, full.rating)
        )
        self.prediction = None if full.prediction is None else full.prediction[rows]
        self.users, self.candidates, self.mean_rating = full.users, full.candidates, full.mean_rating
        self.scale = full.scale

    @cached_property
    def first(self) -> np.ndarray:  # type: ignore[override]  # it can be set, like any cached property
        return np.searchsorted(self.row, np.arange(len(self.users)))
