"""Bounds of named metrics at cut-offs."""

from collections.abc import Iterable

import numpy as np

from truerank.bounding.designs import Design
from truerank.bounding.laws import ASSUMPTIONS, Metric
from truerank.bounding.program import Limits
from truerank.bounding.search import ENOUGH, Search
from truerank.metrics._core.single import metric_of_rank
from truerank.registry import Cutoff, Definition

Wanted = tuple[str, Definition, Cutoff]  # name, definition and cut-off


def metric_bounds(
    design: Design,
    limits: Limits,
    wanted: Iterable[Wanted],
    assume: str | None = None,
    enough: float = ENOUGH,
) -> list[tuple[float, float]]:
    """Return the least and the most of each metric over all laws of exact ranks that what is known admits.

    assume : a key of ``ASSUMPTIONS``. enough : by how much cells may widen a bound, as a share of the metric's range.
    Raises ``NoLawError`` where no law is admitted.
    """
    wanted = list(wanted)
    search = Search(ASSUMPTIONS[assume](design), limits, [k for _, _, k in wanted if isinstance(k, int)], enough)
    return [search.bounds(function_of_rank(*each, design.n_items)) for each in wanted]


def function_of_rank(name: str, definition: Definition, k: Cutoff, n_items: int) -> Metric:
    """Return F(R), a metric of one relevant item among N candidates."""

    def values(rank: np.ndarray) -> np.ndarray:
        (found,) = metric_of_rank({name: definition}, [k], rank, n_items).values()
        return found

    return values
