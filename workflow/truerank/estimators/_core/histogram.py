"""Sampled ranks as counts: all that an estimator looks at."""

import operator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Histogram:
    """How often each pair of set and rank occurred. ``counts`` : ... x pairs; every row has the same sum.

    negatives, rank : per pair, m and r. exact : per pair, whether the set had all candidates, so that r is the exact
    rank; m is 0 there, since the number does not matter. With one number of negatives the pairs are r = 1 .. m + 1,
    seen or not; otherwise those that occur in any row, in the order of m and r.
    """

    negatives: np.ndarray
    rank: np.ndarray
    counts: np.ndarray

    @property
    def exact(self) -> np.ndarray:
        return self.negatives == 0

    @property
    def n_instances(self) -> int:
        return int(self.counts[(0,) * (self.counts.ndim - 1)].sum())

    @property
    def shares(self) -> np.ndarray:
        return self.counts / self.n_instances

    def drawn_from(self, n_items: int) -> "Histogram":
        """Return the histogram of draws without replacement from C items, where m >= C - 1 draws take all of them.

        Such a set shows the exact rank; C is a mean, and a rank beyond it counts as C.
        """
        whole = self.negatives >= n_items - 1
        if not whole.any():
            return self
        pairs = np.column_stack([np.where(whole, 0, self.negatives), np.minimum(self.rank, n_items)])
        kept, place = np.unique(pairs, axis=0, return_inverse=True)
        counts = np.zeros((*self.counts.shape[:-1], len(kept)), self.counts.dtype)
        np.add.at(counts, (..., place.ravel()), self.counts)  # type: ignore[arg-type]  # NumPy's types lack tuples here
        negatives, rank = kept.T
        return Histogram(negatives, rank, counts)

    def added(self, other: "Histogram") -> "Histogram":
        """Return the counts of both together."""
        pairs = [np.column_stack([each.negatives, each.rank]) for each in (self, other)]
        if np.array_equal(pairs[0], pairs[1]):
            return Histogram(self.negatives, self.rank, self.counts + other.counts)
        kept, place = np.unique(np.concatenate(pairs), axis=0, return_inverse=True)
        counts = np.zeros((*self.counts.shape[:-1], len(kept)), self.counts.dtype)
        own, others = np.split(place.ravel(), [len(self.rank)])
        counts[..., own] += self.counts
        counts[..., others] += other.counts
        negatives, rank = kept.T
        return Histogram(negatives, rank, counts)

    @property
    def groups(self) -> list[slice]:
        """The pairs of each size of the set, as slices."""
        edges = np.flatnonzero(np.diff(self.negatives)) + 1
        return [slice(*map(int, pair)) for pair in zip([0, *edges], [*edges, len(self.negatives)], strict=True)]


def histogram(rank: ArrayLike, negatives: int | np.integer | np.ndarray, exact: ArrayLike = False) -> Histogram:
    """Count ranks over the last axis. negatives : one number, or the same shape as ``rank``, like ``exact``."""
    rank = np.asarray(rank)
    if np.ndim(negatives) == 0:
        negatives = operator.index(negatives)
        pairs = np.column_stack([np.full(negatives + 1, negatives), np.arange(1, negatives + 2)])
        code = rank - 1
        if code.size and not 0 <= code.min() <= code.max() <= negatives:
            raise ValueError(f"ranks go from {np.min(rank)} to {np.max(rank)}, expected 1 to {negatives + 1}")
    else:
        negatives = np.where(exact, 0, negatives)
        width = int(np.max(rank)) + 1
        found, code = np.unique(np.asarray(negatives, np.int64) * width + rank, return_inverse=True)
        pairs = np.column_stack(np.divmod(found, width))
        code = code.reshape(rank.shape)
    lead = code.shape[:-1]
    n_rows = int(np.prod(lead))
    flat = code.reshape(n_rows, -1) + len(pairs) * np.arange(n_rows)[:, None]
    counts = np.bincount(flat.ravel(), minlength=n_rows * len(pairs)).reshape(*lead, len(pairs))
    of_sets, of_ranks = pairs.T
    return Histogram(of_sets, of_ranks, counts)
