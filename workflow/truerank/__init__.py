"""Truerank: which recommender metric to trust, and what a sampled one would have been on the full catalogue.

    import truerank as tr
    tr.compare({"a": "run_a.csv", "b": "run_b.csv"}, "test.csv", ["ndcg@10", "recall@20"])

Each name is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from truerank.api.bounds import bounds as bounds
    from truerank.api.compare import compare as compare
    from truerank.api.correct import correct as correct
    from truerank.api.evaluate import evaluate as evaluate
    from truerank.api.plan import plan as plan
    from truerank.api.rank import rank as rank
    from truerank.api.run_study import run_study as run_study
    from truerank.api.score import score as score
    from truerank.api.trial import trial as trial
    from truerank.errors import UserError as UserError

__version__ = "0.1.0"

# name -> module that has it
OFFERED = {
    "compare": "truerank.api.compare",
    "evaluate": "truerank.api.evaluate",
    "rank": "truerank.api.rank",
    "bounds": "truerank.api.bounds",
    "correct": "truerank.api.correct",
    "plan": "truerank.api.plan",
    "UserError": "truerank.errors",
    "run_study": "truerank.api.run_study",
    "score": "truerank.api.score",
    "trial": "truerank.api.trial",
}
__all__ = ["__version__", *OFFERED]


def __getattr__(name: str) -> Any:
    if name not in OFFERED:
        raise AttributeError(f"module 'truerank' has no attribute {name!r}")
    return getattr(import_module(OFFERED[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
