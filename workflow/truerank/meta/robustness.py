"""Does a metric order systems alike when judgements are missing? Sweeps over sparsity and popularity."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from truerank.meta.compiled.sums import taus
from truerank.meta.groups_of_users import Groups
from truerank.meta.kendall import DIGITS, tau_b
from truerank.meta.sweep import Sweep, adds_up
from truerank.meta.thinned import Thinned
from truerank.metrics._core.evaluation import evaluate, is_pooled, policy_of
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.pooled import COUNT
from truerank.ranking.shards import blocks
from truerank.registry import METRICS, Cutoff, Definitions

MASKS_AT_A_TIME = 64
MOST_SUMS = 1 << 24  # of thinned sets in memory, 256 MB with the numbers of users
Sums = tuple[np.ndarray, np.ndarray]  # columns x systems x groups of users, and of how many
# From thinned sets, None for the full one, to the means of each block of users, its first group, and masks of its rows
Blocks = Callable[[slice | None], Iterable[tuple["Means", int, Iterable[np.ndarray]]]]


def random_subsets(n_rows: int, fraction: float, n_samples: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield, as masks, ``n_samples`` random subsets that hold this fraction of the rows; the whole, once."""
    if fraction == 1:
        yield np.ones(n_rows, bool)
        return
    size = round(fraction * n_rows)
    for _ in range(n_samples):
        keep = np.zeros(n_rows, bool)
        keep[rng.permutation(n_rows)[:size]] = True
        yield keep


def without_popular(item: np.ndarray, degree: np.ndarray, fraction: float) -> np.ndarray:
    """Return, as a mask, the rows of all but the most popular items.

    item : per row. degree : training rows of each item; of the items that have any, this fraction is kept, the least
    popular first and equally popular ones in order of code. An item that nobody has in training is least popular.

    Valcarce et al. 2018, doi:10.1145/3240323.3240347.
    """
    order = np.argsort(degree, kind="stable")
    n_cold, n_known = (degree == 0).sum(), (degree > 0).sum()
    kept = np.zeros(len(degree), bool)
    kept[order[: n_cold + round(fraction * n_known)]] = True
    return kept[item]


@dataclass(frozen=True)
class Swept:
    """Tau-b of every thinned test set with the whole one, sets x columns; and in resamples of the users, sets x
    resamples x columns. columns : ``metric@k``."""

    columns: list[str]
    tau: np.ndarray
    resampled: np.ndarray


class Means:
    """The means over users of all metrics under any subset of the judgements.

    judged : the rank table of every system, of the same test rows. A user without a judgement is undefined. Metrics of
    lists depend on other things too and are left out; so is a column that a system cannot have. A metric over all
    ratings has ratings where the others have users.
    """

    def __init__(
        self,
        judged: Sequence[JudgedRanks],
        metrics: Definitions,
        cutoffs: Collection[Cutoff],
        undefined_users: str = "zero",
        groups: Groups | None = None,
    ) -> None:
        added = {name: definition for name, definition in metrics.items() if adds_up(definition)}
        self.judged, self.cutoffs, self.undefined_users = judged, cutoffs, undefined_users
        self.others = {name: definition for name, definition in metrics.items() if name not in added}
        self.groups = groups or Groups.of(len(judged[0].users))
        self.sweep = Sweep(judged, added, cutoffs, undefined_users, self.groups)
        full = [evaluate(table, self.others, cutoffs) for table in judged] if self.others else []
        shared = [column for column in full[0] if all(column in of for of in full)] if full else []
        self.policies = {column: self.policy(column) for column in shared}
        self.columns = [*self.sweep.columns, *self.policies]
        self.rooted = np.array([self.has_root(column) for column in self.columns], bool)

    def policy(self, column: str) -> str:
        return policy_of(self.others[column.rpartition("@")[0]], self.undefined_users)

    def has_root(self, column: str) -> bool:
        """Tell whether the root of a mean is the value."""
        definition = self.others.get(column.rpartition("@")[0])
        return definition is not None and is_pooled(definition) and METRICS.of(definition).facts.pooled.root

    def sums(self, keep: np.ndarray) -> Sums:
        """Return columns x systems x groups, and of how many users. keep : mask over the rows as they were given."""
        total, count = self.sweep.sums(keep)
        count = np.broadcast_to(count, total.shape)
        if not self.policies:
            return total, count
        thinned = [Thinned(table, keep[table.order]) for table in self.judged]
        values = [evaluate(table, self.others, self.cutoffs, apart=True) for table in thinned]
        rest = [
            [self.of_groups(of[column], policy, of.get(column + COUNT)) for of in values]
            for column, policy in self.policies.items()
        ]
        more = np.array(rest)
        return np.concatenate([total, more[:, :, 0]]), np.concatenate([count, more[:, :, 1]])

    def of_groups(self, values: np.ndarray | float, policy: str, ratings: np.ndarray | None = None) -> np.ndarray:
        """Return the sum of one metric's values per group, and the number of users; a whole system's is in all.

        ratings : what is counted instead of users.
        """
        users = np.full(self.groups.n_users, values, float)
        known = ~np.isnan(users) if policy == "drop" else np.ones(len(users), bool)
        both = np.stack([np.where(known, np.nan_to_num(users), 0), known if ratings is None else ratings])
        return np.add.reduceat(both.astype(float), self.groups.starts, axis=1)

    def means(self, sums: Sums) -> np.ndarray:
        """Return means over users, columns x systems. NaN where nobody is defined."""
        return self.values(sums[0].sum(axis=-1), sums[1].sum(axis=-1))

    def resampled(self, sums: Sums, weights: np.ndarray) -> np.ndarray:
        """Return means over resampled users, resamples x columns x systems. weights : groups x resamples."""
        return np.ascontiguousarray(np.moveaxis(self.values(sums[0] @ weights, sums[1] @ weights), -1, 0))

    def values(self, total: np.ndarray, count: np.ndarray) -> np.ndarray:
        """Return the values of sums, columns first."""
        with np.errstate(invalid="ignore"):
            found = total / count
            found[self.rooted] = np.sqrt(found[self.rooted])
        return found


def sweep(blocks_of: Blocks, n_sets: int, weights: np.ndarray, threads: int = 1) -> Swept:
    """Return tau-b between the order of systems on the full test set and on ``n_sets`` thinned ones.

    blocks_of : goes through the users block by block, for a slice of the thinned sets, or None for the full one.
    weights : of resampled users, as ``Groups`` draws them; in a resample both orders are of the same users. NaN where
    one of the orders is undefined: all systems have the same mean, as when no judgement is left within the cut-off.
    """
    (whole,), means = summed(blocks_of, None, weights, threads)
    full, full_again = means.means(whole), means.resampled(whole, weights)

    def work(thinned: Sums) -> tuple[np.ndarray, np.ndarray]:
        again = np.empty(full_again.shape[:2], np.float32)
        taus(full_again, means.resampled(thinned, weights), 10.0**-DIGITS / 2, again)
        return tau_b(full, means.means(thinned)), again

    tau: list[np.ndarray] = []
    again: list[np.ndarray] = []
    for sets in blocks(n_sets, max(MOST_SUMS // max(whole[0].size, 1), 1)):
        sums, _ = summed(blocks_of, sets, weights, threads)
        with ThreadPoolExecutor(threads) as pool:
            for one, other in pool.map(work, sums):
                tau.append(one)
                again.append(other)
    return Swept(means.columns, np.array(tau), np.array(again))


def summed(blocks_of: Blocks, sets: slice | None, weights: np.ndarray, threads: int) -> tuple[np.ndarray, Means]:
    """Return the sums of all users, sets x 2 x columns x systems x groups, added in their order; and how means follow
    from them."""
    n_sets, total = 1 if sets is None else sets.stop - sets.start, np.empty(0)
    for means, first, masks in blocks_of(sets):
        if not total.size:
            total = np.zeros((n_sets, 2, len(means.columns), len(means.judged), len(weights)))
        groups = slice(first, first + len(means.groups.starts))
        for place, own in enumerate(in_batches(means.sums, masks, threads)):
            for part, found in zip(total[place], own, strict=True):
                part[..., groups] += found
    return total, means


def mean_metrics(
    judged: Sequence[JudgedRanks],
    subsets: Iterable[np.ndarray],
    metrics: Definitions,
    cutoffs: Collection[Cutoff],
    undefined_users: str = "zero",
    threads: int = 1,
) -> tuple[list[str], np.ndarray]:
    """Return the columns ``metric@k``, and their means over users: subsets x columns x systems. See ``Means``."""
    means = Means(judged, metrics, cutoffs, undefined_users)
    return means.columns, np.array(list(in_batches(lambda keep: means.means(means.sums(keep)), subsets, threads)))


def in_batches(work: Callable[[np.ndarray], Any], subsets: Iterable[np.ndarray], threads: int) -> Iterator[Any]:
    """Yield what ``work`` makes of every mask, in their order; some masks are in memory at a time."""
    subsets = iter(subsets)
    with ThreadPoolExecutor(threads) as pool:
        while batch := list(islice(subsets, MASKS_AT_A_TIME)):
            yield from pool.map(work, batch)
