"""Rank some of the relevant test items among negatives that are drawn and scored."""

from truerank.artefacts.array_parts import write_array_parts
from truerank.artefacts.models import load_model
from truerank.artefacts.split import Split
from truerank.core.sampling import drawn
from truerank.core.training import restored
from truerank.sampling._core.sample import PER_INSTANCE
from truerank.stages import Files, Settings


def draw_shard(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write what ``sample_ranks`` does, with the ranks of the instances of one shard only.

    settings : the definitions of the ``sampler`` and of the ``models``, ``relevance``, ``ties``, ``candidates``,
    ``seed``; ``shards``, how many there are.
    """
    names, shard = settings.names[:-1], int(settings.names[-1])
    paths = zip(settings.models.items(), inputs.model, strict=True)
    models = {name: restored(definition, *load_model(path)) for (name, definition), path in paths}
    split = Split.of(inputs)
    rules = settings.sampler, settings.relevance, settings.ties, names, settings.seed
    own = (shard, settings.shards), settings.candidates
    parts = drawn(models, split.history(), split.tested(), *rules, *own)
    write_array_parts(outputs.sample_shards, parts, PER_INSTANCE)
