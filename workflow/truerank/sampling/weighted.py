"""Negatives drawn by popularity to a power."""

from collections.abc import Sequence

import numpy as np

from truerank.errors import UserError
from truerank.registry import SAMPLERS, Count, NonNegative
from truerank.sampling._core.instances import Instances
from truerank.sampling._core.sample import Sample
from truerank.sampling._core.scoring import Scorer, rank_among
from truerank.sampling._core.weights import WeightedDraws


@SAMPLERS.register("weighted", needs="models", gives="weighted ranks")
def weighted(
    instances: Instances,
    scorers: Sequence[Scorer],
    rng: np.random.Generator,
    *,
    negatives: Count,
    power: NonNegative = 1.0,
    replace: bool = False,
    repeats: Count = 10,
) -> Sample:
    r"""Draw negatives with probabilities proportional to popularity to a power, the same items for all models.

    .. math:: w_j = n_j^{\text{power}}, \qquad \pi_j = m w_j / \sum_{\text{candidates}} w
              \quad\text{or, without replacement,}\quad \pi_j = 1 - e^{-w_j t}

    n_j : users who have item j in training. m : ``negatives``. Without replacement items are drawn one after the other,
    each with its probability among those left: the items with the m smallest :math:`e_j / w_j`, e exponential; t is the
    next smallest, and given t the inclusion probabilities are as above (``WeightedDraws``). ``Sample.rank_estimate`` is
    :math:`1 + \sum 1 / \pi_j` over drawn items above, whose mean is the exact rank, except that items without training
    users are never drawn unless power is 0. If the draws need more scores than there are items, all items are scored
    once. Without replacement, fewer than m items with positive weight are an error.

    Horvitz & Thompson 1952, doi:10.1080/01621459.1952.10483446; Cohen & Kaplan 2007, doi:10.1145/1281100.1281133.
    """
    draws = WeightedDraws(instances, power)
    fewest = int(draws.n_weighted.min())
    if fewest < (1 if replace else negatives):
        raise UserError(
            f"negatives asks for {negatives:,} different negatives, and some user has {fewest:,} candidates that "
            "anybody has in training; set it lower, or replace: true, or power: 0"
        )
    choose = draws.with_replacement if replace else draws.without_replacement
    score_all = repeats * negatives >= len(instances.among.pool)
    sampled, estimated = rank_among(
        instances,
        scorers,
        rng,
        negatives,
        repeats,
        lambda row, stream: choose(row, stream, repeats, negatives),
        score_all,
    )
    kept = np.array([draws.kept.min(), draws.kept.max()])
    return Sample(sampled, np.int32(negatives), rank_estimate=estimated, chances=draws.weight / draws.total, kept=kept)
