"""Metrics: one idea per file, values per user or per system out.

A metric of one's own needs ``additive`` with a ``Term``, its factor and its norm, or ``METRICS.register`` alone.
"""

from truerank.metrics._core.additive import FEW_MISSES, FIRST, HITS_ABOVE, INFERRED, PLAIN, PRECISION, Term, additive
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.norms import any_relevant
from truerank.registry import METRICS

__all__ = [
    "FEW_MISSES",
    "FIRST",
    "HITS_ABOVE",
    "INFERRED",
    "METRICS",
    "PLAIN",
    "PRECISION",
    "JudgedRanks",
    "Term",
    "additive",
    "any_relevant",
]
