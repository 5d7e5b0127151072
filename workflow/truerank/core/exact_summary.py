"""What sampling is judged by: the exact metrics of all instances, some of which are in memory at a time."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import numpy as np

from truerank.artefacts.test_instances import ExactRanks
from truerank.metrics._core.single import metric_of_rank
from truerank.registry import Cutoff, Definitions

RankBlocks = Callable[[], Iterator[ExactRanks]]  # blocks of all instances, the same each time


@dataclass(frozen=True)
class ExactSummary:
    """Sums over all instances.

    columns : names ``metric@k``. mean, variance : of the metrics, models x columns. span : per column, the largest
    value of all models less the least. hits : per column, whether every value is 0 or 1. curves : recall@K, models x K
    from 1 to the largest number of candidates. n : instances. candidates : of all instances together. several :
    whether a user has several instances.
    """

    columns: list[str]
    mean: np.ndarray
    variance: np.ndarray
    span: np.ndarray
    hits: np.ndarray
    curves: np.ndarray
    n: int
    candidates: int
    several: bool


def exact_summary(ranked: RankBlocks, metrics: Definitions, cutoffs: Collection[Cutoff]) -> ExactSummary:
    """Sum up, block by block. Variances are joined as in Chan et al. 1983, doi:10.1080/00031305.1983.10483115."""
    columns: list[str] = []
    n = candidates = 0
    total = squares = least = most = np.zeros(())
    hits = np.ones((), bool)
    counts = np.zeros((1, 0), np.int64)
    several, last = False, -1
    for block in ranked():
        columns, _ = values_of_rank(block.rank[0, :0], block.candidates[:0], metrics, cutoffs)
        of_models = [moments(values_of_rank(rank, block.candidates, metrics, cutoffs)[1]) for rank in block.rank]
        own, own_squares, low, high, are_hits = np.stack(of_models, axis=1)
        own_n = len(block.user)
        apart = np.square(own / own_n - total / n) * (n * own_n / (n + own_n)) if n else 0.0
        total, squares = total + own, squares + own_squares + apart
        least, most = (np.minimum(least, low), np.maximum(most, high)) if n else (low, high)
        hits = hits & (are_hits == 1).all(axis=0)
        n, candidates = n + own_n, candidates + int(block.candidates.sum(dtype=np.int64))
        counts = added(counts, block)
        users = np.append(last, block.user)
        several, last = several or bool((np.diff(users) == 0).any()), users[-1]
    span, curves = most.max(axis=0) - least.min(axis=0), np.cumsum(counts, axis=1) / n
    return ExactSummary(columns, total / n, squares / n, span, hits, curves, n, candidates, several)


def values_of_rank(
    rank: np.ndarray, candidates: np.ndarray, metrics: Definitions, cutoffs: Collection[Cutoff]
) -> tuple[list[str], np.ndarray]:
    """Return the columns' names and the metrics of some instances under one model, instances x columns."""
    found = metric_of_rank(metrics, cutoffs, rank, candidates)
    return list(found), np.column_stack(list(found.values()))


def moments(values: np.ndarray) -> np.ndarray:
    """Return sum, squared deviations, least and most of each column, and whether its values are 0 or 1."""
    total = values.sum(axis=0)
    squares = np.square(values - total / len(values)).sum(axis=0)
    hits = ((values == 0) | (values == 1)).all(axis=0)
    return np.stack([total, squares, values.min(axis=0), values.max(axis=0), hits])


def added(counts: np.ndarray, block: ExactRanks) -> np.ndarray:
    """Return counts of the ranks 1, 2, .. with those of a block, models x ranks; there are as many as candidates."""
    width = max(counts.shape[1], int(block.candidates.max()))
    own = np.stack([np.bincount(rank, minlength=width + 1)[1 : width + 1] for rank in block.rank])
    own[:, : counts.shape[1]] += counts
    return own


def chosen_ranks(ranked: RankBlocks, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ranks, models x the shape of ``chosen``, and the candidates of some instances."""
    instances, place = np.unique(chosen, return_inverse=True)
    rank, candidates, start = [], [], 0
    for block in ranked():
        own = instances[slice(*np.searchsorted(instances, [start, start + len(block.user)]))] - start
        rank.append(block.rank[:, own])
        candidates.append(block.candidates[own])
        start += len(block.user)
    place = place.reshape(chosen.shape)
    return np.concatenate(rank, axis=1)[:, place], np.concatenate(candidates)[place]
