"""Apply named metrics at all cut-offs to what a model gave, and summarise over users.

Metrics come as in the config, name -> ``{"kind": .., settings}``, cut-offs as numbers and "all". Values are kept by
column, ``metric@k``; a metric that has no cut-off has one column, at "all".
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from truerank.metrics._core.bounds import Bound, Extent
from truerank.metrics._core.intervals import LEVEL, interval_of
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.moments import Moments
from truerank.metrics._core.pooled import COUNT, Pooled
from truerank.metrics._core.relevance import scale_under
from truerank.registry import METRICS, Cutoff, Definition, Definitions, Entry, MetricFacts

if TYPE_CHECKING:
    from truerank.metrics._core.listed import TopLists


def evaluate(
    judged: JudgedRanks,
    metrics: Definitions,
    cutoffs: Collection[Cutoff],
    listed: "TopLists | None" = None,
    apart: bool = False,
) -> dict[str, Any]:
    """Return the values of every metric at every cut-off: arrays over users, NaN where undefined, or for a whole system
    numbers.

    Left out is what the model or the data cannot give (there are no predictions, lists or attributes), and what is made
    of other metrics' means, which ``summarise`` adds. Relevance has been decided in ``judged``. A user with a test item
    that has no prediction is undefined under all metrics of predictions. apart : whether metrics over all ratings are
    left as the sums of every user, two columns, as ``join`` takes them once all users are there.
    """
    _, k = in_order(cutoffs)
    predicted = None if judged.prediction is None else judged
    evidence = {"ranks": judged, "predictions": predicted, "lists": listed, "values": None}
    values: dict[str, Any] = {}
    for name, definition in metrics.items():
        entry = METRICS.of(definition)
        found = evidence[needs(entry)]
        if apart and entry.facts.pooled is not None and found is not None:
            (column,) = columns_of(name, definition, cutoffs)
            values |= dict(zip((column, column + COUNT), entry.facts.pooled.sums(judged), strict=True))
            continue
        at = {"k": k} if entry.has_cutoff else {}
        of_metric = None if found is None else entry.make(found, **at, **METRICS.settings(definition))
        if of_metric is not None:
            if needs(entry) == "predictions":
                of_metric[judged.unpredicted] = np.nan
            values |= by_column(name, definition, of_metric, cutoffs)
    return values


def totals_of(values: Mapping[str, Any], metrics: Definitions) -> dict[str, np.ndarray]:
    """Return, by column, the totals of sums that were left ``apart``; those of several parts of the users add up."""
    return {
        column: parts.totals(values[column], values[column + COUNT]) for column, parts in pooled_in(values, metrics)
    }


def join(
    values: Mapping[str, Any], metrics: Definitions, totals: Mapping[str, np.ndarray] | None = None
) -> dict[str, Any]:
    """Return values of users with sums that were left ``apart`` made into the contributions of every user.

    totals : of all users, as ``totals_of`` returns them, where these are some of the users.
    """
    found = {column: of for column, of in values.items() if not column.endswith(COUNT)}
    totals = totals_of(values, metrics) if totals is None else totals
    for column, parts in pooled_in(values, metrics):
        found[column] = parts.contributions(values[column], values[column + COUNT], totals[column])
    return found


def pooled_in(values: Mapping[str, Any], metrics: Definitions) -> list[tuple[str, Pooled]]:
    """Return the columns that are over all ratings, with what is summed for them."""
    pooled = {f"{name}@all": definition for name, definition in metrics.items() if is_pooled(definition)}
    return [(column, METRICS.of(pooled[column]).facts.pooled) for column in values if column in pooled]


def summarise(
    values: Mapping[str, Any],
    metrics: Definitions,
    cutoffs: Collection[Cutoff],
    undefined_users: str = "zero",
    extent: Extent | None = None,
) -> dict[str, "Mean"]:
    """Return the mean of every column of ``evaluate``, in the order of ``metrics``, and those made of other means.

    values : of users, or ``Counted`` where they are not all in memory. extent : what bounds of metrics depend on; if
    not given, such metrics have none.
    """
    means = {}
    for name, definition in metrics.items():
        policy = policy_of(definition, undefined_users)
        low, highs = limits(definition, cutoffs, extent)
        for column, high in zip(columns_of(name, definition, cutoffs), highs, strict=True):
            if column in values:
                found = values[column]
                per_user = is_per_user(definition)
                if per_user and not isinstance(found, Counted):
                    found = Counted.of(found, policy)
                means[column] = found.mean(policy, low, high) if per_user else Mean(float(found))
    for name, definition in metrics.items():
        if needs(METRICS.of(definition)) == "values":
            means |= combine(name, definition, means, metrics, cutoffs, extent)
    order = (column for name, definition in metrics.items() for column in columns_of(name, definition, cutoffs))
    return {column: means[column] for column in order if column in means}


def combine(
    name: str,
    definition: Definition,
    means: Mapping[str, "Mean"],
    metrics: Definitions,
    cutoffs: Collection[Cutoff],
    extent: Extent | None,
) -> dict[str, "Mean"]:
    """Return the means of a metric that is made of others, none where the model lacks one of them."""
    k = in_order(cutoffs)[1]
    shares = {}
    for member in members(definition):
        columns = columns_of(member, metrics[member], cutoffs)
        if columns[0] not in means:
            return {}
        bounds = limits(metrics[member], cutoffs, extent)[1]
        shares[member] = np.array([means[column].value for column in columns]) / bounds
    found = METRICS.of(definition).make(shares, k=k, **METRICS.settings(definition))
    return {column: Mean(float(value)) for column, value in by_column(name, definition, found, cutoffs).items()}


def limits(definition: Definition, cutoffs: Iterable[Cutoff], extent: Extent | None) -> tuple[float, np.ndarray]:
    """Return the lowest possible value of a metric, and the highest at every cut-off that it has."""
    entry = METRICS.of(definition)
    low, high = entry.facts.range
    k = in_order(cutoffs)[1] if entry.has_cutoff else np.array([np.inf])
    if isinstance(high, Bound):
        high = np.inf if extent is None else high.at(under_rule(definition, extent), k, **METRICS.settings(definition))
    return low, np.broadcast_to(high, len(k))


def under_rule(definition: Definition, extent: Extent) -> Extent:
    return replace(extent, scale=scale_under(definition.get("relevance", {}), extent.scale))


def members(definition: Definition) -> Sequence[str]:
    """Return the names of the metrics that a metric is made of."""
    return definition.get("of", METRICS.of(definition).settings["of"].default)


def needs(entry: Entry[MetricFacts]) -> str:
    return entry.facts.needs


def is_per_user(definition: Definition) -> bool:
    return METRICS.of(definition).facts.per == "user"


def is_pooled(definition: Definition) -> bool:
    """Tell whether a metric is one ratio over all test ratings."""
    return METRICS.of(definition).facts.pooled is not None


def policy_of(definition: Definition, undefined_users: str) -> str:
    """Return what becomes of undefined users: where less is better they are left out, since 0 would be the best."""
    return undefined_users if METRICS.of(definition).facts.higher_is_better else "drop"


def in_order(cutoffs: Iterable[Cutoff]) -> tuple[list[Cutoff], np.ndarray]:
    """Return the cut-offs ascending, as names and as numbers."""
    cutoffs = sorted(cutoffs, key=as_number)
    return cutoffs, np.array([as_number(cutoff) for cutoff in cutoffs])


def as_number(cutoff: Cutoff) -> float:
    return np.inf if cutoff == "all" else float(cutoff)


def columns_of(name: str, definition: Definition, cutoffs: Iterable[Cutoff]) -> list[str]:
    has_cutoff = METRICS.of(definition).has_cutoff
    return [f"{name}@{cutoff}" for cutoff in (in_order(cutoffs)[0] if has_cutoff else ["all"])]


def by_column(name: str, definition: Definition, values: np.ndarray, cutoffs: Iterable[Cutoff]) -> dict[str, Any]:
    columns = columns_of(name, definition, cutoffs)
    if not METRICS.of(definition).has_cutoff:
        return {columns[0]: values}
    return {column: values[..., i] for i, column in enumerate(columns)}


@dataclass(frozen=True)
class Mean:
    """A mean over users with its 95 % interval, the users it is over, and how many of them were undefined.

    The value of a whole system has no users and no interval.
    """

    value: float
    ci_low: float = np.nan
    ci_high: float = np.nan
    users: int | None = None
    undefined: int | None = None


class Counted(NamedTuple):
    """The values of users who count: their moments, and how many were undefined."""

    moments: Moments
    undefined: int

    @classmethod
    def of(cls, values: np.ndarray, undefined_users: str) -> "Counted":
        """Return those of some users, to which ``plus`` adds others."""
        missing = np.isnan(values)
        used = values[~missing] if undefined_users == "drop" else np.where(missing, 0, values)
        return cls(Moments.of(used), int(missing.sum()))

    def plus(self, other: "Counted") -> "Counted":
        return Counted(self.moments.plus(other.moments), self.undefined + other.undefined)

    def mean(self, undefined_users: str, low: float = -np.inf, high: float = np.inf, level: float = LEVEL) -> Mean:
        """Return the mean with its interval, as ``mean_over_users`` does."""
        possible = () if undefined_users == "drop" else (0.0,)
        ci_low, ci_high = map(float, interval_of(self.moments, low, high, possible, level))
        n = int(self.moments.n)
        return Mean(float(self.moments.mean) if n else np.nan, ci_low, ci_high, n, self.undefined)


def mean_over_users(
    values: np.ndarray,
    undefined_users: str = "zero",
    low: float = -np.inf,
    high: float = np.inf,
    level: float = LEVEL,
) -> Mean:
    """Average per-user values, undefined ones counted as 0 (``zero``) or left out (``drop``).

    The interval is ``mean_interval``'s, over users as a sample of users like them. low, high : the range of the metric.
    Where undefined users count as 0, that value is always possible. No user has no mean: NaN.
    """
    return Counted.of(values, undefined_users).mean(undefined_users, low, high, level)
