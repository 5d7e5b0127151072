"""Rank every relevant test item among sampled candidates, for all models of a split."""

import numpy as np

from truerank.artefacts.files import read_arrays, write_arrays
from truerank.artefacts.test_instances import read_exact_ranks
from truerank.core.sampling import is_informed, searched, simulated
from truerank.stages import Files, Settings

PER_INSTANCE = ("rank", "rank_estimate")  # of what a sampler gives that lets models score items


def sample_ranks(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write ``models``, ``candidates`` per instance, and what the sampler gives (``core.sampling``).

    settings : the definition of the ``sampler``, ``model_names``, ``relevance``, ``seed``. What a sampler that lets
    models score items gave for shards of the instances is joined.
    """
    if inputs.sample_shards:
        parts = [read_arrays(path) for path in inputs.sample_shards]
        if is_informed(settings.sampler):
            found = searched(parts, settings.sampler, settings.model_names, settings.names, settings.seed)
        else:
            per_instance = [name for name in PER_INSTANCE if name in parts[0]]
            joined = {name: np.concatenate([part[name] for part in parts], axis=-1) for name in per_instance}
            found = parts[0] | joined
    else:
        ranked = read_exact_ranks(inputs.ranks, settings.relevance)
        found = simulated(ranked, settings.sampler, settings.model_names, settings.names, settings.seed)
    write_arrays(outputs.samples, found)
