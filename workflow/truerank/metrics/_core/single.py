"""Metrics as functions of the rank of one relevant item."""

from collections.abc import Collection

import numpy as np

from truerank.metrics._core.evaluation import evaluate
from truerank.metrics._core.judged import JudgedRanks
from truerank.registry import Cutoff, Definitions


def metric_of_rank(
    metrics: Definitions, cutoffs: Collection[Cutoff], rank: np.ndarray, candidates: int | np.ndarray
) -> dict[str, np.ndarray]:
    """Return each metric at each cut-off where one relevant item has ``rank`` among ``candidates``.

    metrics : name -> definition. rank : array. candidates : number or array. Returns column name -> values per rank.
    With one relevant item recall is the hit ratio, ap the reciprocal rank and auc (C - R) / (C - 1).

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, section 3.
    """
    rank, candidates = np.broadcast_arrays(rank, candidates)
    judged = JudgedRanks(np.arange(len(rank)), rank, np.ones(len(rank), bool), candidates)
    return evaluate(judged, metrics, cutoffs)
