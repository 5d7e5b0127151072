"""Apply named metrics at all cut-offs to what a model gave, and summarise over users.

Metrics come as in the config, name -> ``{"kind": .., settings}``, cut-offs as numbers and "all". Values are kept by
column, ``metric@k``; a metric that has no cut-off has one column, at "all".
"""

from dataclasses import dataclass

import numpy as np

from truerank.metrics.listed import Bound
from truerank.registry import METRICS

Z_95 = 1.959963984540054


def evaluate(judged, metrics, cutoffs, listed=None):
    """Return the values of every metric at every cut-off: arrays over users, NaN where undefined, or for a whole system
    numbers.

    Left out is what the model or the data cannot give (there are no predictions, lists or attributes), and what is made
    of other metrics' means, which ``summarise`` adds. Relevance has been decided in ``judged``. A user with a test item
    that has no prediction is undefined under all metrics of predictions.
    """
    _, k = in_order(cutoffs)
    predicted = None if judged.prediction is None else judged
    evidence = {"ranks": judged, "predictions": predicted, "lists": listed, "values": None}
    values = {}
    for name, definition in metrics.items():
        entry = METRICS.of(definition)
        found = evidence[needs(entry)]
        at = {"k": k} if entry.has_cutoff else {}
        of_metric = None if found is None else entry.make(found, **at, **METRICS.settings(definition))
        if of_metric is not None:
            if needs(entry) == "predictions":
                of_metric[judged.unpredicted] = np.nan
            values |= by_column(name, definition, of_metric, cutoffs)
    return values


def summarise(values, metrics, cutoffs, undefined_users="zero", listed=None):
    """Return the mean of every column of ``evaluate``, in the order of ``metrics``, and those made of other means."""
    means = {}
    for name, definition in metrics.items():
        policy = policy_of(definition, undefined_users)
        for column in columns_of(name, definition, cutoffs):
            if column in values:
                found = values[column]
                means[column] = mean_over_users(found, policy) if is_per_user(definition) else Mean(float(found))
    for name, definition in metrics.items():
        if needs(METRICS.of(definition)) == "values":
            means |= combine(name, definition, means, metrics, cutoffs, listed)
    order = (column for name, definition in metrics.items() for column in columns_of(name, definition, cutoffs))
    return {column: means[column] for column in order if column in means}


def combine(name, definition, means, metrics, cutoffs, listed):
    """Return the means of a metric that is made of others, none where the model lacks one of them."""
    k = in_order(cutoffs)[1]
    shares = {}
    for member in members(definition):
        columns = columns_of(member, metrics[member], cutoffs)
        if columns[0] not in means:
            return {}
        high = METRICS.of(metrics[member]).facts.range[1]
        bound = high.at(listed, k) if isinstance(high, Bound) else high
        shares[member] = np.array([means[column].value for column in columns]) / bound
    found = METRICS.of(definition).make(shares, k=k, **METRICS.settings(definition))
    return {column: Mean(float(value)) for column, value in by_column(name, definition, found, cutoffs).items()}


def members(definition):
    """Return the names of the metrics that a metric is made of."""
    return definition.get("of", METRICS.of(definition).settings["of"].default)


def needs(entry):
    return entry.facts.needs


def is_per_user(definition):
    return METRICS.of(definition).facts.per == "user"


def policy_of(definition, undefined_users):
    """Return what becomes of undefined users: where less is better they are left out, since 0 would be the best."""
    return undefined_users if METRICS.of(definition).facts.higher_is_better else "drop"


def in_order(cutoffs):
    """Return the cut-offs ascending, as names and as numbers."""
    cutoffs = sorted(cutoffs, key=as_number)
    return cutoffs, np.array([as_number(cutoff) for cutoff in cutoffs])


def as_number(cutoff):
    return np.inf if cutoff == "all" else float(cutoff)


def columns_of(name, definition, cutoffs):
    has_cutoff = METRICS.of(definition).has_cutoff
    return [f"{name}@{cutoff}" for cutoff in (in_order(cutoffs)[0] if has_cutoff else ["all"])]


def by_column(name, definition, values, cutoffs):
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


def mean_over_users(values, undefined_users="zero"):
    r"""Average per-user values, undefined ones counted as 0 (``zero``) or left out (``drop``).

    The interval is :math:`\bar x \pm 1.96\, s / \sqrt{n}`: over users as a sample of users like them. One user has no
    interval, and no user no mean: NaN.
    """
    missing = np.isnan(values)
    used = values[~missing] if undefined_users == "drop" else np.where(missing, 0, values)
    n = len(used)
    mean = used.mean() if n else np.nan
    half = Z_95 * used.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    return Mean(mean, mean - half, mean + half, n, int(missing.sum()))
