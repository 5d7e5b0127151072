"""Uniform negatives, the same number for all users."""

import numpy as np

from truerank.registry import SAMPLERS, Count
from truerank.sampling._core.sample import Sample
from truerank.sampling._core.simulation import check_enough, simulate


@SAMPLERS.register("uniform", needs="ranks", gives="ranks", takes="some")
def uniform(
    rank: np.ndarray,
    candidates: np.ndarray,
    rng: np.random.Generator,
    *,
    negatives: Count,
    replace: bool = False,
    repeats: Count = 100,
) -> Sample:
    r"""Simulate ranks among uniformly drawn negatives from the exact ranks.

    .. math:: r - 1 \sim \mathrm{Hypergeometric}(C - 1, R - 1, m)
              \quad\text{or, with replacement,}\quad \mathrm{Binomial}\Big(m, \frac{R - 1}{C - 1}\Big)

    m is ``negatives``. rank : models x instances. candidates : per instance. The ranks of each model have exactly the
    distribution of drawing items; two models share uniform random numbers, not items, so their joint distribution
    differs from that of ``draw``. Without replacement, fewer than m other candidates are an error.

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, section 4.
    """
    if not replace:
        check_enough(candidates, negatives, "negatives")
    uniforms = rng.random((repeats, len(candidates)))
    sampled = [simulate(of_model, candidates, negatives, uniforms, replace) for of_model in rank]
    return Sample(np.stack(sampled), np.int32(negatives))
