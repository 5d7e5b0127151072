"""Rank the test items of some users exactly, and list these users' best items."""

from truerank.artefacts.models import load_model
from truerank.artefacts.split import Span, Split
from truerank.core.ranking import needs_whole_history, rank
from truerank.core.training import restored
from truerank.ranking.exact import rows_per_block
from truerank.ranking.shards import shard_of
from truerank.stages import Files, Settings


def rank_shard(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the rank table of one model, and its lists, for the users of a shard.

    settings : the definition of the ``model``, ``ties``, ``candidates``, ``depth`` of lists, ``seed``; ``shards``, how
    many there are.
    """
    split, model = Split.of(inputs), restored(settings.model, *load_model(inputs.model))
    names, shard = settings.names[:-1], int(settings.names[-1])
    span = users_of(split, shard, settings.shards)
    history = split.history(None if needs_whole_history(model) else span)
    rules = {name: getattr(settings, name) for name in ("ties", "depth", "threads", "candidates")}
    ranks, lists = rank(
        model, history, split.tested(span), names, settings.seed, **rules, test_item=split.tested_items()
    )
    ranks.write(outputs.rank_shards)
    lists.write(outputs.list_shards)


def users_of(split: Split, shard: int, n_shards: int) -> Span:
    """Return the first and the last of the test users of a shard, an empty span if it has none."""
    users = split.test_users()
    users = users[shard_of(len(users), rows_per_block(split.n_items), shard, n_shards)]
    return (users[0], users[-1]) if len(users) else (0, -1)
