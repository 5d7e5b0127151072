"""Sums of additive metrics for many subsets of the judgements: what no subset changes is computed once."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from truerank.meta.compiled.sums import count_kept, weighted_sums
from truerank.meta.groups_of_users import Groups
from truerank.metrics._core.additive import Additive
from truerank.metrics._core.evaluation import in_order
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.norms import KeptCounts, OfKept
from truerank.registry import METRICS, Cutoff, Definition, Definitions


def adds_up(definition: Definition) -> bool:
    """Tell whether a metric is stated as terms and a norm, as ``additive`` does it."""
    return METRICS.of(definition).facts.additive is not None


class Sweep:
    """The sums over users of additive ``metrics`` (name -> definition) for all systems, under any subset of the
    judgements.

    judged : the rank table of every system, of the same test rows. ``columns`` are ``metric@k``. groups : of users,
    whose sums are kept apart. Where less is better, undefined users are left out whatever ``undefined_users`` says.
    """

    def __init__(
        self,
        judged: Sequence[JudgedRanks],
        metrics: Definitions,
        cutoffs: Collection[Cutoff],
        undefined_users: str = "zero",
        groups: Groups | None = None,
    ) -> None:
        names, k = in_order(cutoffs)
        entries = [METRICS.of(definition) for definition in metrics.values()]
        if k[-1] < np.inf and not all(entry.has_cutoff for entry in entries):
            k = np.append(k, np.inf)
        self.judged, self.shape = judged[0], (len(metrics), len(k))
        self.groups = groups or Groups.of(len(judged[0].users))
        self.columns: list[str] = []
        self.cells: list[tuple[int, int]] = []
        self.norms: list[OfKept] = []
        self.stated: list[tuple[Additive, dict[str, Any]]] = []
        for place, (entry, (name, definition)) in enumerate(zip(entries, metrics.items(), strict=True)):
            for c, cutoff in enumerate(names) if entry.has_cutoff else [(len(k) - 1, "all")]:
                self.columns.append(f"{name}@{cutoff}")
                self.cells.append((place, c))
            settings = entry.defaults | METRICS.settings(definition)
            self.norms.append(entry.facts.additive.norm(judged[0], k, **settings))
            self.stated.append((entry.facts.additive, settings))
        drops = [undefined_users == "drop" or not entry.facts.higher_is_better for entry in entries]
        self.drops = np.array(drops, bool)
        self.systems = [self.rows_within(table, k) for table in judged]

    def sums(self, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return sums over groups of users, columns x systems x groups, and of how many users, columns x 1 x groups.

        keep : mask over the rows as they were given.
        """
        mask = keep[self.judged.order]
        counts = count_kept(self.judged.row, self.judged.relevant, mask, len(self.judged.users))
        weight = np.zeros((len(self.judged.users), *self.shape))
        for place, norm in enumerate(self.norms):
            of_users = norm(KeptCounts(mask, *counts))
            np.divide(1.0, of_users, where=of_users > 0, out=weight[:, place])
        defined = np.add.reduceat((weight > 0).astype(float), self.groups.starts, axis=0)
        n_users = np.where(self.drops[:, None], defined, self.groups.sizes[:, None, None])
        found = [weighted_sums(*rows, keep, *counts, weight, self.groups.of_user) for rows in self.systems]
        metric, cutoff = np.array(self.cells, int).reshape(-1, 2).T
        of_cells = np.stack([total[:, metric, cutoff].T for total in found], axis=1)
        return of_cells, n_users[:, metric, cutoff].T[:, None]

    def rows_within(self, table: JudgedRanks, k: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the rows within the last cut-off, and the terms of all metrics, as ``weighted_sums`` takes them."""
        terms = [
            (m, term) for m, (parts, settings) in enumerate(self.stated) for term in parts.terms_of(table, settings)
        ]
        near = table.rank <= k[-1]
        values = np.empty((near.sum(), len(terms)))
        for place, (_, term) in enumerate(terms):
            values[:, place] = term.values[near]
        factor, metric = (np.array(codes, int) for codes in ([t.factor for _, t in terms], [m for m, _ in terms]))
        rank = table.rank[near]
        rows = table.row[near], table.order[near], rank, np.searchsorted(k, rank), table.relevant[near]
        return *rows, values, factor, metric
