"""Evaluate the metrics of single users, for some of the users of all models of a split."""

from collections.abc import Iterator

import numpy as np

from truerank.artefacts.catalogue import read_catalogue
from truerank.artefacts.files import read_columns
from truerank.artefacts.per_user import write_shard
from truerank.artefacts.rank_table import read_judgements, read_lists
from truerank.artefacts.split import Split
from truerank.core.evaluation import evaluate_by_rule, per_user, shard_columns, wants_lists
from truerank.metrics._core.listed import Catalogue
from truerank.provenance import PathLike
from truerank.ranking.shards import blocks, shard_of
from truerank.stages import Files, Settings

USERS_PER_BLOCK = 1 << 14


def evaluate_shard(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write model, user and one column per metric and cut-off, two where a metric is over all ratings: a user's sums.

    settings : ``model_names``, ``metrics``, ``cutoffs``, ``relevance``; ``shards``, how many there are.
    """
    users = np.unique(read_columns(inputs.ranks[0], "user")[0])
    users = users[shard_of(len(users), USERS_PER_BLOCK, int(settings.names[-1]), settings.shards)]
    split, metrics = Split.of(inputs), per_user(settings.metrics)
    catalogue = read_catalogue(split) if wants_lists(metrics) else None
    models = zip(settings.model_names, inputs.ranks, inputs.lists, strict=True)
    parts = (
        (model, values)
        for model, ranks, lists in models
        for values in by_block(ranks, lists, users, split, catalogue, settings)
    )
    write_shard(outputs.metric_shards, shard_columns(settings.metrics, settings.cutoffs), parts)


def by_block(
    ranks: PathLike, lists: PathLike, users: np.ndarray, split: Split, catalogue: Catalogue | None, settings: Settings
) -> Iterator[dict[str, np.ndarray]]:
    """Yield user codes and values of one model by column, in blocks of users that are the same for all shards."""
    metrics = per_user(settings.metrics)
    for rows in blocks(len(users), USERS_PER_BLOCK):
        span = users[rows][0], users[rows][-1]
        found = read_judgements(ranks, split.history(span), split.scale, span)
        listed = None if catalogue is None else read_lists(lists, found.user, span)
        values = evaluate_by_rule(found, metrics, settings.cutoffs, settings.relevance, listed, catalogue, apart=True)
        yield {"user": users[rows]} | values
