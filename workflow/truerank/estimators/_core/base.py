"""The two families of estimators.

One gives a weight to every sampled rank and averages; the other fits the distribution P(R) of exact ranks, from which
any metric at any cut-off follows. Both take all models and repeats at once.
"""

from dataclasses import dataclass

import numpy as np

from truerank.estimators._core.problem import Law, Problem

UNIFORM = "uniform"


@dataclass(frozen=True, kw_only=True)
class Weighting:
    """An estimate is the mean over instances of a weight x(r) per sampled rank."""

    law = "binomial"  # no setting, where the weights do not depend on it

    def weights(self, problem: Problem, prior: np.ndarray) -> np.ndarray:
        """Return x, sampled ranks x columns. prior : P(R)."""
        raise NotImplementedError

    def estimate(self, problem: Problem, prior: np.ndarray | None = None) -> np.ndarray:
        """Return ... x columns, for a uniform prior."""
        return problem.seen.shares @ self.weights(problem, problem.uniform)


@dataclass(frozen=True, kw_only=True)
class PriorWeighting(Weighting):
    r"""Weights that solve a linear system made of a prior of exact ranks.

    .. math:: x = K^{-1} A^\top D b, \qquad D = \mathrm{diag}(P)

    With a prior of its own for every histogram, K is solved for the one column of shares instead of all columns of b:
    the mean is :math:`\tilde p^\top x = (K^{-1} \tilde p)^\top A^\top D b`, the sum of F(R) times the ``implied``
    P(R).
    """

    def kernel(self, problem: Problem, gram: np.ndarray, admitted: np.ndarray) -> np.ndarray:
        """Turn ``gram``, A'DA, into K, symmetric and positive, in place. admitted : A'P, the chance of each r."""
        raise NotImplementedError

    def solve(self, problem: Problem, prior: np.ndarray, gram: np.ndarray, target: np.ndarray) -> np.ndarray:
        """Return K^-1 target. gram : A'DA, which is overwritten."""
        return solve_positive(self.kernel(problem, gram, prior @ problem.chances), target)

    def weights(self, problem: Problem, prior: np.ndarray) -> np.ndarray:
        target = problem.chances.T @ (prior[:, None] * problem.exact)
        return self.solve(problem, prior, problem.gram(prior), target)

    def estimate(self, problem: Problem, prior: np.ndarray | None = None) -> np.ndarray:
        """Return ... x columns. prior : P(R) as another estimator fitted it to each histogram, uniform if not given.

        With one prior for all repeats of a model, models x 1 x C, the weights are computed once per model.
        """
        if prior is None:
            return super().estimate(problem)
        shares = problem.seen.shares
        if prior.ndim == shares.ndim == 3 and prior.shape[1] == 1:
            return np.stack([own @ self.weights(problem, p) for own, (p,) in zip(shares, prior, strict=True)])
        return self.implied(problem, prior) @ problem.exact

    def implied(self, problem: Problem, prior: np.ndarray | None = None) -> np.ndarray:
        r"""Return the P(R) that the weights imply, ... x C: any metric's estimate is the sum of P(R) F(R).

        .. math:: \hat P(R) = \tilde p^\top K^{-1} A^\top D e_R

        It need not be positive, nor sum to 1. prior : as in ``estimate``.

        Li et al. 2024, doi:10.1145/3629171, eq. 28.
        """
        shares, n, uniform = problem.seen.shares, len(problem.size), problem.uniform
        if prior is None:  # one system for all histograms
            solved = self.solve(problem, uniform, problem.gram(uniform), shares.reshape(-1, shares.shape[-1]).T).T
            return (solved @ problem.chances.T * uniform).reshape(*shares.shape[:-1], n)
        priors = np.broadcast_to(prior, (*shares.shape[:-1], n)).reshape(-1, n)
        rows = zip(priors, problem.grams(priors), shares.reshape(len(priors), -1), strict=True)
        solved = np.stack([self.solve(problem, *row) for row in rows])
        return (solved @ problem.chances.T * priors).reshape(*shares.shape[:-1], n)


def solve_positive(kernel: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Solve a system whose matrix is symmetric and positive, but for rounding; the matrix is overwritten."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve  # slow to import, and a config is checked without

    diagonal = kernel.diagonal().copy()
    columns = kernel.T  # the same matrix in the order that LAPACK works in without a copy
    try:
        return cho_solve(cho_factor(columns, overwrite_a=True, check_finite=False), target, check_finite=False)
    except LinAlgError:
        untouched = np.tril(columns, -1)
        return np.linalg.solve(untouched + untouched.T + np.diag(diagonal), target)


@dataclass(frozen=True, kw_only=True)
class Fitting:
    """An estimate is the sum over R of P(R) F(R), with P fitted to the sampled ranks."""

    law: Law = "binomial"

    def fit(self, problem: Problem) -> np.ndarray:
        """Return P(R), ... x C."""
        raise NotImplementedError

    def estimate(self, problem: Problem, prior: np.ndarray | None = None) -> np.ndarray:
        """Return ... x columns. prior : what ``fit`` returned, if it was called before."""
        return (self.fit(problem) if prior is None else prior) @ problem.exact
