"""Rank every relevant test item among sampled candidates, for all models of a split."""

from collections.abc import Iterator, Sequence

from truerank.artefacts.array_parts import StoredArrays, write_array_parts
from truerank.artefacts.files import read_arrays
from truerank.artefacts.test_instances import INSTANCES_PER_BLOCK, read_some_ranks
from truerank.core.sampling import Samples, is_informed, searched, simulated
from truerank.provenance import PathLike
from truerank.sampling._core.sample import PER_INSTANCE
from truerank.stages import Files, Settings


def sample_ranks(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write ``models``, ``candidates`` per instance, and what the sampler gives (``core.sampling``).

    settings : the definition of the ``sampler``, ``model_names``, ``relevance``, ``seed``. What a sampler that lets
    models score items gave for shards of the instances is joined. Some instances are in memory at a time; all of a kind
    of sampler that takes all ranks, and of an informed one.
    """
    rules = settings.sampler, settings.model_names, settings.names, settings.seed
    if not inputs.sample_shards:
        parts = simulated(read_some_ranks(inputs.ranks, settings.relevance), *rules)
    elif is_informed(settings.sampler):
        parts = iter([searched([read_arrays(path) for path in inputs.sample_shards], *rules)])
    else:
        parts = drawn_parts(inputs.sample_shards)
    write_array_parts(outputs.samples, parts, PER_INSTANCE)


def drawn_parts(shards: Sequence[PathLike]) -> Iterator[Samples]:
    """Yield what shards drew, some instances at a time. Each shard has the candidates of all instances."""
    first = StoredArrays(shards[0])
    stop = 0
    for path in shards:
        for part in StoredArrays(path).parts(PER_INSTANCE, INSTANCES_PER_BLOCK, without="candidates"):
            start, stop = stop, stop + part["rank"].shape[-1]
            models = {"models": part.pop("models")}
            yield models | {"candidates": first.part("candidates", slice(start, stop))} | part
