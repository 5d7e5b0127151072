"""The posterior of ranks up to K, from candidates scored in the order of a proxy."""

from dataclasses import dataclass

import numpy as np

from truerank.blas import single_threaded_blas
from truerank.estimators._core.base import Fitting
from truerank.estimators._core.histogram import histogram
from truerank.estimators._core.informed_problem import InformedProblem
from truerank.estimators._core.problem import Problem
from truerank.estimators.monotone_mle import MonotoneMle
from truerank.informed.posterior import rank_law
from truerank.provenance import generator
from truerank.registry import ESTIMATORS


@ESTIMATORS.register("informed", takes=("informed",))
@dataclass(frozen=True, kw_only=True)
class Informed(Fitting):
    r"""Average over instances the probability of each rank up to K, given the scored candidates.

    .. math:: \hat P(R = k) = \frac1n \sum_u P_u(R = k \mid \text{seen})
              + \frac1n \sum_{u \in A} \frac{[R_u = k] - P_u(R = k \mid \text{seen})}{q_u}

    P_u is certain for instances that are decided, and that of ``truerank.informed.posterior`` for others. A : the
    instances that an audit completed, with chance q. Where the sampler did not follow the proxy, P_u is the fit of
    ``monotone_mle`` to the uniform negatives, and certain where all candidates were drawn. Metrics beyond K are not
    estimated. New here: docs/informed.md.
    """

    def fit(self, problem: InformedProblem) -> np.ndarray:  # type: ignore[override]
        """Return P(R) for R = 1, .., K, and the rest in one, models x repeats x K + 1."""
        sample = problem.sample
        shape = sample.scores.shape
        found = np.zeros((*shape, sample.n_places + 1))
        with single_threaded_blas():
            for at in np.ndindex(shape):
                found[at][:-1] = self.mean_law(problem, *at)
        found[..., -1] = 1 - found.sum(axis=-1)
        return found

    def mean_law(self, problem: InformedProblem, model: int, repeat: int) -> np.ndarray:
        """Return P(R = k) for k up to K of one model and repeat, as rectified by the audit."""
        sample, at = problem.sample, (model, repeat)
        if sample.followed[at]:
            law = rank_law(sample.seen(*at), sample.n_places, generator(0, "informed", "fit"))
        else:
            law = uniform_law(problem, *at)
        rows = np.flatnonzero(sample.audited[at])
        true = sample.audited[at][rows, None] == np.arange(1, sample.n_places + 1)
        return law.mean(axis=0) + ((true - law[rows]) / sample.chance[at][rows, None]).sum(axis=0) / len(law)


def uniform_law(problem: InformedProblem, model: int, repeat: int) -> np.ndarray:
    """Return P(R = k) of each instance by monotone maximum likelihood, from uniform negatives."""
    sample, k = problem.sample, problem.sample.n_places
    hits, drawn = sample.hits[model, repeat][:, 0], sample.draws[model, repeat][:, 0]
    whole = drawn == sample.n
    fitted = MonotoneMle().fit(Problem(problem.n_items, histogram(1 + hits, drawn, whole)))[:k]
    law = np.tile(np.pad(fitted, (0, k - len(fitted))), (len(hits), 1))
    law[whole] = hits[whole, None] == np.arange(k)
    return law
