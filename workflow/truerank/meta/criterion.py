r"""How far a metric separates systems, and how surely: the mean of capped z over pairs, and its covariance over users.

For two systems and one metric, d is a user's difference and :math:`z = \sum d / \sqrt{\sum d^2}`, the normal form of
the sign-flip test. All that is needed of the users are sums, so they come in blocks, twice: once for the sums of d and
of its squares, once for the products of what every user adds to the criterion.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from truerank.meta.flips import Block, pairs_of
from truerank.ranking.shards import blocks

CAP = 5.0  # a pair that is this many standard errors apart is separated; further apart is not more so
USERS_PER_BLOCK = 512
ROUNDING = 8 * np.finfo(float).eps  # of a user's largest score: less than this is no difference
SAME = 1e-12  # of the sum of squares: less than this is rounding, and the two systems are one

Weights = Callable[[np.ndarray], list[np.ndarray]]  # codes of users to how often each counts, users x resamples


@dataclass(frozen=True)
class Criterion:
    """The criterion of every metric, and the covariance of these values over samples of users, metrics x metrics."""

    values: np.ndarray
    covariance: np.ndarray

    @property
    def errors(self) -> np.ndarray:
        """The standard errors; NaN where a metric has no value."""
        return np.where(np.isnan(self.values), np.nan, np.sqrt(np.diag(self.covariance)))


@dataclass(frozen=True)
class PairSums:
    """Sums over users per pair, of differences and of their squares. size : of scores squared, which rounding is
    relative to. All are resamples x pairs."""

    linear: np.ndarray
    square: np.ndarray
    size: np.ndarray

    def z(self) -> tuple[np.ndarray, np.ndarray]:
        """Return z of every pair, and 1 over the root of the sum of squares; 0 where no user differs."""
        differ = self.square > SAME * self.size
        root = np.divide(1.0, np.sqrt(np.where(differ, self.square, 1.0)), where=differ, out=np.zeros(differ.shape))
        return self.linear * root, root

    def values(self, cap: float) -> np.ndarray:
        """Return C of every resample, NaN without a pair."""
        z, _ = self.z()
        return np.minimum(np.abs(z), cap).mean(axis=1) if z.shape[1] else np.full(len(z), np.nan)

    def slopes(self, cap: float) -> np.ndarray:
        """Return what a user's differences, and then their squares, add to C, resamples x 2 pairs."""
        z, root = self.z()
        free = (np.abs(z) < cap) / max(z.shape[1], 1)
        return np.hstack([free * np.sign(z) * root, -free * np.abs(z) * root**2 / 2])


class UserScores:
    """The scores of all metrics, for ``criterion`` of these users or of resamples of them.

    blocks : of users, gone through twice; NaN is undefined, which counts as 0 (``zero``) or leaves the user out of the
    pairs concerned (``drop``). policies : which of these, per metric.
    """

    def __init__(self, blocks: Iterable[Block], policies: Sequence[str]) -> None:
        self.blocks, self.policies = blocks, policies

    def criterion(self, threads: int = 1, cap: float = CAP) -> Criterion:
        r"""Return C of every metric with its covariance.

        .. math:: C = \operatorname{mean}_{a<b} \min(|z_{ab}|, 5), \quad
            I_u = \operatorname{mean}_{a<b} 1_{|z|<5} \operatorname{sign}(z)
            \Big(\frac{d_u}{\sqrt{\sum d^2}} - \frac{z \, d_u^2}{2 \sum d^2}\Big), \quad S = I^\top I

        Pairs that every metric separates count ``cap`` everywhere and cancel; a pair that is one system twice counts 0;
        no pair is removed. Influences I are centred. A metric of fewer than two systems, or of no user, has no value:
        NaN.
        """
        return self.criteria(lambda users: [np.ones((len(users), 1))], threads, cap)[0]

    def criteria(self, weights: Weights, threads: int = 1, cap: float = CAP) -> list[Criterion]:
        """Return the same for resamples of the users. weights : in batches, of which a matrix product has one."""

        def sums(part: Block) -> list[list[np.ndarray]]:
            drawn = weights(part[0])
            found = [features(table, policy) for table, policy in zip(part[1], self.policies, strict=True)]
            return [[(each @ of).T for each in found] for of in drawn] + [[of.sum(axis=0) for of in drawn]]

        def products(part: Block) -> list[list[np.ndarray]]:
            drawn = weights(part[0])
            found = [features(table, policy) for table, policy in zip(part[1], self.policies, strict=True)]
            return [influence_products(found, own, of) for of, own in zip(drawn, slopes, strict=True)]

        with ThreadPoolExecutor(threads) as pool:
            batches = self.added(pool, sums) if self.policies else None
            if batches is None:
                n = len(self.policies)
                return [
                    Criterion(np.full(n, np.nan), np.zeros((n, n))) for of in weights(np.empty(0, int)) for _ in of.T
                ]
            *batches, counted = batches
            of_pairs = [[pair_sums(each) for each in batch] for batch in batches]
            slopes = [[each.slopes(cap) for each in batch] for batch in of_pairs]
            both = self.added(pool, products) or []
        found = []
        for batch, (squares, total), count in zip(of_pairs, both, counted, strict=True):
            covariance = squares - total[:, :, None] * total[:, None] / np.maximum(count, 1)[:, None, None]
            values = np.column_stack([each.values(cap) for each in batch])
            found += [Criterion(*each) for each in zip(values, covariance, strict=True)]
        return found

    def added(
        self, pool: ThreadPoolExecutor, work: Callable[[Block], list[list[np.ndarray]]]
    ) -> list[list[np.ndarray]] | None:
        """Return the sum of what ``work`` makes of all users, added in their order; None if there is nobody."""
        total: list[list[np.ndarray]] | None = None
        for users, tables in self.blocks:
            parts = [(users[rows], [table[rows] for table in tables]) for rows in blocks(len(users), USERS_PER_BLOCK)]
            for found in pool.map(work, parts):
                if total is None:
                    total = found
                else:
                    total = [list(map(np.add, *both)) for both in zip(total, found, strict=True)]
        return total


def features(table: np.ndarray, undefined_users: str) -> np.ndarray:
    """Return of some users the differences of all pairs, their squares, and the squares of scores less their mean.

    features x users: rows of systems are gathered whole, which takes half the time of gathering their columns.
    """
    scores = np.ascontiguousarray(table.T)
    missing = np.isnan(scores)
    has_missing = missing.any()
    scores = np.where(missing, 0.0, scores) if has_missing else scores
    left, right = pairs_of(len(scores))
    found = np.empty((2 * len(left) + len(scores), len(table)))
    difference, square, own = np.split(found, [len(left), 2 * len(left)])
    np.subtract(scores[left], scores[right], out=difference)
    difference *= np.abs(difference) > ROUNDING * np.abs(scores).max(axis=0, initial=0)
    if undefined_users == "drop" and has_missing:
        difference[missing[left] | missing[right]] = 0
        scores = np.where(missing, scores.sum(axis=0) / np.maximum(1, (~missing).sum(axis=0)), scores)
    np.square(difference, out=square)
    np.square(scores - scores.mean(axis=0) if len(scores) else scores, out=own)
    return found


def pair_sums(of_features: np.ndarray) -> PairSums:
    """Return the sums by what they are of. of_features : resamples x features."""
    n = of_features.shape[1]
    n_systems = int(np.sqrt(n))  # n (n - 1) differences and squares, and n squares of scores
    left, right = pairs_of(n_systems)
    own = of_features[:, n - n_systems :]
    return PairSums(
        of_features[:, : len(left)], of_features[:, len(left) : 2 * len(left)], own[:, left] + own[:, right]
    )


def influence_products(
    found: Sequence[np.ndarray], slopes: Sequence[np.ndarray], weight: np.ndarray
) -> list[np.ndarray]:
    """Return the products of the users' influences, resamples x metrics x metrics, and their sums."""
    of_users = [own @ of[: own.shape[1]] for of, own in zip(found, slopes, strict=True)]
    influence = np.stack(of_users, axis=2)  # resamples x users x metrics
    weighted = influence * weight.T[:, :, None]
    return [weighted.transpose(0, 2, 1) @ influence, weighted.sum(axis=1)]
