"""How many negatives make bounds as narrow as wanted, and the smallest cut-off that a sample identifies."""

from collections.abc import Callable, Sequence

import numpy as np

from truerank.bounding.designs import Design, Uniform
from truerank.bounding.limits import limits_of_ranks, outcomes_near
from truerank.bounding.metrics import Wanted, metric_bounds
from truerank.bounding.program import Limits
from truerank.bounding.search import ENOUGH
from truerank.ranking.shards import blocks
from truerank.registry import METRICS

CELLS_PER_BLOCK = 1 << 21
FIRST = 10  # negatives or cut-off that a search begins with, and doubles
STEP = 0.8  # of cut-offs that are tried one after the other
PRECISION = 0.02  # of the number that is found, relative
MOST_NEGATIVES = 10_000
Ends = tuple[float, float]


def law_of_outcomes(design: Design, rank: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return the law of what is seen if exact ranks have the given shares."""
    law = np.zeros(design.n_outcomes)
    for rows in blocks(len(rank), max(1, CELLS_PER_BLOCK // design.n_outcomes)):
        law += share[rows] @ design.best(rank[rows])
    return law / law.sum()


def expected_bounds(
    design: Design,
    rank: np.ndarray,
    share: np.ndarray,
    n: int,
    wanted: Sequence[Wanted],
    confidence: float,
    enough: float = ENOUGH,
) -> list[Ends]:
    """Return the bounds of metrics from n ranks that are seen as often as expected. enough : of ``metric_bounds``."""
    below = np.rint(n * np.cumsum(law_of_outcomes(design, rank, share))).astype(np.int64)
    limits = limits_of_ranks(np.diff(below, prepend=0), confidence, outcomes_near(design, [k for *_, k in wanted]))
    return metric_bounds(design, limits, wanted, enough=enough)


def negatives_for(
    n_items: int,
    rank: np.ndarray,
    share: np.ndarray,
    n: int,
    wanted: Wanted,
    width: float,
    confidence: float,
    replace: bool = False,
) -> tuple[int | None, Ends]:
    """Return the least number of negatives whose expected bounds are at most ``width`` wide, and the bounds.

    rank, share : the law of exact ranks among N items. n : ranks that will be seen. None, with the bounds of the most
    that were tried, where no number up to N - 1 or 10,000 does. Found by doubling and halving, to 2 %.
    """
    most = min(n_items - 1, MOST_NEGATIVES)

    def ends(negatives: int) -> Ends:
        return expected_bounds(Uniform(n_items, negatives, replace), rank, share, n, [wanted], confidence)[0]

    return least_number(ends, width, most)


def smallest_cutoff(
    design: Design, limits: Limits, metric: str, width: float, assume: str | None = None
) -> tuple[int, Ends]:
    """Return the smallest k from which on the bounds of a metric are at most ``width`` wide, and the bounds there.

    Found from N down in steps of a fifth, then by halving, to 2 %. At the head bounds may be narrow again, where all
    that is known is that the metric is small.
    """

    def ends(k: int) -> Ends:
        return metric_bounds(design, limits, [(metric, METRICS.named(metric), k)], assume)[0]

    high = design.n_items
    found, low = ends(high), int(STEP * high)
    while low:
        at_low = ends(low)
        if at_low[1] - at_low[0] > width:
            break
        high, found, low = low, at_low, int(STEP * low)
    return halved(ends, width, low, high, found)


def least_number(ends: Callable[[int], Ends], width: float, most: int, first: int = FIRST) -> tuple[int | None, Ends]:
    """Return the least number, to 2 %, from which on bounds are narrow: doubled until they are, then halved back."""
    low, high = 0, min(first, most)
    found = ends(high)
    while found[1] - found[0] > width:
        if high == most:
            return None, found
        low, high = high, min(2 * high, most)
        found = ends(high)
    return halved(ends, width, low, high, found)


def halved(ends: Callable[[int], Ends], width: float, low: int, high: int, found: Ends) -> tuple[int, Ends]:
    """Return a number, to 2 %, where bounds are narrow that were wide before. low, high : where they are, or 0; found :
    the bounds at ``high``."""
    while high - low > max(1, PRECISION * high):
        middle = (low + high) // 2
        at_middle = ends(middle)
        if at_middle[1] - at_middle[0] <= width:
            high, found = middle, at_middle
        else:
            low = middle
    return high, found
