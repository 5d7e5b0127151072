"""Uniform negatives, the same number for everybody."""

import numpy as np

from truerank.registry import SAMPLERS, Count
from truerank.sampling.sample import Sample
from truerank.sampling.simulation import check_enough, simulate


@SAMPLERS.register("uniform", needs="ranks", gives="ranks")
def uniform(rank, candidates, rng, *, negatives: Count, replace: bool = False, repeats: Count = 100):
    """Simulate ranks among uniformly drawn negatives from the exact ranks.

    rank : models x instances. candidates : per instance. The ranks of each model have exactly the law of drawing items;
    two models share uniforms, not items, so their joint law differs from that of ``draw``.
    """
    if not replace:
        check_enough(candidates, negatives, "negatives")
    uniforms = rng.random((repeats, len(candidates)))
    sampled = [simulate(of_model, candidates, negatives, uniforms, replace) for of_model in rank]
    return Sample(np.stack(sampled), np.int32(negatives))
