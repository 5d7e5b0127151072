"""What an informed sampler gives."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from truerank.informed.strata import Seen, group_of_power, power_of, seen_from, stratum_edges
from truerank.value_counts import ValueCounts

At = tuple[int, int]  # a model and a repeat


@dataclass(frozen=True)
class InformedSample:
    """What was asked of some instances along a proxy: models x repeats, x instances, x strata of positions.

    hits, draws : candidates ahead and scored, by stratum; ``head`` says which strata there are, and entries behind them
    are 0. level : position j behind the head was scored with chance min(1, level j^-1/2). followed : whether the proxy
    was; else draws are uniform negatives, all in the first stratum. n, own_rank : per instance, its other candidates
    and the proxy's rank of it. audited, chance : the exact rank of instances that were completed at random, 0 of
    others, and the chance that they had. scores : asked for in all, of these instances and those before. places : K.
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


PER_REPEAT = {"hits": -2, "draws": -2, "audited": -1, "chance": -1}  # per model and repeat, with the axis of instances


@dataclass(frozen=True)
class InformedSamples:
    """What an informed sampler gave, some instances in memory at a time.

    models : names. about : the arrays of an ``InformedSample`` that are not per instance. n : of all instances,
    counted. group : per power of two of the proxy's rank of an instance (``group_of_power``). read : from a model and a
    repeat and names of arrays to these, some instances at a time.
    """

    models: np.ndarray
    about: dict[str, np.ndarray]
    n: ValueCounts
    group: np.ndarray
    read: Callable[..., Iterator[tuple[np.ndarray, ...]]]

    @classmethod
    def of(cls, models: np.ndarray, about: dict[str, np.ndarray], read: Callable[..., Iterator]) -> "InformedSamples":
        """Count what is read of ``n`` and ``own_rank``."""
        n, powers = ValueCounts(np.int64), ValueCounts(np.int64)
        for each, own_rank in read((0, 0), "n", "own_rank"):
            n.add(each)
            powers.add(power_of(own_rank))
        count = np.zeros(int(powers.values.max()) + 1, np.int64)
        count[powers.values] = powers.n
        return cls(models, about, n, group_of_power(count), read)

    @classmethod
    def whole(cls, parts: Iterable[InformedSample]) -> "InformedSamples":
        """Return samples that are in memory, as one part."""
        held = [vars(part) for part in parts]
        axes = PER_REPEAT | {"n": -1, "own_rank": -1}
        arrays = {name: np.concatenate([part[name] for part in held], axis) for name, axis in axes.items()}

        def read(at: At, *names: str) -> Iterator[tuple[np.ndarray, ...]]:
            yield tuple(arrays[name][at] if name in PER_REPEAT else arrays[name] for name in names)

        about = {name: array for name, array in held[-1].items() if name not in axes}
        return cls.of(np.arange(len(about["scores"])), about, read)

    @property
    def n_places(self) -> int:
        return int(self.about["places"])

    @property
    def n_items(self) -> int:
        """The mean number of candidates."""
        return round(float(self.n.values @ self.n.n / len(self.n))) + 1

    def seen(self, at: At) -> Iterator[Seen]:
        """Yield what a search saw that followed the proxy."""
        head = int(self.about["head"][at])
        edges = stratum_edges(int(self.n.values[-1]), head)
        for hits, draws, n, own_rank in self.read(at, "hits", "draws", "n", "own_rank"):
            yield seen_from(hits, draws, n, self.group[power_of(own_rank)], edges, head, self.n_places)
