"""The metrics themselves on trial: which of them tell systems apart, and which keep their order when data thins out.

For a table of per-user scores from any tool: ``compare``, ``correlation`` and ``tau_b``; see docs/meta.md.
"""

from truerank.meta.kendall import correlation, tau_b
from truerank.meta.significance import Comparison, compare, holm

__all__ = ["Comparison", "compare", "correlation", "holm", "tau_b"]
