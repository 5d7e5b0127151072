"""What ``tr.score`` refuses before it asks for a score, in one sentence each."""

import math
from collections.abc import Callable, Mapping
from numbers import Real
from reprlib import repr as shortened
from typing import Any

import numpy as np
import yaml

from truerank.api.checks import check_count
from truerank.api.inputs.truth import relevance as usual_relevance
from truerank.artefacts.split import TestRows
from truerank.config.checks import SCHEMA, check_definitions
from truerank.config.validation import ConfigError, check_shape
from truerank.errors import UserError
from truerank.provenance import PathLike
from truerank.registry import MODELS, Definition, unknown

TIES = ("random", "optimistic", "pessimistic")
MOST_IN_BATCH = 10**9


def check_settings(
    scorer: Any, budget: float, audit: float, ties: str, batch: int, map: Any, cache: PathLike | None
) -> None:
    """Refuse settings that mean nothing."""
    for name, value in (("scorer", scorer), ("map", map)):
        if not isinstance(value, Callable):  # type: ignore[arg-type]
            raise UserError(f"{name} is {shortened(value)}, expected a function; give one")
    if not (is_real(budget) and 1 <= budget < math.inf):
        problem = f"budget is {shortened(budget)}, expected 1 score per user or more"
        raise UserError(f"{problem}; correct it, or give exact=True")
    if not (is_real(audit) and 0 <= audit < 1):
        raise UserError(f"audit is {shortened(audit)}, expected a share of the budget from 0 to below 1; correct it")
    if ties not in TIES:
        raise UserError(unknown("ties", ties, TIES))
    check_count("batch", batch, 1, MOST_IN_BATCH)
    if cache is not None and not isinstance(cache, PathLike):
        raise UserError(f"cache is {shortened(cache)}, expected the path of a file; correct it")


def is_real(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def check_budget(budget: float, user: np.ndarray) -> None:
    own = len(user) / len(np.unique(user))
    if budget < own:
        raise UserError(
            f"budget is {budget:g}, and test has {own:.3g} items per user, which are scored first; set it higher"
        )


def check_places(n_places: int, candidates: np.ndarray, user: np.ndarray) -> None:
    """Refuse a K above the smallest number of candidates. candidates, user : of each test row, and its user's id."""
    if n_places > candidates.min():
        fewest = candidates.argmin()
        raise UserError(
            f"the largest cut-off is {n_places:,}, and user {user[fewest]!r} has {candidates[fewest]:,} candidates, "
            "expected as many at least; lower the cut-off, or leave such users out of test"
        )


def rule_of(relevance: Definition | float | None, test: TestRows) -> tuple[Definition, list[str]]:
    """Return the rule of relevance, and what is to be told of it; without one it is the usual one of the scale."""
    rating = None if np.isnan(test.rating).all() else test.rating
    if relevance is None:
        lowest, note = usual_relevance("test", rating, None)
        return {"threshold": 0 if lowest is None else lowest}, [note] if note else []
    rule = dict(relevance) if isinstance(relevance, Mapping) else {"threshold": relevance}
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    checked(lambda: check_shape(rule, schema["$defs"]["relevance"], ("relevance",)))
    if not isinstance(rule["threshold"], str):
        usual_relevance("test", rating, rule["threshold"])
    return rule, []


def check_definition(definition: Definition) -> None:
    """Refuse a definition of a proxy that names no model, or sets what its model does not have."""
    checked(lambda: check_definitions({"proxy": definition}, MODELS, "proxies", {"calibration": {}, "tune": {}}))


def checked(check: Callable[[], None]) -> None:
    try:
        check()
    except ConfigError as mistake:
        raise UserError(str(mistake)) from None
