"""Rank the test items of some users exactly, and list these users' best items."""

import numpy as np

from truerank.artefacts.files import n_rows, read_columns, write_table
from truerank.artefacts.models import load_model
from truerank.artefacts.training_rows import read_train
from truerank.errors import UserError
from truerank.models._core.calibration import gives_ratings, predict
from truerank.provenance import generator
from truerank.ranking.exact import rank_items, rows_per_block
from truerank.ranking.order import order_key, tie_hashes
from truerank.ranking.shards import shard_of


def rank_shard(
    train, test, users, items, model, definition, names, ties, seed, threads, ranks, lists, shard=(0, 1), depth=100
):
    """Write the rank table of one model, and its lists of up to ``depth`` items, for the users of a shard.

    names : dataset, split and model. The order that decides ties is the same for all models of a split. The last column
    of the rank table is the predicted rating, null where the model predicts none. shard : number and count.
    """
    dataset, split, name = names
    recommender, learnt = load_model(model, definition)
    span = users_of(test, rows_per_block(n_rows(items)), shard)
    user, item, rating = read_columns(test, "user", "item", "rating", users=span)
    # The scale of ratings, which bounds predictions, is that of all training rows.
    own_history = recommender.needs_only_own_history and not gives_ratings(definition)
    history = read_train(train, users, items, span if own_history else None)
    key = order_key(generator(seed, "rank_items", dataset, split))
    try:
        ranking = rank_items(
            lambda block: recommender.scores(learnt, history, block),
            history.matrix,
            user,
            item,
            key,
            tie_hashes(ties, key, user, item, np.nan_to_num(rating)),
            depth=depth,
            threads=threads,
        )
    except UserError as failure:
        raise UserError(
            f"model {name!r} ({definition['kind']}) cannot be ranked on {dataset}/{split}: {failure}; "
            "change its settings or leave it out of the config's select"
        ) from failure
    candidates = history.n_items - np.diff(history.matrix.indptr)
    tested = {"user": user, "item": item, "rating": rating, "score": ranking.score}
    counts = {"above": ranking.above, "tied": ranking.tied, "candidates": candidates[user].astype(np.int32)}
    predicted = predict(learnt, ranking.score, history, gives_ratings(definition))
    write_table(ranks, tested | counts | {"before": ranking.before, "prediction": predicted})
    write_table(lists, list_table(ranking))


def users_of(test, users_per_block, shard):
    """Return the first and the last of the test users of a shard, an empty span if it has none."""
    users = np.unique(read_columns(test, "user")[0])
    users = users[shard_of(len(users), users_per_block, *shard)]
    return (users[0], users[-1]) if len(users) else (0, -1)


def list_table(ranking):
    places = ranking.list_item >= 0
    row, column = np.nonzero(places)
    return {
        "user": ranking.users[row].astype(np.int32),
        "position": (column + 1).astype(np.int32),
        "item": ranking.list_item[places],
        "score": ranking.list_score[places],
    }
