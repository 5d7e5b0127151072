"""Rank every relevant test item among sampled candidates, for all models of a split."""

from collections.abc import Iterator, Sequence

import numpy as np

from truerank.artefacts.array_parts import StoredArrays, write_array_parts
from truerank.artefacts.test_instances import INSTANCES_PER_BLOCK, read_some_ranks
from truerank.core.sampling import SampleArrays, is_informed, searched, simulated
from truerank.informed.ahead import Ahead, LinedUp, joined
from truerank.provenance import PathLike
from truerank.ranking.shards import blocks
from truerank.sampling._core.sample import PER_INSTANCE
from truerank.stages import Files, Settings
from truerank.value_counts import ValueCounts


def sample_ranks(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write ``models``, ``candidates`` per instance, and what the sampler gives (``core.sampling``).

    settings : the definition of the ``sampler``, ``model_names``, ``relevance``, ``seed``. What a sampler that lets
    models score items gave for shards of the instances is joined. Some instances are in memory at a time; all of a kind
    of sampler that takes all ranks.
    """
    rules = settings.sampler, settings.model_names, settings.names, settings.seed
    if not inputs.sample_shards:
        parts = simulated(read_some_ranks(inputs.ranks, settings.relevance), *rules)
    elif is_informed(settings.sampler):
        parts = searched(read_lined_up(inputs.sample_shards), *rules)
    else:
        parts = drawn_parts(inputs.sample_shards)
    write_array_parts(outputs.samples, parts, PER_INSTANCE)


def read_lined_up(shards: Sequence[PathLike]) -> LinedUp:
    """Return what shards say that models put ahead."""
    stored = [StoredArrays(path, PER_INSTANCE) for path in shards]
    ends = np.cumsum([each.length("n") for each in stored]).tolist()
    n = ValueCounts(np.int64)
    for each in stored:
        for rows in blocks(each.length("n"), INSTANCES_PER_BLOCK):
            n.add(each.part("n", rows))

    def read(model: int, rows: slice) -> Ahead:
        parts = []
        for each, start, end in zip(stored, [0, *ends], ends, strict=False):
            own = slice(max(rows.start, start) - start, min(rows.stop, end) - start)
            if own.start < own.stop:
                bits = each.part("bits", own, (model,))
                parts.append(Ahead(bits, each.part("n", own), each.part("own_rank", own), start + own.start))
        return joined(parts)

    return LinedUp(stored[0].shape("bits")[0], n, read)


def drawn_parts(shards: Sequence[PathLike]) -> Iterator[SampleArrays]:
    """Yield what shards drew, some instances at a time. Each shard has the candidates of all instances."""
    first = StoredArrays(shards[0], PER_INSTANCE)
    stop = 0
    for path in shards:
        for part in StoredArrays(path, PER_INSTANCE).parts(INSTANCES_PER_BLOCK, without="candidates"):
            start, stop = stop, stop + part["rank"].shape[-1]
            models = {"models": part.pop("models")}
            yield models | {"candidates": first.part("candidates", slice(start, stop))} | part
