r"""Is the difference of two systems more than chance? The paired sign-flip test, all pairs and metrics at once.

Under the null hypothesis a user's two scores are exchangeable, so each user's difference may change its sign. Flipping
the scores of a *system* instead of those of a pair, with the same signs for all, gives every pair's flipped difference
as that of two columns: one product, signs (draws x users) times scores (users x columns), serves all pairs.

The sign of a user in a draw is a hash of the key, the user and the draw, so a p-value depends on nothing else: not on
the number of cores, on the order of users, or on which other systems and metrics are tested.

The product is in float32 and exact: scores are rounded to integers whose sum stays below 2^23, so no partial sum is
rounded again. What the rounding did to a difference is a sum with random signs, which Hoeffding's inequality keeps
below :math:`\sqrt{2 \ln(2/\delta)}` times the norm of the rounding errors; the few draws that are nearer than that to
the observed difference are summed once more in float64, from the scores themselves.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from truerank.ranking.order import order_key, salt
from truerank.ranking.shards import blocks

SIGNS_PER_BLOCK = 3 << 19  # 6 MB: 256 draws for 6,000 users
MOST_WORDS = 64  # of 64 draws in a block
LARGEST_SUM = 2**23  # of integers in float32, so that the difference of two sums is exact as well
UNDEFINED_USERS = ("zero", "drop")
STEPS = 25_200  # to a score of 1 where there is room: k-ths for most k of interest, such as precision@k, are whole
HOEFFDING = np.sqrt(2 * np.log(2 / 1e-18))


@dataclass(frozen=True)
class Comparison:
    """What the test says of every pair of systems under one metric.

    left, right : the systems of each pair, as columns. difference : of their means. p_value : never 0. p_holm :
    adjusted for all pairs under this metric.
    """

    left: np.ndarray
    right: np.ndarray
    difference: np.ndarray
    p_value: np.ndarray

    @property
    def p_holm(self) -> np.ndarray:
        return holm(self.p_value)

    @property
    def power(self) -> float:
        """Discriminative power: the sum of the p-values over unordered pairs; less is better."""
        return self.p_value.sum()


def compare(
    scores: Iterable[ArrayLike],
    rng: np.random.Generator,
    draws: int = 100_000,
    users: ArrayLike | None = None,
    undefined_users: str | Iterable[str] = "zero",
    threads: int = 1,
) -> list[Comparison]:
    r"""Test every pair of systems under every metric; return one Comparison per metric.

    .. math:: p = \frac{1 + \#\{\text{draws} : |\sum_u s_u d_u| \ge |\sum_u d_u|\}}{1 + \text{draws}}

    d is a user's difference and s a sign, +1 or -1 with equal chance. scores : arrays, users x systems, one per metric;
    NaN is undefined, and counts as 0 (``zero``) or removes the user from the pairs concerned (``drop``);
    ``undefined_users`` is one of these, or one for each metric.
    users : integer codes, which decide the users' signs; their place if not given.
    A draw as extreme as the observed difference counts, also where rounding has parted the two: up to 8 units in the
    last place of each score, and the error of a sum.

    Valcarce et al. 2018, doi:10.1145/3240323.3240347; Holm 1979 for ``p_holm``.
    """
    tables = [np.asarray(table) for table in scores]
    if not tables:
        return []
    users = np.arange(len(tables[0]) if tables[0].ndim else 0) if users is None else np.asarray(users)
    policies = [undefined_users] * len(tables) if isinstance(undefined_users, str) else list(undefined_users)
    check_arguments(tables, users, draws, policies)
    problems = [columns_of(table, policy) for table, policy in zip(tables, policies, strict=True)]
    counts = count_draws(problems, salt(order_key(rng), users), draws, threads)
    return [problem.comparison((1 + extreme) / (1 + draws)) for problem, extreme in zip(problems, counts, strict=True)]


def check_arguments(tables: Sequence[np.ndarray], users: np.ndarray, draws: int, policies: Sequence[str]) -> None:
    """Raise what a caller of ``compare`` can mend."""
    for policy in policies:
        if policy not in UNDEFINED_USERS:
            raise ValueError(f"undefined_users is {policy!r}, expected one of: {', '.join(UNDEFINED_USERS)}")
    if len(policies) != len(tables):
        raise ValueError(f"undefined_users has {len(policies)} entries, expected one, or one for each table")
    if not isinstance(draws, Integral) or draws < 1:
        raise ValueError(f"draws is {draws!r}, expected a whole number of at least 1")
    for place, table in enumerate(tables):
        if table.ndim != 2:
            raise ValueError(f"table {place} has {table.ndim} axes, expected users x systems; give a list of tables")
        if len(table) != len(users):
            raise ValueError(f"table {place} has {len(table)} users, expected {len(users)}; give all the same users")


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
        """Per pair, the sum of the users' differences, of which the sign flips are judged."""
        return np.array(
            [(self.scores[:, a] - self.scores[:, b]).sum() for a, b in zip(self.left, self.right, strict=True)]
        )

    @property
    def tolerance(self) -> np.ndarray:
        """Per pair, how far rounding may have parted two sums that are equal: of the scores, and in float64."""
        noise = self.noise + len(self.scores) * np.finfo(float).eps * np.abs(self.scores).sum(axis=0)
        return noise[self.left] + noise[self.right]

    def rounded(self) -> tuple[np.ndarray, float, np.ndarray]:
        """Return the scores as integers in float32, how many there are to a score of 1, and the norm of the rest."""
        largest = np.abs(self.scores).sum(axis=0).max(initial=0)
        room = max(LARGEST_SUM - len(self.scores), 1)  # each score may be rounded up by a half
        scale = room / largest if largest > 0 else 1.0
        scale = scale // STEPS * STEPS if scale >= STEPS else scale
        whole = np.rint(self.scores * scale)
        return whole.astype(np.float32), scale, np.linalg.norm(self.scores * scale - whole, axis=0)

    def comparison(self, p_value: np.ndarray) -> Comparison:
        left, right = self.systems
        with np.errstate(invalid="ignore"):
            return Comparison(left, right, self.sums / self.n_users, p_value)


def columns_of(table: np.ndarray, undefined_users: str) -> Columns:
    """Prepare one metric: only differences matter, so each user's least score is taken off first."""
    unit = np.finfo(table.dtype if table.dtype.kind == "f" else float).eps
    table = table.astype(float)
    if np.isinf(table).any():
        raise ValueError("a score is infinite")
    n_systems = table.shape[1]
    pairs = np.array(list(combinations(range(n_systems), 2)), int).reshape(-1, 2).T
    missing = np.isnan(table)
    if undefined_users == "zero" or not missing.any():
        table, missing = np.where(missing, 0, table), np.zeros_like(missing)
    if (missing == missing[:, :1]).all():  # a user is undefined under all systems or none
        left, right = pairs
        n_users = np.full(len(left), (~missing[:, 0]).sum() if n_systems else 0)
    else:  # every pair has users, and so columns, of its own
        left, right = np.arange(2 * pairs.shape[1]).reshape(2, -1)
        missing = missing[:, pairs[0]] | missing[:, pairs[1]]
        n_users = (~missing).sum(axis=0)
        table, missing = table[:, pairs.ravel()], np.hstack([missing, missing])
    table = np.where(missing, np.nan, table)
    noise = 8 * unit * np.nansum(np.abs(table), axis=0)
    reduced = np.nan_to_num(table - np.fmin.reduce(table, axis=1, keepdims=True, initial=np.inf))
    return Columns(reduced, left, right, pairs, n_users, noise)


def count_draws(problems: Sequence[Columns], salts: np.ndarray, draws: int, threads: int) -> list[np.ndarray]:
    """Count, per metric and pair, the draws that are at least as extreme as what was observed."""
    from truerank.meta.compiled.sign_flips import SIGNS, count_extreme, draw_signs

    rounded, scales, rests = zip(*(problem.rounded() for problem in problems), strict=True)
    first = np.cumsum([0, *(problem.scores.shape[1] for problem in problems)])[:-1]
    pairs = [
        (offset + problem.left, offset + problem.right, *thresholds(problem, scale, rest))
        for problem, offset, scale, rest in zip(problems, first, scales, rests, strict=True)
    ]
    left, right, limit, unlikely, likely = map(np.concatenate, zip(*pairs, strict=True))
    whole = np.ascontiguousarray(np.hstack(rounded).T)
    scores = np.ascontiguousarray(np.hstack([problem.scores for problem in problems]).T)
    n_words = int(np.clip(SIGNS_PER_BLOCK // 64 // max(len(salts), 1), 1, MOST_WORDS))

    def work(start: int) -> np.ndarray:
        """Count among some draws: add up the flipped scores of blocks of users, exactly, and compare the sums."""
        words = np.empty((n_words, len(salts)), np.uint64)
        sums = np.zeros((len(whole), 64 * n_words), np.float32)
        for rows in blocks(len(salts), SIGNS_PER_BLOCK // sums.shape[1]):
            signs = np.empty((rows.stop - rows.start, sums.shape[1]), np.float32)
            draw_signs(salts[rows], start // 64, SIGNS, words[:, rows], signs)
            sums += whole[:, rows] @ signs
        counts = np.zeros(len(left), np.int64)
        n_draws = min(sums.shape[1], draws - start)
        count_extreme(sums, n_draws, words, scores, left, right, unlikely, likely, limit, counts)
        return counts

    with ThreadPoolExecutor(threads) as pool:
        counts = sum(pool.map(work, range(0, draws, 64 * n_words)))
    return np.split(counts, np.cumsum([len(problem.left) for problem in problems])[:-1])


def thresholds(problem: Columns, scale: float, rest: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, per pair, the limit in score, and the rounded differences from which a draw may, and does, reach it."""
    limit = np.abs(problem.sums) - problem.tolerance
    width = HOEFFDING * (rest[problem.left] + rest[problem.right])
    unlikely, likely = (np.ceil(np.clip(limit * scale + side, 0, 2**24)).astype(np.float32) for side in (-width, width))
    return limit, unlikely, likely


def holm(p_values: ArrayLike) -> np.ndarray:
    """Adjust p-values for their number, step down: the smallest times n, the next times n - 1, never descending."""
    p_values = np.asarray(p_values)
    order = np.argsort(p_values)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1)), 1)
    return adjusted
