"""Apply named metrics at all cut-offs to a rank table, and summarise over users."""

from dataclasses import dataclass

import numpy as np

from truerank.registry import METRICS

Z_95 = 1.959963984540054


def evaluate(judged, metrics, cutoffs):
    """Return the per-user values of every metric at every cut-off, by column name ``metric@k``.

    metrics : name -> definition as in the config, ``{"kind": .., settings}``. cutoffs : numbers and "all". A metric
    that has no cut-off is given once, at "all". Undefined values are NaN.
    """
    cutoffs = sorted(cutoffs, key=as_number)
    k = np.array([as_number(cutoff) for cutoff in cutoffs])
    columns = {}
    for name, definition in metrics.items():
        entry = METRICS[definition["kind"]]
        settings = {key: value for key, value in definition.items() if key != "kind"}
        if entry.has_cutoff:
            values = entry.make(judged, k=k, **settings)
            columns |= {f"{name}@{cutoff}": values[:, i] for i, cutoff in enumerate(cutoffs)}
        else:
            columns[f"{name}@all"] = entry.make(judged, **settings)
    return columns


def as_number(cutoff):
    return np.inf if cutoff == "all" else float(cutoff)


@dataclass(frozen=True)
class Mean:
    """A mean over users with its 95 % interval, the users it is over, and how many of them were undefined."""

    value: float
    ci_low: float
    ci_high: float
    users: int
    undefined: int


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
