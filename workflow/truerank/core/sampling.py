"""Ranks of relevant test items among sampled candidates."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from truerank.artefacts.split import TestRows
from truerank.artefacts.test_instances import ExactRanks
from truerank.core.lining_up import lined_up
from truerank.core.training import Trained
from truerank.errors import UserError
from truerank.informed.ahead import LinedUp
from truerank.metrics._core.relevance import is_relevant
from truerank.models._core.base import Train
from truerank.provenance import generator
from truerank.ranking.candidates import Rule, candidates_of
from truerank.ranking.order import order_key, tie_hashes
from truerank.registry import SAMPLERS, Definition
from truerank.sampling._core.instances import Instances

SampleArrays = dict[str, np.ndarray]


def simulated(
    ranked: Iterable[ExactRanks], sampler: Definition, models: Sequence[str], names: tuple[str, ...], seed: int
) -> Iterator[SampleArrays]:
    """Yield what a sampler gives that starts from exact ranks, for as many instances at a time as it takes.

    ranked : blocks of all instances. names : dataset, split and sampler.
    """
    if excludes_test_items(sampler):
        ranked = (block.without_test_items() for block in ranked)
    takes = SAMPLERS.of(sampler).facts.takes
    taken = ((block.rank if takes != "none" else block.rank[:, :0].copy(), block.candidates) for block in ranked)
    number = -1
    for number, (rank, candidates) in enumerate(taken if takes == "some" else whole(taken)):
        yield sampled((rank, candidates), candidates, sampler, models, names, seed, number)
    if number < 0:
        raise nothing_to_sample(names)


def whole(blocks: Iterable[tuple[np.ndarray, np.ndarray]]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all blocks of ranks and candidates as one, if there are any."""
    if held := list(blocks):
        rank, candidates = (np.concatenate(arrays, axis=-1) for arrays in zip(*held, strict=True))
        yield rank, candidates


def drawn(
    models: Mapping[str, Trained],
    history: Train,
    test: TestRows,
    sampler: Definition,
    relevance: Definition,
    ties: str,
    names: tuple[str, ...],
    seed: int,
    shard: tuple[int, int] = (0, 1),
    candidates: Rule = "unseen",
) -> Iterator[SampleArrays]:
    """Return what a sampler gives that lets models score items, for one shard of the instances; of an informed one what
    it starts from, some instances at a time."""
    key = order_key(generator(seed, "rank_items", *names[:2]))
    tie_hash = tie_hashes(ties, key, test.user, test.item, np.nan_to_num(test.rating))
    kept = is_relevant(relevance, test.rating, rated=not np.isnan(test.rating).all())
    among = candidates_of(candidates, history.matrix, test.item)
    popularity = np.bincount(history.item, minlength=history.n_items)
    about = among, key, shard, popularity, excludes_test_items(sampler)
    instances = Instances(test.user, test.item, tie_hash, kept, *about)
    if is_informed(sampler):
        return lined_up(instances, models, history, sampler, names, seed)
    scorers = [scorer(model, history) for model in models.values()]
    return iter([sampled((instances, scorers), instances.candidates, sampler, list(models), names, seed)])


def excludes_test_items(sampler: Definition) -> bool:
    """Tell whether a user's other test items are left out of the candidates that are sampled."""
    return bool(SAMPLERS.shared_settings(sampler).get("exclude_test_items", False))


def is_informed(sampler: Definition) -> bool:
    return SAMPLERS.of(sampler).facts.gives == "informed"


def searched(
    lined_up: LinedUp, sampler: Definition, models: Sequence[str], names: tuple[str, ...], seed: int
) -> Iterator[SampleArrays]:
    """Return what an informed sampler gives, some instances at a time."""
    if not len(lined_up.n):
        raise nothing_to_sample(names)
    with named(names):
        parts = SAMPLERS.make(sampler)(lined_up, generator(seed, "sample_ranks", *names))
    return ({"models": np.array(list(models)), "candidates": part.n + 1, **vars(part)} for part in parts)


def scorer(model: Trained, history: Train) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Return a function that scores some items of some users."""
    return lambda users, items: model.recommender.scores_of(model.learnt, history, users, items)


def sampled(
    evidence: tuple,
    candidates: np.ndarray,
    sampler: Definition,
    models: Sequence[str],
    names: tuple[str, ...],
    seed: int,
    block: int = 0,
) -> SampleArrays:
    """Return ``models``, ``candidates`` per instance, and what the sampler gives: ``rank``, ``negatives``, ``exact``
    and what else a ``Sample`` has, or ``chosen`` instances. block : the number of the block of instances, each of which
    has a stream of random numbers of its own."""
    if not len(candidates):
        raise nothing_to_sample(names)
    stream = generator(seed, "sample_ranks", *names).bit_generator.jumped(block)  # type: ignore[attr-defined]
    with named(names):
        found = SAMPLERS.make(sampler)(*evidence, np.random.Generator(stream))
    given = {"chosen": found} if isinstance(found, np.ndarray) else vars(found)
    arrays = {name: value for name, value in given.items() if value is not None}
    return {"models": np.array(list(models)), "candidates": candidates, **arrays}


@contextmanager
def named(names: tuple[str, ...]) -> Iterator[None]:
    """Say which sampler a mistake is of."""
    try:
        yield
    except UserError as failure:
        raise UserError(f"sampler {names[-1]!r} on {'/'.join(names[:2])}: {failure}") from failure


def nothing_to_sample(names: tuple[str, ...]) -> UserError:
    return UserError(f"{'/'.join(names[:2])} has no relevant test item to sample for; lower relevance.threshold")
