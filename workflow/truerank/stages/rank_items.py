"""Rank every test item exactly, and list every test user's best items."""

from truerank.artefacts.files import read_parts, write_parts
from truerank.stages.rank_shard import rank_shard


def rank_items(
    train,
    test,
    users,
    items,
    model,
    definition,
    names,
    ties,
    seed,
    threads,
    ranks,
    lists,
    depth=100,
    rank_shards=(),
    list_shards=(),
):
    """Write the rank table of one model, and its lists of up to ``depth`` items.

    rank_shards, list_shards : paths of what ``rank_shard`` wrote, in order, to be joined; if there are none, all users
    are ranked here. Either way the bytes are the same. The other arguments are those of ``rank_shard``.
    """
    if rank_shards:
        write_parts(ranks, read_parts(rank_shards))
        write_parts(lists, read_parts(list_shards))
    else:
        rank_shard(train, test, users, items, model, definition, names, ties, seed, threads, ranks, lists, depth=depth)
