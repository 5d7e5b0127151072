"""Sums of additive metrics for many subsets of the judgements: what no subset changes is computed once."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from truerank.meta.compiled.sums import add_weighted_sums, count_kept
from truerank.meta.groups_of_users import Groups
from truerank.metrics._core.additive import Additive
from truerank.metrics._core.evaluation import in_order
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.norms import KeptCounts, OfKept
from truerank.registry import METRICS, Cutoff, Definition, Definitions

USERS_PER_PART = 512  # whose weights, for ten metrics at ten cut-offs, fit into the second-level cache


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
        self.judged, self.shape = judged[0], (len(k), len(metrics))
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
        parts = np.arange(0, len(self.judged.users) + USERS_PER_PART, USERS_PER_PART)
        self.starts = [np.searchsorted(rows[0], parts) for rows in self.systems]

    def sums(self, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return sums over groups of users, columns x systems x groups, and of how many users, columns x 1 x groups.

        keep : mask over the rows as they were given.
        """
        mask = keep[self.judged.order]
        counts = count_kept(self.judged.row, self.judged.relevant, mask, len(self.judged.users))
        weight = np.empty((len(self.judged.users), *self.shape))
        n_users = np.empty((len(self.groups.sizes), *self.shape))
        n_users[:] = self.groups.sizes[:, None, None]
        for place, norm in enumerate(self.norms):
            of_users = norm(KeptCounts(mask, *counts))
            if of_users.strides[1] == 0:  # the same at every cut-off
                of_users = of_users[:, :1]
            defined = of_users > 0
            weight[:, :, place] = defined / np.where(defined, of_users, 1)
            if self.drops[place]:
                n_users[:, :, place] = np.add.reduceat(defined.astype(float), self.groups.starts, axis=0)
        found = np.zeros((len(self.systems), *n_users.shape))
        for part in range(len(self.starts[0]) - 1):  # one after the other, so that their weights stay in the cache
            for starts, rows, total in zip(self.starts, self.systems, found, strict=True):
                own = starts[part], starts[part + 1], *rows
                add_weighted_sums(*own, keep, *counts, weight, self.groups.of_user, total)
        metric, cutoff = np.array(self.cells, int).reshape(-1, 2).T
        of_cells = found[:, :, cutoff, metric].transpose(2, 0, 1)
        return of_cells, n_users[:, cutoff, metric].T[:, None]

    def rows_within(self, table: JudgedRanks, k: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the rows within the last cut-off, and the terms of all metrics, as ``weighted_sums`` takes them."""
        terms = [
            (m, term) for m, (parts, settings) in enumerate(self.stated) for term in parts.terms_of(table, settings)
        ]
        near = table.rank <= k[-1]
        values, column = different([term.values[near] for _, term in terms], int(near.sum()))
        stated = column, [term.factor for _, term in terms], [place for place, _ in terms]
        codes = [np.array(each, np.uint64) for each in stated]  # without a sign, which would be looked at
        rank, relevant = table.rank[near], table.relevant[near]
        columns = table.row[near], table.order[near], rank, np.searchsorted(k, rank)
        narrow = (column.astype(np.int32) for column in columns)  # half as much to read, for every subset
        of_others = np.flatnonzero(values[~relevant].any(axis=0)[column])
        return *narrow, relevant, values, *codes, of_others.astype(np.uint64)


def different(columns: Sequence[np.ndarray], n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return columns without those that repeat another, side by side, and where each of all is: less to read."""
    found: list[np.ndarray] = []
    place = []
    for column in columns:
        same = (at for at, other in enumerate(found) if np.array_equal(column, other))
        place.append(next(same, len(found)))
        if place[-1] == len(found):
            found.append(column)
    return np.column_stack([np.empty((n_rows, 0)), *found]), np.array(place, int)
