"""Read and check interactions: one data source per file."""

from truerank.datasets._core.interactions import NO_TIME, Context, Interactions
from truerank.registry import DATASETS

__all__ = ["DATASETS", "NO_TIME", "Context", "Interactions"]
