"""Plan an experiment: how many users, negatives or scores it needs."""

from importlib import import_module
from typing import Any

from truerank.api.results import Result
from truerank.errors import UserError
from truerank.registry import unknown

# Each is a module of ``truerank.api.planning`` with the function ``plan``.
KINDS = ("users", "negatives", "scores")


def plan(kind: str = "users", *given: Any, **settings: Any) -> Result:
    """Compute how many users, negatives or scores an experiment needs; ``.plan`` of the result is the table.

    kind : ``users``, for a margin of error (``margin``, ``confidence``, ``models``, ``share``, ``population``);
    ``negatives``, for bounds of a width (``ranks``, ``metrics``, ``width``, ``items``, ``negatives``);
    ``scores``, of an expensive model for an error (``train``, ``test``, ``error``, ``k``, ``proxy``, ``stand_in``).
    Further arguments go to ``truerank.api.planning.KIND.plan``, whose docstring explains them.

    >>> import truerank as tr
    >>> tr.plan("users", margin=0.01).plan
                         quantity     method  users
    0        recall of each model     normal   9604
    1  any metric between 0 and 1  Hoeffding  18445
    """
    if kind not in KINDS:
        raise UserError(unknown("kind of plan", kind, KINDS))
    found: Result = import_module(f"truerank.api.planning.{kind}").plan(*given, **settings)
    return found
