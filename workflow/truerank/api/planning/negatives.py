"""How many negatives identify a metric."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from truerank.api.bounds import limits_of
from truerank.api.checks import asked_once, check_between, check_confidence, check_count, check_design, percent
from truerank.api.planning.exact_ranks import exact_ranks
from truerank.api.ranks import sampled_ranks
from truerank.api.results import Result
from truerank.bounding.designs import Uniform
from truerank.bounding.planning import MOST_NEGATIVES, negatives_for, smallest_cutoff
from truerank.bounding.program import Limits
from truerank.estimators._core.histogram import histogram
from truerank.estimators._core.make import make_estimator
from truerank.estimators._core.problem import Problem
from truerank.registry import METRICS

MOST_USERS = 50_000_000


@dataclass(frozen=True)
class PlannedNegatives(Result):
    """Negatives to sample.

    plan : metric, k, width, negatives, low, high: the least number of negatives whose bounds are no wider, null if no
    number is, and the bounds then. identified : negatives, metric, k, low, high: of the sample that was given, the
    smallest cut-off from which on the bounds of recall are no wider; no row if exact ranks were given.
    """

    plan: pd.DataFrame
    identified: pd.DataFrame
    notes: tuple[str, ...] = ()


def plan(
    ranks: Any,
    metrics: Iterable[str] = ("recall@10",),
    width: float = 0.05,
    items: int | None = None,
    negatives: int | None = None,
    users: int | None = None,
    confidence: float = 0.95,
    replace: bool = False,
) -> PlannedNegatives:
    """Return how many uniform negatives narrow the bounds of each metric to ``width``, on data such as these.

    ranks : exact ranks among ``items`` candidates, or with ``negatives`` ranks among so many sampled ones, whose exact
    counterparts are then taken to follow the law that ``monotone_mle`` fits. An array, a path, or a frame with ``rank``
    and perhaps ``candidates``, whose mean is ``items`` if that is not given. users : how many there will be, as many as
    ranks are given if None. Bounds are those of ``tr.bounds`` for a sample that is as expected.

    >>> import truerank as tr
    >>> found = tr.plan("negatives", [1, 3, 9, 40, 200] * 400, items=1000, width=0.2)
    >>> found.plan[["metric", "k", "width", "negatives"]]
       metric   k  width  negatives
    0  recall  10    0.2        673
    """
    check_between("width", width, 0, 1)
    check_confidence(confidence)
    asked = asked_once(metrics)
    if negatives is None:
        rank, items = exact_ranks(ranks, items)
        n = len(rank)
        rank, counts = np.unique(rank, return_counts=True)
        share = counts / n
        identified = pd.DataFrame(columns=["negatives", "metric", "k", "low", "high"])
        notes = [f"{n:,} exact ranks among {items:,} candidates"]
    else:
        items, negatives = check_design(items, negatives)
        seen = sampled_ranks(ranks, negatives)
        n = seen.n_users
        problem = Problem(items, histogram(seen.rank, negatives))
        share = make_estimator({"kind": "monotone_mle"}).fit(problem)
        rank = (problem.support.first + problem.support.last) // 2
        design = Uniform(items, negatives, replace)
        identified = smallest_identified(design, limits_of(seen, design, (), confidence), width)
        notes = [
            f"{n:,} users ranked among {negatives:,} of {items:,} candidates; exact ranks are assumed to follow the "
            "distribution that monotone_mle fits, which never increases with the rank"
        ]
        notes += smallest_sentence(identified, width)
    n = n if users is None else check_count("users", users, 1, MOST_USERS)
    rows = []
    for each in asked:
        wanted = each.name, METRICS.named(each.name), each.k
        found, ends = negatives_for(items, rank, share, n, wanted, width, confidence, replace)
        rows.append((each.name, str(each.k), width, found, *ends))
        if found is None:
            notes.append(unreachable(each.column, items, n, ends, width))
    frame = pd.DataFrame(rows, columns=["metric", "k", "width", "negatives", "low", "high"])
    notes.append(f"bounds of {n:,} users at {percent(confidence)} confidence, for any distribution of exact ranks")
    notes += [each.note for each in asked if each.note]
    return PlannedNegatives(frame.astype({"negatives": "Int64"}), identified, tuple(notes))


def smallest_identified(design: Uniform, limits: Limits, width: float) -> pd.DataFrame:
    """Return one row: the smallest k from which on the sample identifies recall to the width."""
    k, ends = smallest_cutoff(design, limits, "recall", width)
    row = (design.negatives, "recall", str(k), *ends)
    return pd.DataFrame([row], columns=["negatives", "metric", "k", "low", "high"])


def smallest_sentence(identified: pd.DataFrame, width: float) -> list[str]:
    return [
        f"this sample identifies recall@k to {width:g} from k = {row.k} on, where it is {row.low:.4f} to {row.high:.4f}"
        for row in identified.itertuples(index=False)
    ]


def unreachable(name: str, items: int, n: int, ends: tuple[float, float], width: float) -> str:
    """Say why no number of negatives is enough."""
    most = min(items - 1, MOST_NEGATIVES)
    which = "even all other candidates" if most == items - 1 else f"even {most:,} negatives"
    remedy = "take more users, or a larger width" if most == items - 1 else "take a larger width or rank all candidates"
    left = f"bounds of {ends[0]:.4f} to {ends[1]:.4f} with {n:,} users"
    return f"{name}: {which} leave {left}, more than {width:g}; {remedy}"
