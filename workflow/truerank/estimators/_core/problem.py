"""What every estimator works with: the law of sampled ranks, and the metrics as functions of the rank."""

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from truerank.estimators._core.histogram import Histogram
from truerank.metrics._core.single import metric_of_rank
from truerank.registry import Cutoff, Definitions
from truerank.sampling._core.law import log_binom, rank_pmf

Law = Literal["binomial", "hypergeometric"]


class Problem:
    """Estimate metrics on C items from a histogram of ranks among sampled ones.

    n_items : C, the mean number of candidates. seen : a ``Histogram``. metrics, cutoffs : as in the config. law : of
    the draws; binomial is the literature's choice even for draws without replacement. Under the hypergeometric a set of
    C items or more shows exact ranks. All that depends on C and the sets alone is computed once, for all models and
    repeats.
    """

    def __init__(
        self,
        n_items: int,
        seen: Histogram,
        metrics: Definitions | tuple[()] = (),
        cutoffs: Collection[Cutoff] = (),
        law: Law = "binomial",
    ) -> None:
        self.n_items = n_items
        self.seen = seen.drawn_from(n_items) if law == "hypergeometric" else seen
        self.metrics, self.cutoffs = dict(metrics), cutoffs
        self.law = law

    @property
    def ranks(self) -> np.ndarray:
        return np.arange(1, self.n_items + 1)

    @cached_property
    def chances(self) -> np.ndarray:
        """A: P(r | R), exact ranks x pairs of set and sampled rank."""
        return self.chances_of(slice(None), slice(None))

    def chances_of(self, ranks: slice, pairs: slice) -> np.ndarray:
        """Return a part of A, both given as slices. Where a set had all candidates, r is R, or C if it is more."""
        exact, known = self.ranks[ranks, None], self.seen.exact[pairs]
        rank, negatives = self.seen.rank[pairs], self.seen.negatives[pairs]
        chances = rank_pmf(np.where(known, 1, rank), exact, self.n_items, negatives, self.law == "binomial")
        if known.any():
            chances[:, known] = np.minimum(rank[known], self.n_items) == exact
        return chances

    def gram(self, prior: np.ndarray) -> np.ndarray:
        """Return A' diag(P) A."""
        (found,) = self.grams(prior[None])
        return found

    def grams(self, priors: np.ndarray) -> Iterator[np.ndarray]:
        r"""Yield A' diag(P) A for every row P of ``priors``.

        The product of two binomials is one of twice the draws, but for a factor that does not depend on R,

        .. math:: A_{Rr} A_{Rs} = \binom{m}{r-1} \binom{m}{s-1} \binom{2m}{r+s-2}^{-1} \mathrm{Binomial}(r+s-2;\, 2m),

        so C x m multiplications do instead of C x m^2.
        """
        if self.law == "binomial":
            factor, doubled = self._doubled
            yield from (factor * sliding_window_view(sums, len(factor)) for sums in priors @ doubled)
        else:
            yield from (self.chances.T @ (prior[:, None] * self.chances) for prior in priors)

    @cached_property
    def _doubled(self) -> tuple[np.ndarray, np.ndarray]:
        m, above = int(self.seen.negatives[0]), self.seen.rank - 1
        ways = log_binom(m, above)
        factor = np.exp(ways[:, None] + ways - log_binom(2 * m, above[:, None] + above))
        return factor, rank_pmf(np.arange(1, 2 * m + 2), self.ranks[:, None], self.n_items, 2 * m)

    @cached_property
    def spread(self) -> np.ndarray:
        """(diag(sum over R of A_R) - A'A) / M: the summed covariance of the mean of M sampled ranks."""
        return (np.diag(self.chances.sum(axis=0)) - self.gram(np.ones(self.n_items))) / self.seen.n_instances

    @cached_property
    def columns(self) -> list[str]:
        """Names ``metric@k`` of what is estimated."""
        return list(self._values)

    @cached_property
    def exact(self) -> np.ndarray:
        """b: F(R), exact ranks x columns."""
        return np.column_stack(list(self._values.values()))

    @cached_property
    def sampled(self) -> np.ndarray:
        """F(r) within the set, sampled ranks x columns."""
        n = len(self.seen.rank)
        return np.column_stack(list(metric_of_rank(self.metrics, self.cutoffs, np.arange(1, n + 1), n).values()))

    @cached_property
    def _values(self) -> dict[str, np.ndarray]:
        return metric_of_rank(self.metrics, self.cutoffs, self.ranks, self.n_items)
