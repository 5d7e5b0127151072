"""What several functions of the front door check."""

import operator
from collections.abc import Iterable
from reprlib import repr as shortened
from typing import Any

from truerank.errors import UserError
from truerank.metrics._core.names import Asked, parse_metrics
from truerank.registry import METRICS, Cutoff, Definitions

MOST_ITEMS = 10**8
MOST_NEGATIVES = 10**5


def check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise UserError(f"confidence is {confidence:g}, expected more than 0 and less than 1; correct it")


def check_between(name: str, value: float, low: float, high: float) -> None:
    if not low < value < high:
        raise UserError(f"{name} is {value:g}, expected more than {low} and less than {high}; correct it")


def check_count(name: str, value: Any, low: int, high: int, where: str = "") -> int:
    """Return a whole number within its limits."""
    try:
        number = operator.index(value)
    except TypeError:
        number = low - 1
    if not low <= number <= high:
        span = f"expected a whole number from {low} to {high:,}{where}"
        raise UserError(f"{name} is {shortened(value)}, {span}; correct it")
    return number


def check_design(items: Any, negatives: Any) -> tuple[int, int]:
    """Return the numbers of candidates and of negatives, which are fewer."""
    items = check_count("items", items, 2, MOST_ITEMS)
    negatives = check_count("negatives", negatives, 1, max(MOST_NEGATIVES, items))
    if items <= negatives:
        raise UserError(
            f"items is {items:,} and negatives {negatives:,}, expected more items than negatives; give the number of "
            "candidates of the full ranking"
        )
    return items, check_count("negatives", negatives, 1, MOST_NEGATIVES)


def asked_once(metrics: str | Iterable[str]) -> list[Asked]:
    """Return the metrics that names stand for, each once."""
    asked = parse_metrics([metrics] if isinstance(metrics, str) else metrics)
    return list({each.column: each for each in asked}.values())


def definitions_of(asked: list[Asked]) -> tuple[Definitions, list[Cutoff]]:
    """Return what ``parse_metrics`` found as definitions and cut-offs."""
    return {each.name: METRICS.named(each.name) for each in asked}, list(dict.fromkeys(each.k for each in asked))


def percent(share: float) -> str:
    return f"{100 * share:.12g}%"
