"""Means of additive metrics for many subsets of the judgements: what no subset changes is computed once."""

import numpy as np

from truerank.meta.norms import kept
from truerank.meta.sums import weighted_sums
from truerank.metrics.evaluation import in_order


class Sweep:
    """The means over users of ``metrics`` (name -> Additive) for all systems, under any subset of the judgements.

    judged : the rank table of every system, of the same test rows. ``columns`` are ``metric@k``. Where less is better,
    undefined users are left out whatever ``undefined_users`` says.
    """

    def __init__(self, judged, metrics, cutoffs, undefined_users="zero"):
        names, k = in_order(cutoffs)
        if k[-1] < np.inf and not all(metric.has_cutoff for metric in metrics.values()):
            k = np.append(k, np.inf)
        self.judged, self.shape = judged[0], (len(metrics), len(k))
        self.columns, self.cells = [], []
        for place, (name, metric) in enumerate(metrics.items()):
            for c, cutoff in enumerate(names) if metric.has_cutoff else [(len(k) - 1, "all")]:
                self.columns.append(f"{name}@{cutoff}")
                self.cells.append((place, c))
        self.norms = [metric.norm(judged[0], k) for metric in metrics.values()]
        self.drops = np.array([undefined_users == "drop" or not m.higher_is_better for m in metrics.values()], bool)
        terms = [(place, *term) for place, metric in enumerate(metrics.values()) for term in metric.terms]
        self.metric, self.factor = (np.array([term[i] for term in terms], int) for i in (0, 2))
        self.systems = [rows_within(table, k, [values for _, values, _ in terms]) for table in judged]

    def means(self, keep):
        """Return systems x columns. keep : mask over the rows as they were given. NaN where nobody is defined."""
        left = kept(self.judged, keep[self.judged.order])
        weight = np.zeros((len(self.judged.users), *self.shape))
        for place, norm in enumerate(self.norms):
            of_users = norm(left)
            np.divide(1.0, of_users, where=of_users > 0, out=weight[:, place])
        n_users = np.where(self.drops[:, None], (weight > 0).sum(axis=0), len(self.judged.users))
        found = np.empty((len(self.systems), len(self.cells)))
        for place, (rows, values) in enumerate(self.systems):
            counts = left.n_relevant, left.n_other
            total = weighted_sums(*rows, keep, values, self.factor, self.metric, *counts, weight)
            with np.errstate(invalid="ignore"):
                mean = total / n_users
            found[place] = [mean[cell] for cell in self.cells]
        return found


def rows_within(table, k, functions):
    """Return the rows within the last cut-off as ``weighted_sums`` takes them, and their values, rows x terms."""
    near = table.rank <= k[-1]
    values = np.empty((near.sum(), len(functions)))
    for place, function in enumerate(functions):
        values[:, place] = function(table)[near]
    return (table.row[near], table.order[near], np.searchsorted(k, table.rank[near]), table.relevant[near]), values
