r"""How far a metric separates systems, and how surely: the mean of capped z over pairs, and its covariance over users.

For two systems and one metric, d is a user's difference and :math:`z = \sum d / \sqrt{\sum d^2}`, the normal form of
the sign-flip test. All that is needed of the users are sums of systems x systems matrices, so blocks of users are
summed apart and added in order: jobs that share the blocks out get the same bits.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from truerank.ranking.shards import blocks

CAP = 5.0  # a pair that is this many standard errors apart is separated; further apart is not more so
USERS_PER_BLOCK = 1024
ROUNDING = 8 * np.finfo(float).eps  # of a user's largest score: less than this is no difference
SAME = 1e-12  # of the sum of squares: less than this is rounding, and the two systems are one


Prepared = tuple[np.ndarray, np.ndarray | None]
Sums = tuple[np.ndarray, np.ndarray]  # of products of influences, and of influences
Part = tuple[list[Prepared], np.ndarray]  # a block of users under every metric, and how often each of them counts


@dataclass(frozen=True)
class Criterion:
    """The criterion of every metric, and the covariance of these values over samples of users, metrics x metrics."""

    values: np.ndarray
    covariance: np.ndarray

    @property
    def errors(self) -> np.ndarray:
        """The standard errors; NaN where a metric has no value."""
        return np.where(np.isnan(self.values), np.nan, np.sqrt(np.diag(self.covariance)))


class PairSums(NamedTuple):
    """Sums over users, systems x systems: of differences and of their squares, over users who have both values."""

    linear: np.ndarray
    square: np.ndarray
    size: np.ndarray  # of the scores squared, which rounding is relative to

    def z(self) -> tuple[np.ndarray, np.ndarray]:
        """Return z of every ordered pair, and 1 over the root of the sum of squares; 0 where no user differs."""
        differ = self.square > SAME * self.size
        root = np.divide(1.0, np.sqrt(np.where(differ, self.square, 1.0)), where=differ, out=np.zeros(differ.shape))
        return self.linear * root, root


class UserScores:
    """The scores of all metrics, ready for ``criterion`` of these users or of resamples of them.

    scores : users x systems per metric, NaN where undefined, which counts as 0 (``zero``) or leaves the user out of the
    pairs concerned (``drop``); ``undefined_users`` is one of these, or one for each metric.
    """

    def __init__(self, scores: Sequence[ArrayLike], undefined_users: str | Sequence[str] = "zero") -> None:
        tables = [np.asarray(table, float) for table in scores]
        policies = [undefined_users] * len(tables) if isinstance(undefined_users, str) else list(undefined_users)
        self.n_metrics, self.n_users = len(tables), len(tables[0]) if tables else 0
        self.blocks = blocks(self.n_users, USERS_PER_BLOCK)
        self.prepared = [
            [prepare(table[block], policy) for table, policy in zip(tables, policies, strict=True)]
            for block in self.blocks
        ]

    def criterion(self, weights: np.ndarray | None = None, threads: int = 1, cap: float = CAP) -> Criterion:
        r"""Return C of every metric with its covariance.

        .. math:: C = \operatorname{mean}_{a<b} \min(|z_{ab}|, 5), \quad
            I_u = \operatorname{mean}_{a<b} 1_{|z|<5} \operatorname{sign}(z)
            \Big(\frac{d_u}{\sqrt{\sum d^2}} - \frac{z \, d_u^2}{2 \sum d^2}\Big), \quad S = I^\top I

        weights : how often each user counts, once if not given. Pairs that every metric separates count ``cap``
        everywhere and cancel; a pair that is one system twice counts 0; no pair is removed. Influences I are centred.
        A metric of fewer than two systems, or of no user, has no value: NaN.
        """
        if not self.blocks:
            return Criterion(np.full(self.n_metrics, np.nan), np.zeros((self.n_metrics, self.n_metrics)))
        weight = np.ones(self.n_users) if weights is None else np.asarray(weights, float)
        parts = [(prepared, weight[block, None]) for prepared, block in zip(self.prepared, self.blocks, strict=True)]

        def sums(part: Part) -> list[PairSums]:
            return [pair_sums(*each, part[1]) for each in part[0]]

        def products(part: Part) -> Sums:
            found = np.column_stack([influences(*each, *own) for each, own in zip(part[0], slopes, strict=True)])
            weighted = found * part[1]
            return found.T @ weighted, weighted.sum(axis=0)

        with ThreadPoolExecutor(threads) as pool:
            found = reduce(add_all, pool.map(sums, parts))
            slopes = [slopes_of(each, cap) for each in found]
            squares, total = reduce(add_both, pool.map(products, parts))
        covariance = squares - np.outer(total, total) / weight.sum()
        return Criterion(np.array([mean_capped(each, cap) for each in found]), covariance)


def prepare(table: np.ndarray, undefined_users: str) -> Prepared:
    """Return scores without NaN, each user's mean taken off since only differences matter, and which are defined.

    The latter is None where all are.
    """
    missing = np.isnan(table)
    scores = np.where(missing, 0.0, table)
    is_known = np.ones(table.shape, bool) if undefined_users == "zero" else ~missing
    count = np.maximum(is_known.sum(axis=1, keepdims=True), 1)
    centred = np.where(is_known, scores - scores.sum(axis=1, keepdims=True) / count, 0.0)
    centred[np.abs(centred) <= ROUNDING * np.abs(scores).max(axis=1, keepdims=True, initial=0)] = 0
    return centred, None if is_known.all() else is_known.astype(float)


def pair_sums(scores: np.ndarray, known: np.ndarray | None, weight: np.ndarray) -> PairSums:
    """Return the sums of some users. scores, known : users x systems, as ``prepare`` gives them. weight : users x 1."""
    weighted = weight * scores
    if known is None:
        power, total = (weighted * scores).sum(axis=0)[:, None], weighted.sum(axis=0)[:, None]
    else:
        power, total = (weighted * scores).T @ known, weighted.T @ known
    size = power + power.T
    return PairSums(total - total.T, size - 2 * (weighted.T @ scores), size)


def add_all(one: list[PairSums], other: list[PairSums]) -> list[PairSums]:
    return [PairSums(*map(np.add, *both)) for both in zip(one, other, strict=True)]


def add_both(one: Sums, other: Sums) -> Sums:
    return one[0] + other[0], one[1] + other[1]


def mean_capped(sums: PairSums, cap: float) -> float:
    z, _ = sums.z()
    above = np.triu_indices(len(z), 1)
    return float(np.minimum(np.abs(z[above]), cap).mean()) if len(z) > 1 else np.nan


def slopes_of(sums: PairSums, cap: float) -> tuple[np.ndarray, np.ndarray]:
    """Return what a user's difference, and its square, add to C: antisymmetric and symmetric, systems x systems."""
    z, root = sums.z()
    free = (np.abs(z) < cap) / max(len(z) * (len(z) - 1) / 2, 1)
    return free * np.sign(z) * root, free * np.abs(z) * root**2 / 2


def influences(scores: np.ndarray, known: np.ndarray | None, linear: np.ndarray, square: np.ndarray) -> np.ndarray:
    """Return the influence of some users on one metric's C: the sum over pairs of linear d - square d^2."""
    # A pair has the terms x_a^2 and x_b^2 once each, since ``square`` has it in both orders, and 2 x_a x_b likewise.
    crossed = ((scores @ square) * scores).sum(axis=1)
    if known is None:
        return scores @ linear.sum(axis=1) - scores**2 @ square.sum(axis=1) + crossed
    return ((scores @ linear - scores**2 @ square) * known).sum(axis=1) + crossed
