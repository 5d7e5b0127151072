"""Evaluate the metrics of single users, for some of the users of one model."""

import numpy as np

from truerank.artefacts.files import read_columns, read_json, write_parts
from truerank.artefacts.metric_inputs import by_rule, read_catalogue, read_lists, read_ranks, wants_lists
from truerank.artefacts.training_rows import read_train
from truerank.metrics._core.evaluation import columns_of, evaluate, is_per_user
from truerank.metrics._core.listed import TopLists
from truerank.metrics._core.relevance import judged_by
from truerank.ranking.shards import blocks, shard_of

USERS_PER_BLOCK = 1 << 14


def evaluate_shard(ranks, lists, split, facts, metrics, cutoffs, relevance, shard, per_user):
    """Write ``user`` and one column per metric and cut-off; what the model cannot have has no column.

    ranks, lists : paths of the model's tables. split : paths of the training rows, the users and the items.
    facts : path of the dataset's summary. shard : number and count. A shard without users has no metric either.
    """
    values = list(values_by_block(ranks, lists, split, facts, metrics, cutoffs, relevance, shard))
    write_parts(per_user, values or [{"user": np.empty(0, np.int32)}])


def values_by_block(ranks, lists, split, facts, metrics, cutoffs, relevance, shard=(0, 1)):
    """Yield user codes and per-user values, column -> array, in blocks of users that are the same for all shards."""
    scale = read_json(facts)["rating_scale"]
    chosen = {name: definition for name, definition in metrics.items() if is_per_user(definition)}
    with_lists = wants_lists(chosen)
    catalogue = read_catalogue(split) if with_lists else None
    users = np.unique(read_columns(ranks, "user")[0])
    users = users[shard_of(len(users), USERS_PER_BLOCK, *shard)]
    for rows in blocks(len(users), USERS_PER_BLOCK):
        span = users[rows][0], users[rows][-1]
        table = read_ranks(ranks, read_train(*split, users=span), scale, users=span)
        listed_items = read_lists(lists, table["user"], users=span) if with_lists else None
        values = {}
        for rule, of_rule in by_rule(chosen, relevance):
            judged = judged_by(rule, **table)
            listed = TopLists(listed_items, judged, catalogue) if with_lists else None
            values |= evaluate(judged, of_rule, cutoffs, listed)
        yield {"user": judged.users} | {column: values[column] for column in per_user_columns(metrics, cutoffs, values)}


def per_user_columns(metrics, cutoffs, among=None):
    """Return the columns of all per-user metrics in the order of ``metrics``; those ``among`` some, if given."""
    every = (c for name, d in metrics.items() if is_per_user(d) for c in columns_of(name, d, cutoffs))
    return [column for column in every if among is None or column in among]
