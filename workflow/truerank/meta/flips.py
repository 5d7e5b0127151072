"""Counts of sign flips that are as extreme as what was observed, for users who come in blocks.

Scores are rounded to whole numbers, up to 2^49 of them to the largest and fewer where users are so many that a sum
would not fit into 64 bits. So sums are exact, whatever the blocks: the few users of a block are all that is in memory,
beside the sums themselves, of which some draws are done at a time.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from truerank.ranking.order import salt
from truerank.ranking.shards import blocks, shard_of

Block = tuple[np.ndarray, Sequence[np.ndarray]]  # codes of users, and their scores, users x systems per metric
USERS_PER_BLOCK = 1 << 13
DRAWS_PER_TILE = 1 << 11  # a multiple of 64; jobs share out whole tiles
COLUMNS_PER_CHUNK = 32  # tables of 256 sums stay within reach
MOST_SUMS = 1 << 25  # 256 MB
TOGETHER, AT_A_TIME = 8, 32  # users whose signs are a byte, and whose sums are added at once
STEPS = 25_200  # to a score of 1 where there is room: k-ths for most k of interest, such as precision@k, are whole
LARGEST_SCORE, LARGEST_SUM = 2.0**49, 2.0**61


class InMemory:
    """Blocks of users of arrays. tables : users x systems, one per metric."""

    def __init__(self, tables: Sequence[np.ndarray], users: np.ndarray) -> None:
        self.tables, self.users = tables, users

    def __iter__(self) -> Iterator[Block]:
        for rows in blocks(len(self.users), USERS_PER_BLOCK):
            yield self.users[rows], [table[rows] for table in self.tables]


@dataclass(frozen=True)
class Columns:
    """The scores of one metric, users x columns without NaN, and the pairs of columns that are compared."""

    scores: np.ndarray
    left: np.ndarray
    right: np.ndarray
    systems: np.ndarray
    n_users: np.ndarray
    noise: np.ndarray  # per column, how much rounding may have added to all its scores together

    @property
    def sums(self) -> np.ndarray:
        """Per pair, the sum of the users' differences."""
        return np.array(
            [(self.scores[:, a] - self.scores[:, b]).sum() for a, b in zip(self.left, self.right, strict=True)]
        )


def is_shared(table: np.ndarray, undefined_users: str) -> bool:
    """Tell whether users are undefined under all systems or none, so that all pairs can have the same columns."""
    missing = np.isnan(table)
    return undefined_users == "zero" or bool((missing == missing[:, :1]).all())


def columns_of(table: np.ndarray, undefined_users: str, shared: bool | None = None) -> Columns:
    """Prepare one metric: only differences matter, so each user's least score is taken off first.

    shared : of all users, where these are some of them.
    """
    unit = np.finfo(table.dtype if table.dtype.kind == "f" else float).eps
    table = table.astype(float)
    if np.isinf(table).any():
        raise ValueError("a score is infinite")
    shared = is_shared(table, undefined_users) if shared is None else shared
    pairs = pairs_of(table.shape[1])
    missing = np.isnan(table)
    if undefined_users == "zero":
        table, missing = np.where(missing, 0, table), np.zeros_like(missing)
    if shared:
        left, right = pairs
        n_users = np.full(len(left), (~missing[:, 0]).sum() if table.shape[1] else 0)
    else:  # every pair has users, and so columns, of its own
        left, right = np.arange(2 * pairs.shape[1]).reshape(2, -1)
        missing = missing[:, pairs[0]] | missing[:, pairs[1]]
        n_users = (~missing).sum(axis=0)
        table, missing = table[:, pairs.ravel()], np.hstack([missing, missing])
    table = np.where(missing, np.nan, table)
    noise = 8 * unit * np.nansum(np.abs(table), axis=0)
    reduced = np.nan_to_num(table - np.fmin.reduce(table, axis=1, keepdims=True, initial=np.inf))
    return Columns(reduced, left, right, pairs, n_users, noise)


def pairs_of(n_systems: int) -> np.ndarray:
    """Return the pairs of systems, 2 x pairs."""
    return np.array(list(combinations(range(n_systems), 2)), int).reshape(-1, 2).T


@dataclass(frozen=True)
class Observed:
    """What was observed, per pair of all metrics in a row: the sum of differences, of how many users."""

    sums: np.ndarray
    n_users: np.ndarray


class Flips:
    """The test of all pairs under all metrics, for the users of ``blocks``, which are gone through several times.

    policies : what becomes of undefined users, per metric.
    """

    def __init__(self, blocks: Iterable[Block], policies: Sequence[str]) -> None:
        self.blocks, self.policies = blocks, policies
        n, largest = 0, np.zeros(len(policies))
        self.shared, systems = [True] * len(policies), [0] * len(policies)
        for users, tables in blocks:
            n += len(users)
            systems = [table.shape[1] for table in tables]
            for m, (table, policy) in enumerate(zip(tables, policies, strict=True)):
                self.shared[m] = self.shared[m] and is_shared(table, policy)
                largest[m] = max(largest[m], columns_of(table, policy, shared=True).scores.max(initial=0))
        self.scale = np.array([steps(each, n) for each in largest])
        pairs = [pairs_of(each) for each in systems]
        self.n_pairs = [each.shape[1] for each in pairs]
        both = [of if own else np.arange(of.size).reshape(2, -1) for of, own in zip(pairs, self.shared, strict=True)]
        self.width = [n if own else of.size for n, of, own in zip(systems, pairs, self.shared, strict=True)]
        first = np.cumsum([0, *self.width])[:-1]
        self.left, self.right = np.hstack([pairs_of(0), *(of + at for of, at in zip(both, first, strict=True))])

    def prepared(self, tables: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the scores of some users as whole numbers, users x columns of all metrics; how much rounding may have
        added to each column in these units; and how many users every pair has."""
        whole, noise, n_users = [], [], []
        for table, policy, shared, scale in zip(tables, self.policies, self.shared, self.scale, strict=True):
            columns = columns_of(table, policy, shared)
            whole.append(np.rint(columns.scores * scale).astype(np.int64))
            noise.append(columns.noise * scale + len(table))
            n_users.append(columns.n_users)
        return np.hstack(whole), np.concatenate(noise), np.concatenate(n_users)

    def count(self, key: np.uint64, draws: slice, threads: int = 1) -> tuple[np.ndarray, Observed]:
        """Count, per pair of all metrics in a row, the draws of a slice that are as extreme as what was observed; and
        return that.

        The slice begins at a whole tile, as those do that ``shard_of`` cuts. Draws count, too, that rounding may have
        parted from what was observed: up to 8 units in the last place of each score, and a half of a whole number.
        """
        counts, nothing = np.zeros(len(self.left), np.int64), np.zeros(len(self.left))
        observed = Observed(nothing, nothing)
        step = DRAWS_PER_TILE * max(MOST_SUMS // max(sum(self.width), 1) // DRAWS_PER_TILE, 1)
        for start in range(draws.start, draws.stop, step):
            some, observed = self.count_some(key, slice(start, min(start + step, draws.stop)), threads)
            counts += some
        return counts, observed

    def count_some(self, key: np.uint64, draws: slice, threads: int) -> tuple[np.ndarray, Observed]:
        """Count among draws whose sums are in memory at once."""
        from truerank.meta.compiled.sign_flips import add_flipped, count_extreme, draw_bits

        chunks = blocks(sum(self.width), COLUMNS_PER_CHUNK)
        tiles = blocks(draws.stop - draws.start, DRAWS_PER_TILE)
        sums = [np.zeros((len(tiles), DRAWS_PER_TILE, chunk.stop - chunk.start), np.int64) for chunk in chunks]

        def add(tile: int) -> None:
            bits = np.empty((len(salts) // TOGETHER, DRAWS_PER_TILE), np.uint8)
            draw_bits(salts, (draws.start + tile * DRAWS_PER_TILE) // 64, bits)
            for whole, total in zip(parts, sums, strict=True):
                add_flipped(bits, whole, total[tile])

        def judge(tile: int) -> np.ndarray:
            counts = np.zeros(len(self.left), np.int64)
            n_draws = tiles[tile].stop - tiles[tile].start
            by_column = np.concatenate([total[tile, :n_draws].T for total in sums])
            count_extreme(by_column, self.left, self.right, limit, counts)
            return counts

        total, noise = np.zeros(sum(self.width), np.int64), np.zeros(sum(self.width))
        n_users = np.zeros(len(self.left), np.int64)
        with ThreadPoolExecutor(threads) as pool:
            for users, tables in self.blocks:
                whole, own, counted = self.prepared(tables)
                total, noise, n_users = total + whole.sum(axis=0), noise + own, n_users + counted
                more = -len(users) % AT_A_TIME
                whole = np.pad(whole, ((0, more), (0, 0)))
                parts = [np.ascontiguousarray(whole[:, chunk]) for chunk in chunks]
                salts = np.pad(salt(key, users), (0, more))
                list(pool.map(add, range(len(tiles))))
            difference = total[self.left] - total[self.right]
            limit = np.abs(difference) - np.ceil(noise[self.left] + noise[self.right]).astype(np.int64)
            counts = np.zeros(len(limit), np.int64)
            for found in pool.map(judge, range(len(tiles))) if chunks else ():
                counts += found
        return counts, Observed(difference / np.repeat(self.scale, self.n_pairs), n_users)

    def apart(self, of_pairs: np.ndarray) -> list[np.ndarray]:
        """Return what is known of all pairs by metric."""
        return np.split(of_pairs, np.cumsum(self.n_pairs)[:-1])


def steps(largest: float, n_users: int) -> float:
    """Return how many whole numbers there are to a score of 1, so that the sum over all users stays exact."""
    room = min(LARGEST_SCORE, LARGEST_SUM / max(n_users, 1)) / (largest or 1.0)
    unit = STEPS if room >= STEPS else 1
    return unit * 2.0 ** np.floor(np.log2(room / unit))


def share_of_draws(draws: int, shard: int, n_shards: int) -> slice:
    """Return the draws of one of several jobs."""
    return shard_of(draws, DRAWS_PER_TILE, shard, n_shards)
