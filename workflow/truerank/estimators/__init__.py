"""Full-catalogue metrics from ranks among sampled candidates.

For ranks from any tool: ``histogram``, ``Problem`` and ``make_estimator``; see docs/sampling.md.
"""

from importlib import import_module

from truerank.estimators.histogram import histogram  # at once: later the module of that name would stand here

__all__ = ["Problem", "histogram", "make_estimator"]
SLOW = {"Problem": "truerank.estimators.problem", "make_estimator": "truerank.estimators.make"}


def __getattr__(name):
    """Import what takes long when it is asked for."""
    if name not in SLOW:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(SLOW[name]), name)
