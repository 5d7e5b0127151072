"""Relevant test items as instances: sampling treats each (user, test item) on its own."""

from dataclasses import dataclass

import numpy as np

from truerank.artefacts.files import read_columns
from truerank.metrics._core.single import metric_of_rank


@dataclass(frozen=True)
class ExactRanks:
    """The exact ranks of all instances. rank : models x instances. user, item, candidates : per instance."""

    user: np.ndarray
    item: np.ndarray
    rank: np.ndarray
    candidates: np.ndarray

    @property
    def n_items(self):
        """The mean number of candidates, which stands for the size of the catalogue."""
        return round(self.candidates.mean())

    def values(self, metrics, cutoffs):
        """Return the columns' names and the exact metric of every instance, models x instances x columns."""
        found = [metric_of_rank(metrics, cutoffs, rank, self.candidates) for rank in self.rank]
        return list(found[0]), np.stack([np.column_stack(list(columns.values())) for columns in found])


def read_ranked(paths, relevance):
    """Read the rank tables of all models, which have the same rows, and keep the relevant ones."""
    ranks = []
    for path in paths:
        user, item, rating, above, before, candidates = read_columns(
            path, "user", "item", "rating", "above", "before", "candidates"
        )
        ranks.append(1 + above + before)
    kept = is_relevant(rating, relevance)
    return ExactRanks(user[kept], item[kept], np.stack(ranks)[:, kept], candidates[kept])


def is_relevant(rating, relevance):
    """Tell which test rows are relevant: rated at least the threshold; without ratings, all."""
    return np.isnan(rating) if np.isnan(rating).all() else rating >= relevance["threshold"]
