"""Hold out: one way to cut interactions into training and test per file."""

from truerank.registry import SPLITS
from truerank.splits._core.rows import Cut, Rows, all_kept, first_of_each

__all__ = ["SPLITS", "Cut", "Rows", "all_kept", "first_of_each"]
