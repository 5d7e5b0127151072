"""Negatives that are drawn and scored, not simulated: for catalogues too large to rank."""

from collections.abc import Sequence

import numpy as np

from truerank.registry import SAMPLERS, Count
from truerank.sampling._core.instances import Instances
from truerank.sampling._core.sample import Sample
from truerank.sampling._core.scoring import Scorer, rank_among
from truerank.sampling._core.simulation import check_enough


@SAMPLERS.register("draw", needs="models", gives="ranks")
def draw(
    instances: Instances,
    scorers: Sequence[Scorer],
    rng: np.random.Generator,
    *,
    negatives: Count,
    replace: bool = False,
    repeats: Count = 10,
) -> Sample:
    """Draw negatives for each instance and repeat, the same for all models, and score nothing else.

    instances : the test items (``Instances``). scorers : per model a function from users and users x n items to scores;
    ranks are those of ``rank_among``. Time and memory grow with the number of negatives, not of items. Without
    replacement, it is an error if a user has fewer other candidates than negatives.

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, section 4.
    """
    if not replace:
        check_enough(instances.candidates, negatives, "negatives")

    def choose(row: int, stream: np.random.Generator) -> tuple[np.ndarray, None]:
        return instances.others(row, stream, repeats, negatives, replace), None

    sampled, _ = rank_among(instances, scorers, rng, negatives, repeats, choose)
    return Sample(sampled, np.int32(negatives))
