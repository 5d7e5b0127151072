"""Apply named metrics at all cut-offs to what a model gave, and summarise over users."""

from dataclasses import dataclass

import numpy as np

from truerank.metrics.listed import Bound
from truerank.registry import METRICS

Z_95 = 1.959963984540054


def evaluate(judged, metrics, cutoffs, listed=None):
    """Return the values of every metric at every cut-off, by column name ``metric@k``.

    metrics : name -> definition as in the config, ``{"kind": .., settings}``; the rule of relevance is in ``judged``
    already. cutoffs : numbers and "all". A metric that has no cut-off is given once, at "all". Values are arrays over
    users, NaN where undefined, or numbers for a whole system. A metric is left out where model or data cannot give it:
    there are no predictions, lists or attributes; or where it is made of other metrics' means (``combine``).
    """
    cutoffs, k = in_order(cutoffs)
    predicted = None if judged.prediction is None else judged
    evidence = {"ranks": judged, "predictions": predicted, "lists": listed, "values": None}
    columns = {}
    for name, definition in metrics.items():
        entry = METRICS[definition["kind"]]
        found = evidence[entry.facts.get("needs", "ranks")]
        values = None if found is None else entry.make(found, **cutoff_of(entry, k), **settings_of(definition))
        if values is not None:
            columns |= by_column(name, entry, values, cutoffs)
    return columns


def combine(means, metrics, cutoffs, listed=None):
    """Return the values of the metrics that are made of other metrics' means, by column name.

    means : column name -> mean. One that is made of a metric that the model does not have is left out.
    """
    cutoffs, k = in_order(cutoffs)
    shares = {
        name: np.array([means[column] for column in columns_of(name, definition, cutoffs)]) / upper_bound(entry, listed, k)
        for name, definition in metrics.items()
        for entry in [METRICS[definition["kind"]]]
        if columns_of(name, definition, cutoffs)[0] in means
    }
    columns = {}
    for name, definition in metrics.items():
        entry = METRICS[definition["kind"]]
        if entry.facts.get("needs") == "values" and not set(members(definition)) - set(shares):
            columns |= by_column(name, entry, entry.make(shares, k=k, **settings_of(definition)), cutoffs)
    return columns


def members(definition):
    """Return the metrics whose means a metric is made of."""
    return definition.get("of", METRICS[definition["kind"]].settings["of"].default)


def upper_bound(entry, listed, k):
    high = entry.facts["range"][1]
    return high.at(listed, k) if isinstance(high, Bound) else high


def in_order(cutoffs):
    """Return the cut-offs ascending, as names and as numbers."""
    cutoffs = sorted(cutoffs, key=as_number)
    return cutoffs, np.array([as_number(cutoff) for cutoff in cutoffs])


def as_number(cutoff):
    return np.inf if cutoff == "all" else float(cutoff)


def settings_of(definition):
    return {key: value for key, value in definition.items() if key not in ("kind", "relevance")}


def cutoff_of(entry, k):
    return {"k": k} if entry.has_cutoff else {}


def columns_of(name, definition, cutoffs):
    """Return the names of a metric's columns; one without a cut-off has one, at "all"."""
    has_cutoff = METRICS[definition["kind"]].has_cutoff
    return [f"{name}@{cutoff}" for cutoff in (in_order(cutoffs)[0] if has_cutoff else ["all"])]


def by_column(name, entry, values, cutoffs):
    if not entry.has_cutoff:
        return {f"{name}@all": values}
    return {f"{name}@{cutoff}": values[..., i] for i, cutoff in enumerate(cutoffs)}


@dataclass(frozen=True)
class Mean:
    """A mean over users with its 95 % interval, the users it is over, and how many of them were undefined."""

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
