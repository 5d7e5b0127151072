"""What an informed sampler gives."""

from dataclasses import dataclass

import numpy as np

from truerank.informed.strata import Seen, seen_from


@dataclass(frozen=True)
class InformedSample:
    """What was asked of each instance along a proxy: models x repeats, x instances, x strata of positions.

    hits, draws : candidates ahead and scored, by stratum; ``head`` says which strata there are, and entries behind them
    are 0. level : position j behind the head was scored with chance min(1, level j^-1/2). followed : whether the proxy
    was; else draws are uniform negatives, all in the first stratum. n, own_rank : per instance, its other candidates
    and the proxy's rank of it. audited, chance : the exact rank of instances that were completed at random, 0 of
    others, and the chance that they had. scores : asked for in all. places : K.
    """

    hits: np.ndarray
    draws: np.ndarray
    head: np.ndarray
    level: np.ndarray
    followed: np.ndarray
    n: np.ndarray
    own_rank: np.ndarray
    audited: np.ndarray
    chance: np.ndarray
    scores: np.ndarray
    places: np.ndarray | np.integer

    @property
    def n_places(self) -> int:
        return int(self.places)

    def seen(self, model: int, repeat: int) -> Seen:
        """Return what a search saw that followed the proxy."""
        at = model, repeat
        return seen_from(self.hits[at], self.draws[at], int(self.head[at]), self.n, self.own_rank, self.n_places)
