"""How well each metric tells models apart: the sum of p-values, the criterion, and the set of the best."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from truerank.core.measured import Measured
from truerank.meta.best_set import best_set
from truerank.meta.criterion import UserScores
from truerank.meta.flips import columns_of
from truerank.meta.power_interval import power_interval
from truerank.meta.resampling import stability
from truerank.meta.significance import Comparison, holm

POWER = ["metric", "k", "dp", "dp_ordered", "same_pairs", "dp_low", "dp_high", "separated"]
POWER += ["criterion", "criterion_se", "in_best_set"]
BEST_SET = ["metric", "k", "judges", "distance", "critical", "stability"]
ALPHA = 0.05  # after Holm's adjustment
Pair = frozenset[str]


@dataclass(frozen=True)
class Power:
    """Frames with the columns POWER and BEST_SET, the latter of metrics of rankings only."""

    power: pd.DataFrame
    best: pd.DataFrame


def power_of(
    tables: Sequence[Measured],
    tested: Sequence[Comparison],
    alike: Collection[Pair],
    rng: np.random.Generator,
    threads: int = 1,
) -> Power:
    """Return how well every metric tells the models apart.

    ``dp`` is the sum of p over the pairs that are not one system twice, ``dp_ordered`` twice the sum over all pairs, as
    papers print it. ``dp_low`` and ``dp_high`` are for another sample of as many users. The best set is among metrics
    with a cut-off, and again among those of the whole ranking; lists and errors have none. alike : pairs of models
    whose lists are the same for every user. Where a metric has no pair, all is null.
    """
    frame = pd.DataFrame(
        [sums(table, found, alike, rng) for table, found in zip(tables, tested, strict=True)], columns=POWER[:8]
    )
    judged = [place for place, table in enumerate(tables) if table.judges and table.values.shape[1] > 1]
    chosen = [tables[place] for place in judged]
    scores = UserScores([table.values for table in chosen], [table.undefined_users for table in chosen])
    found = scores.criterion(threads=threads)
    sets = {
        judges: np.array([place for place, table in enumerate(chosen) if table.judges == judges], int)
        for judges in dict.fromkeys(table.judges for table in chosen)
    }
    best = pd.DataFrame([(t.metric, t.k, t.judges) for t in chosen], columns=BEST_SET[:3])
    inside = np.full(len(tables), None, object)
    for of in sets.values():
        own = best_set(found.values[of], found.covariance[np.ix_(of, of)], rng)
        best.loc[of, ["distance", "critical"]] = np.column_stack([own.distance, own.critical])
        inside[np.array(judged)[of]] = own.inside.astype(object)
    best["stability"] = stability(scores, list(sets.values()), rng, threads=threads)
    for name, values in (("criterion", found.values), ("criterion_se", found.errors)):
        frame[name] = np.nan
        frame.loc[judged, name] = values
    return Power(frame.assign(in_best_set=inside)[POWER], best.reindex(columns=BEST_SET))


def sums(table: Measured, found: Comparison, alike: Collection[Pair], rng: np.random.Generator) -> tuple:
    """Return the sums of p of one metric, by the columns of POWER."""
    if not len(found.left):
        return table.metric, table.k, np.nan, np.nan, 0, np.nan, np.nan, 0
    columns = columns_of(table.tested, table.undefined_users)
    same = same_pairs(table, found, alike)
    low, high = power_interval(columns, ~same, rng)
    separated = int((holm(found.p_value) < ALPHA).sum())
    p_value = found.p_value
    return table.metric, table.k, p_value[~same].sum(), 2 * p_value.sum(), int(same.sum()), low, high, separated


def same_pairs(table: Measured, found: Comparison, alike: Collection[Pair]) -> np.ndarray:
    """Tell which pairs are one system twice: their lists are the same, and so are all values of this metric."""

    def same(a: int, b: int) -> bool:
        listed = frozenset((table.models[a], table.models[b])) in alike
        return listed and np.array_equal(table.values[:, a], table.values[:, b], equal_nan=True)

    return np.array([same(a, b) for a, b in zip(found.left, found.right, strict=True)], bool)


def alike_by_values(tables: Sequence[Measured]) -> set[Pair]:
    """Return the pairs of models that have the same values for every user under every metric."""
    models = dict.fromkeys(model for table in tables for model in table.models)
    differ: set[Pair] = set()
    for table in tables:
        for a, one in enumerate(table.models):
            for b, other in enumerate(table.models[:a]):
                if not np.array_equal(table.values[:, a], table.values[:, b], equal_nan=True):
                    differ.add(frozenset((one, other)))
    pairs = {frozenset((one, other)) for one in models for other in models if one != other}
    return pairs - differ
