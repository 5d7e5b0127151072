"""Relevant test items as instances: sampling treats each (user, test item) on its own."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from truerank.artefacts.rank_table import read_ranks
from truerank.metrics._core.single import metric_of_rank
from truerank.provenance import PathLike
from truerank.registry import Cutoff, Definition, Definitions


@dataclass(frozen=True)
class ExactRanks:
    """The exact ranks of all instances. rank : models x instances. user, item, candidates : per instance.

    tests_above : models x instances, how many other test items of the user rank before. tests : how many there are.
    """

    user: np.ndarray
    item: np.ndarray
    rank: np.ndarray
    candidates: np.ndarray
    tests_above: np.ndarray
    tests: np.ndarray

    @property
    def n_items(self) -> int:
        """The mean number of candidates, which stands for the size of the catalogue."""
        return round(self.candidates.mean())

    def without_test_items(self) -> "ExactRanks":
        """Return the ranks among candidates without the user's other test items."""
        rank, candidates = self.rank - self.tests_above, self.candidates - self.tests
        none_above, no_tests = np.zeros_like(self.tests_above), np.zeros_like(self.tests)
        return ExactRanks(self.user, self.item, rank, candidates, none_above, no_tests)

    def values(self, metrics: Definitions, cutoffs: Collection[Cutoff]) -> tuple[list[str], np.ndarray]:
        """Return the columns' names and the exact metric of every instance, models x instances x columns."""
        found = [metric_of_rank(metrics, cutoffs, rank, self.candidates) for rank in self.rank]
        return list(found[0]), np.stack([np.column_stack(list(columns.values())) for columns in found])


def read_exact_ranks(paths: Iterable[PathLike], relevance: Definition) -> ExactRanks:
    """Read the rank tables of all models, which have the same rows, and keep the relevant ones.

    A model that recommends items besides the catalogue has more candidates than others, which rank these items last.
    The largest number holds for all.
    """
    tables = [read_ranks(path, "user", "item", "rating", "candidates") for path in paths]
    kept = is_relevant(tables[-1]["rating"], relevance)
    user, item = (tables[-1][name][kept] for name in ("user", "item"))
    candidates = np.max([table["candidates"] for table in tables], axis=0)[kept]
    rank = np.stack([table["rank"] for table in tables])
    tests_above = np.stack([tests_before(tables[-1]["user"], each) for each in rank])[:, kept]
    tests = np.bincount(tables[-1]["user"])[user] - 1
    return ExactRanks(user, item, rank[:, kept], candidates, tests_above, tests)


def tests_before(user: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Return for each test row how many rows of the same user have a smaller rank."""
    order = np.lexsort((rank, user))
    first = np.searchsorted(user[order], user)
    place = np.empty(len(user), np.int64)
    place[order] = np.arange(len(user))
    return place - first


def is_relevant(rating: np.ndarray, relevance: Definition) -> np.ndarray:
    """Tell which test rows are relevant: rated at least the threshold; without ratings, all."""
    return np.isnan(rating) if np.isnan(rating).all() else rating >= relevance["threshold"]
