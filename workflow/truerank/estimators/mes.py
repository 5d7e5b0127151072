"""Maximum entropy with a squared penalty, solved in its dual."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from truerank.estimators._core.base import Fitting
from truerank.estimators._core.problem import Problem
from truerank.registry import ESTIMATORS, Positive

TOLERANCE = 1e-9
MOST_STEPS = 60
FEWEST_SHARE = 2.0**-20


@ESTIMATORS.register("mes", takes=("ranks",))
@dataclass(frozen=True, kw_only=True)
class Mes(Fitting):
    r"""Fit P(R) by maximum entropy, with a penalty on the squared misfit to the sampled ranks.

    .. math:: \max_P \frac{\eta}{n} H(P) - \sum_r \tilde p_r \big((A^\top P)_r - \tilde p_r\big)^2, \qquad n = m + 1

    With t = eta / n the dual is smooth and has one variable per sampled rank that occurs,

    .. math:: \min_\mu \log \sum_R e^{A_R \mu} - \tilde p^\top \mu + \frac{t}{4} \sum_r \frac{\mu_r^2}{\tilde p_r},
              \qquad P(R) \propto e^{A_R \mu}

    Li et al. 2024, doi:10.1145/3629171, section 4.
    """

    eta: Positive = 0.01

    def fit(self, problem: Problem) -> np.ndarray:
        shares = problem.seen.shares
        rows = shares.reshape(-1, shares.shape[-1])
        fitted = maximum_entropy(problem.chances, rows, self.eta / shares.shape[-1], problem.size)
        return fitted.reshape(*shares.shape[:-1], len(problem.size))


def maximum_entropy(chances: np.ndarray, shares: np.ndarray, t: float, size: np.ndarray) -> np.ndarray:
    r"""Minimise the dual for all rows of ``shares`` at once by Newton steps, each solved by conjugate gradients.

    With mu = s nu, s = sqrt(2 p / t), the Hessian is 1 + s A' (diag P - P P') A s: the identity plus a matrix whose
    eigenvalues decay fast, since A smooths, so few products do. A row that is done is left alone.
    size : how many ranks each row of ``chances`` stands for, with the same P.
    """
    ways = np.log(size)
    seen = shares.any(axis=0)
    a, p = np.ascontiguousarray(chances[:, seen]), shares[:, seen]
    s = np.sqrt(2 * p / t)

    def value(nu: np.ndarray, p: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        score = (s * nu) @ a.T + ways
        top = score.max(axis=1, keepdims=True)
        weight = np.exp(score - top)
        total = weight.sum(axis=1, keepdims=True)
        dual = (top + np.log(total))[:, 0] - (p * s * nu).sum(axis=1) + (nu**2).sum(axis=1) / 2
        return dual, weight / total

    nu = np.zeros_like(p)
    dual, fitted = value(nu, p, s)
    rows = np.arange(len(p))
    for _ in range(MOST_STEPS):
        gradient = s[rows] * (fitted[rows] @ a - p[rows]) + nu[rows]
        unfinished = np.linalg.norm(gradient, axis=1) >= TOLERANCE
        rows, gradient = rows[unfinished], gradient[unfinished]
        if not len(rows):
            break
        scale, now, before = s[rows], fitted[rows], dual[rows]

        def hessian(v: np.ndarray, s: np.ndarray = scale, q: np.ndarray = now) -> np.ndarray:
            return v + s * (covariance(q, (s * v) @ a.T) @ a)

        step = -conjugate_gradients(hessian, gradient)
        slope = (step * gradient).sum(axis=1)
        share = np.ones(len(rows))
        while True:
            tried, found = value(nu[rows] + share[:, None] * step, p[rows], scale)
            short = (tried > before + 1e-4 * share * slope + 1e-15 * np.abs(before)) & (share > FEWEST_SHARE)
            if not short.any():
                break
            share[short] /= 2
        nu[rows] += share[:, None] * step
        dual[rows], fitted[rows] = tried, found
    return fitted


def covariance(p: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return (diag p - p p') v per row."""
    return p * (v - (p * v).sum(axis=1, keepdims=True))


def conjugate_gradients(apply: Callable[[np.ndarray], np.ndarray], target: np.ndarray) -> np.ndarray:
    """Solve apply(x) = target for every row, to a residual that shrinks with the target: Newton stays superlinear."""
    x = np.zeros_like(target)
    residual = target.copy()
    direction = residual
    square = (residual**2).sum(axis=1)
    goal = square * np.minimum(0.01, np.sqrt(square))
    for _ in range(2 * target.shape[1]):
        active = square > goal
        if not active.any():
            break
        image = apply(direction)
        curve = (direction * image).sum(axis=1)
        size = np.divide(square, curve, where=active & (curve > 0), out=np.zeros_like(square))
        x += size[:, None] * direction
        residual = residual - size[:, None] * image
        before, square = square, (residual**2).sum(axis=1)
        turn = np.divide(square, before, where=before > 0, out=np.zeros_like(square))
        direction = residual + turn[:, None] * direction
    return x
