"""The two families of estimators.

One gives a weight to every sampled rank and averages; the other fits the distribution P(R) of exact ranks, from which
any metric at any cut-off follows. Both take all models and repeats at once.
"""

from dataclasses import dataclass

import numpy as np

from truerank.estimators.problem import Law

UNIFORM = "uniform"


@dataclass(frozen=True, kw_only=True)
class Weighting:
    """An estimate is the mean over instances of a weight x(r) per sampled rank."""

    def weights(self, problem, prior):
        """Return x, sampled ranks x columns. prior : P(R)."""
        raise NotImplementedError

    def estimate(self, problem, prior=None):
        """Return ... x columns. prior : P(R) as another estimator fitted it to each histogram, uniform if not given."""
        shares = problem.seen.shares
        if prior is None:
            return shares @ self.weights(problem, np.full(problem.n_items, 1 / problem.n_items))
        priors = np.broadcast_to(prior, (*shares.shape[:-1], problem.n_items)).reshape(-1, problem.n_items)
        rows = zip(shares.reshape(-1, shares.shape[-1]), priors, strict=True)
        return np.stack([row @ self.weights(problem, p) for row, p in rows]).reshape(*shares.shape[:-1], -1)


@dataclass(frozen=True, kw_only=True)
class Fitting:
    """An estimate is the sum over R of P(R) F(R), with P fitted to the sampled ranks."""

    law: Law = "binomial"

    def fit(self, problem):
        """Return P(R), ... x C."""
        raise NotImplementedError

    def estimate(self, problem, prior=None):
        """Return ... x columns. prior : what ``fit`` returned, if it was called before."""
        return (self.fit(problem) if prior is None else prior) @ problem.exact
