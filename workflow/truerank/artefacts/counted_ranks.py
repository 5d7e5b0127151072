"""How many relevant test items have each rank among so many candidates: what curves of expectations are made of.

Some rows of the rank tables are in memory at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from truerank.artefacts.files import is_null, read_parts
from truerank.artefacts.rank_table import rank_of
from truerank.artefacts.test_instances import ExactRanks
from truerank.metrics._core.relevance import is_relevant
from truerank.provenance import PathLike
from truerank.registry import Definition
from truerank.value_counts import ValueCounts

ROWS_AT_A_TIME = 1 << 20


@dataclass(frozen=True)
class CountedRanks:
    """Ranks of instances, a relevant test item each, counted.

    ranks : per model, how many instances have a rank among a number of candidates; these are one number, ``key_of``.
    n_items : the mean number of candidates. most : the largest. several : whether a user has several instances.
    """

    ranks: Sequence[ValueCounts]
    n_items: int
    most: int
    several: bool

    @classmethod
    def of(cls, ranked: ExactRanks) -> "CountedRanks":
        """Return ranks that are in memory."""
        several = len(np.unique(ranked.user)) < len(ranked.user)
        return counted(len(ranked.rank), iter([(ranked.rank, ranked.candidates)]), several)

    def rank(self, model: int) -> np.ndarray:
        return self.ranks[model].values & 0xFFFFFFFF

    def candidates(self, model: int) -> np.ndarray:
        return self.ranks[model].values >> 32

    def share(self, model: int) -> np.ndarray:
        """Return the share of the instances that each rank and number of candidates has."""
        return self.ranks[model].n / len(self.ranks[model])

    def recall(self, model: int) -> np.ndarray:
        """Return recall@K for K from 1 to the largest number of candidates."""
        counts = np.bincount(self.rank(model), self.ranks[model].n, self.most + 1)
        return np.cumsum(counts[1 : self.most + 1]) / len(self.ranks[model])


def key_of(rank: np.ndarray, candidates: np.ndarray) -> np.ndarray:
    return candidates.astype(np.int64) << 32 | rank


def counted(n_models: int, parts: Iterator[tuple[np.ndarray, np.ndarray]], several: bool = False) -> CountedRanks:
    """Count ranks. parts : ranks, models x instances, and candidates of some instances at a time."""
    ranks = [ValueCounts(np.int64) for _ in range(n_models)]
    total = n = most = 0
    for rank, candidates in parts:
        for found, own in zip(ranks, rank, strict=True):
            found.add(key_of(own, candidates))
        total, n, most = total + int(candidates.sum()), n + len(candidates), max(most, int(candidates.max(initial=0)))
    return CountedRanks(ranks, round(total / n) if n else 0, most, several)


def read_counted_ranks(paths: Sequence[PathLike], relevance: Definition) -> CountedRanks:
    """Count the ranks of relevant test items under all models. See ``read_exact_ranks``."""
    names = ["user", "rating", "above", "before", "candidates"]
    rated, before, repeated = not is_null(paths[-1], "rating"), -1, False

    def parts() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        nonlocal before, repeated
        for tables in zip(*(read_parts([path], names, ROWS_AT_A_TIME) for path in paths), strict=True):
            user, rating = (tables[-1][name].to_numpy() for name in ("user", "rating"))
            kept = is_relevant(relevance, rating, rated=rated)
            own = np.append(before, user[kept])
            before, repeated = own[-1], repeated or bool((np.diff(own) == 0).any())
            rank = [rank_of(table["above"].to_numpy(), table["before"].to_numpy())[kept] for table in tables]
            yield np.stack(rank), np.max([table["candidates"].to_numpy() for table in tables], axis=0)[kept]

    found = counted(len(paths), parts())
    return CountedRanks(found.ranks, found.n_items, found.most, repeated)
