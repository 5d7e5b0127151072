"""How well each metric tells models apart: the sum of p-values, the criterion, and the set of the best."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from truerank.core.measured import Measured, Users
from truerank.meta.best_set import best_set
from truerank.meta.criterion import Criterion, UserScores
from truerank.meta.flips import columns_of, pairs_of
from truerank.meta.power_interval import GroupSums, power_interval
from truerank.meta.resampling import RESAMPLES, resampled, stability
from truerank.meta.significance import holm
from truerank.ranking.order import order_key

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
    users: Users,
    p_values: Sequence[np.ndarray],
    alike: Collection[Pair],
    again: Sequence[Criterion],
    rng: np.random.Generator,
    threads: int = 1,
) -> Power:
    """Return how well every metric tells the models apart.

    ``dp`` is the sum of p over the pairs that are not one system twice, ``dp_ordered`` twice the sum over all pairs, as
    papers print it. ``dp_low`` and ``dp_high`` are for another sample of as many users. The best set is among metrics
    with a cut-off, and again among those of the whole ranking; lists and errors have none. p_values : of all pairs, by
    metric. alike : pairs of models whose lists are the same for every user. again : as ``criteria_of_resamples``
    returns them. Where a metric has no pair, all is null.
    """
    of_groups, differ = of_all_users(users)
    summed = [
        sums(table, p, same_pairs(table, own, alike), groups, rng)
        for table, p, own, groups in zip(users.tables, p_values, differ, of_groups, strict=True)
    ]
    frame = pd.DataFrame(summed, columns=POWER[:8])
    judged = judging(users)
    chosen = [users.tables[place] for place in judged]
    found = scores_of(users).criterion(threads)
    sets = {
        judges: np.array([place for place, table in enumerate(chosen) if table.judges == judges], int)
        for judges in dict.fromkeys(table.judges for table in chosen)
    }
    best = pd.DataFrame([(t.metric, t.k, t.judges) for t in chosen], columns=BEST_SET[:3])
    inside = np.full(len(users.tables), None, object)
    for of in sets.values():
        own = best_set(found.values[of], found.covariance[np.ix_(of, of)], rng)
        best.loc[of, ["distance", "critical"]] = np.column_stack([own.distance, own.critical])
        inside[np.array(judged)[of]] = own.inside.astype(object)
    best["stability"] = stability(again, list(sets.values()), rng)
    for name, values in (("criterion", found.values), ("criterion_se", found.errors)):
        frame[name] = np.nan
        frame.loc[judged, name] = values
    return Power(frame.assign(in_best_set=inside)[POWER], best.reindex(columns=BEST_SET))


def judging(users: Users) -> list[int]:
    """Return the places of the metrics that have a criterion: those of rankings, of two models at least."""
    return [place for place, table in enumerate(users.tables) if table.judges and len(table.models) > 1]


def scores_of(users: Users) -> UserScores:
    """Return what the criterion is of."""
    judged = judging(users)
    policies = [users.tables[place].undefined_users for place in judged]
    return UserScores(users.view(lambda table: table.values, judged), policies)


def criteria_of_resamples(
    users: Users, rng: np.random.Generator, resamples: slice = slice(0, RESAMPLES), threads: int = 1
) -> list[Criterion]:
    """Return the criterion in resamples of the users, all of them or a slice as ``share_of_resamples`` cuts it."""
    return resampled(scores_of(users), order_key(rng), resamples, threads)


def of_all_users(users: Users) -> tuple[list[GroupSums], list[np.ndarray]]:
    """Return, per metric, the sums of groups of users, and which pairs have unlike values for anybody."""
    n_pairs = [len(table.models) * (len(table.models) - 1) // 2 for table in users.tables]
    of_groups, differ = [GroupSums(users.n, n) for n in n_pairs], [np.zeros(n, bool) for n in n_pairs]
    for _, tables in users.read():
        for table, groups, own in zip(tables, of_groups, differ, strict=True):
            groups.add(columns_of(table.tested, table.undefined_users))
            own |= unlike(table.values)
    return of_groups, differ


def unlike(values: np.ndarray) -> np.ndarray:
    """Tell which pairs of columns differ for anybody; undefined is like undefined."""
    left, right = pairs_of(values.shape[1])
    one, other = values[:, left], values[:, right]
    return ((one != other) & ~(np.isnan(one) & np.isnan(other))).any(axis=0)


def sums(table: Measured, p_value: np.ndarray, same: np.ndarray, groups: GroupSums, rng: np.random.Generator) -> tuple:
    """Return the sums of p of one metric, by the columns of POWER. same : pairs that are one system twice."""
    if not len(p_value):
        return table.metric, table.k, np.nan, np.nan, 0, np.nan, np.nan, 0
    low, high = power_interval(groups, ~same, rng)
    separated = int((holm(p_value) < ALPHA).sum())
    return table.metric, table.k, p_value[~same].sum(), 2 * p_value.sum(), int(same.sum()), low, high, separated


def same_pairs(table: Measured, differ: np.ndarray, alike: Collection[Pair]) -> np.ndarray:
    """Tell which pairs are one system twice: their lists are the same, and so are all values of this metric."""
    listed = [frozenset(pair) in alike for pair in combinations(table.models, 2)]
    return np.array(listed, bool) & ~differ


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
