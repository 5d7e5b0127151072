"""Join the exact ranks and lists of the shards of a model; how it was cut does not show in the bytes."""

from truerank.artefacts.files import read_parts, write_parts
from truerank.stages import Files, Settings


def rank_items(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the rank table and the lists of all users."""
    write_parts(outputs.ranks, read_parts(inputs.rank_shards))
    write_parts(outputs.lists, read_parts(inputs.list_shards))
