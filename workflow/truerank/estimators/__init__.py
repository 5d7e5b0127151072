"""Full-catalogue metrics from ranks among sampled candidates: one estimator per file.

For ranks from any tool: ``histogram``, ``Problem`` and ``make_estimator``; see docs/sampling.md. To write an estimator,
derive it from ``Weighting`` or ``Fitting`` and register it with ``ESTIMATORS.register``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from truerank.estimators._core.histogram import histogram
from truerank.registry import ESTIMATORS

if TYPE_CHECKING:
    from truerank.estimators._core.base import Fitting, Weighting
    from truerank.estimators._core.make import make_estimator
    from truerank.estimators._core.problem import Problem

__all__ = ["ESTIMATORS", "Fitting", "Problem", "Weighting", "histogram", "make_estimator"]
SLOW = {"Fitting": "base", "Weighting": "base", "Problem": "problem", "make_estimator": "make"}


def __getattr__(name: str) -> Any:
    """Import what takes long when it is asked for."""
    if name not in SLOW:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"truerank.estimators._core.{SLOW[name]}"), name)
