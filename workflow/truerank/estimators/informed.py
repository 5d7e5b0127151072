"""The posterior of ranks up to K, from candidates scored in the order of a proxy."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np

from truerank.blas import single_threaded_blas
from truerank.estimators._core.base import Fitting
from truerank.estimators._core.histogram import Histogram, histogram
from truerank.estimators._core.informed_problem import InformedProblem
from truerank.estimators._core.problem import Problem
from truerank.estimators.monotone_mle import MonotoneMle
from truerank.informed.posterior import rank_laws
from truerank.provenance import generator
from truerank.registry import ESTIMATORS
from truerank.sampling._core.informed_sample import At, InformedSamples


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
        samples = problem.samples
        shape = samples.about["scores"].shape
        found = np.zeros((*shape, samples.n_places + 1))
        with single_threaded_blas():
            for at in np.ndindex(shape):
                found[at][:-1] = self.mean_law(samples, at)
        found[..., -1] = 1 - found.sum(axis=-1)
        return found

    def mean_law(self, samples: InformedSamples, at: At) -> np.ndarray:
        """Return P(R = k) for k up to K of one model and repeat, as rectified by the audit."""
        if samples.about["followed"][at]:
            laws = rank_laws(partial(samples.seen, at), samples.n_places, generator(0, "informed", "fit"))
        else:
            laws = uniform_laws(samples, at)
        total = off = np.zeros(samples.n_places)
        for law, (audited, chance) in zip(laws, samples.read(at, "audited", "chance"), strict=True):
            rows = np.flatnonzero(audited)
            true = audited[rows, None] == np.arange(1, samples.n_places + 1)
            total = total + law.sum(axis=0)
            off = off + ((true - law[rows]) / chance[rows, None]).sum(axis=0)
        return total / len(samples.n) + off / len(samples.n)


def uniform_laws(samples: InformedSamples, at: At) -> Iterator[np.ndarray]:
    """Yield P(R = k) of each instance by monotone maximum likelihood, from uniform negatives, some at a time."""
    k, counted = samples.n_places, (histogram(1 + hits, *of_sets) for hits, *of_sets in uniform_negatives(samples, at))
    fitted = MonotoneMle().fit(Problem(samples.n_items, reduce(Histogram.added, counted)))[:k]
    for hits, _, whole in uniform_negatives(samples, at):
        law = np.tile(np.pad(fitted, (0, k - len(fitted))), (len(hits), 1))
        law[whole] = hits[whole, None] == np.arange(k)
        yield law


def uniform_negatives(samples: InformedSamples, at: At) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield how many uniform negatives were ahead and were drawn, and whether they are all, of some instances."""
    for hits, draws, n in samples.read(at, "hits", "draws", "n"):
        yield hits[:, 0], draws[:, 0], draws[:, 0] == n
