"""What every estimator works with: the law of sampled ranks, and the metrics as functions of the rank."""

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from truerank.estimators._core.histogram import Histogram
from truerank.estimators._core.support import Support, support
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

    P(R) has one entry per cell of ``support``: per rank for up to 50,000 items, and for more of them cells of ranks
    that the sample does not resolve, each with even chances within. In what follows such a cell is a rank.
    """

    def __init__(
        self,
        n_items: int,
        seen: Histogram,
        metrics: Definitions | tuple[()] = (),
        cutoffs: Collection[Cutoff] = (),
        law: Law = "binomial",
        cells: Support | None = None,
    ) -> None:
        self.n_items = n_items
        self.support = support(n_items, max(1, int(seen.negatives.max()))) if cells is None else cells
        self.seen = seen.drawn_from(n_items) if law == "hypergeometric" else seen
        self.metrics, self.cutoffs = dict(metrics), cutoffs
        self.law = law

    @cached_property
    def size(self) -> np.ndarray:
        """How many ranks each entry of P(R) stands for: 1, but in cells."""
        return self.support.size

    @property
    def uniform(self) -> np.ndarray:
        """P(R) that gives all ranks the same chance."""
        return self.size / self.n_items

    @cached_property
    def chances(self) -> np.ndarray:
        """A: P(r | R), exact ranks x pairs of set and sampled rank."""
        return self.chances_of(slice(None), slice(None))

    def chances_of(self, ranks: slice, pairs: slice) -> np.ndarray:
        """Return a part of A, both given as slices. Where a set had all candidates, r is R, or C if it is more."""
        known = self.seen.exact[pairs]
        rank, negatives = self.seen.rank[pairs], self.seen.negatives[pairs]
        sampled = np.where(known, 1, rank), self.n_items, negatives, self.law == "binomial"

        def law(exact: np.ndarray) -> np.ndarray:
            return rank_pmf(sampled[0], exact[:, None], *sampled[1:])

        chances = self.support.mean(law, ranks)
        if known.any():
            place = np.searchsorted(self.support.last, np.minimum(rank[known], self.n_items))
            cell = np.arange(len(self.size))[ranks, None]
            chances[:, known] = (cell == place) / self.size[ranks, None]
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
        sampled = np.arange(1, 2 * m + 2)
        return factor, self.support.mean(lambda exact: rank_pmf(sampled, exact[:, None], self.n_items, 2 * m))

    @cached_property
    def spread(self) -> np.ndarray:
        """(diag(sum over R of A_R) - A'A) / M: the summed covariance of the mean of M sampled ranks."""
        each = self.size.astype(float)
        return (np.diag(each @ self.chances) - self.gram(each)) / self.seen.n_instances

    @cached_property
    def columns(self) -> list[str]:
        """Names ``metric@k`` of what is estimated."""
        return list(metric_of_rank(self.metrics, self.cutoffs, np.ones(1, int), self.n_items))

    @cached_property
    def exact(self) -> np.ndarray:
        """b: F(R), exact ranks x columns."""
        found = self.support.mean(self.values_at)
        if not self.support.is_full:
            self._average_steps(found)
        return found

    def _average_steps(self, found: np.ndarray) -> None:
        """Take the mean over all ranks of a cell where a cut-off is inside it: three of them do not show the step."""
        cutoffs = np.array([k for k in self.cutoffs if isinstance(k, int) and k < self.n_items], int)
        for cell in np.unique(np.searchsorted(self.support.last, cutoffs)):
            inside = np.arange(self.support.first[cell], self.support.last[cell] + 1)
            found[cell] = self.values_at(inside).mean(axis=0)

    def values_at(self, rank: np.ndarray) -> np.ndarray:
        """Return F at some ranks, ranks x columns."""
        return np.column_stack(list(metric_of_rank(self.metrics, self.cutoffs, rank, self.n_items).values()))

    @cached_property
    def sampled(self) -> np.ndarray:
        """F(r) within the set, sampled ranks x columns."""
        n = len(self.seen.rank)
        return np.column_stack(list(metric_of_rank(self.metrics, self.cutoffs, np.arange(1, n + 1), n).values()))
