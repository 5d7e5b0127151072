"""Rank every test item exactly, and list every test user's best items."""

import numpy as np
import pandas as pd

from truerank.errors import UserError
from truerank.provenance import generator
from truerank.ranking import exact
from truerank.ranking.order import order_key, tie_hashes
from truerank.stages.files import read_arrays, read_table, write_table
from truerank.stages.train_model import make_model, read_train


def rank_items(train, test, users, items, model, definition, names, ties, seed, threads, ranks, lists):
    """Write the rank table of one model, and its lists of up to 100 items.

    names : dataset, split and model. The order that decides ties is the same for all models of a split.
    """
    dataset, split, name = names
    history = read_train(train, users, items)
    tested = read_table(test, ["user", "item", "rating"])
    user, item, rating = (tested[column].to_numpy() for column in tested)
    key = order_key(generator(seed, "rank_items", dataset, split))
    learnt, recommender = read_arrays(model), make_model(definition)
    try:
        ranking = exact.rank_items(
            lambda block: recommender.scores(learnt, history, block),
            history.matrix,
            user,
            item,
            key,
            tie_hashes(ties, key, user, item, np.nan_to_num(rating)),
            threads=threads,
        )
    except UserError as failure:
        raise UserError(
            f"model {name!r} ({definition['kind']}) cannot be ranked on {dataset}/{split}: {failure}; "
            "change its settings or leave it out of the config's select"
        ) from failure
    write_table(ranks, rank_table(tested, ranking, history))
    write_table(lists, list_table(ranking))


def rank_table(tested, ranking, history):
    candidates = history.n_items - np.diff(history.matrix.indptr)
    return tested.assign(
        score=ranking.score,
        above=ranking.above,
        tied=ranking.tied,
        candidates=candidates[tested["user"]].astype(np.int32),
        before=ranking.before,
    )


def list_table(ranking):
    places = ranking.list_item >= 0
    row, column = np.nonzero(places)
    return pd.DataFrame(
        {
            "user": ranking.users[row].astype(np.int32),
            "position": (column + 1).astype(np.int32),
            "item": ranking.list_item[places],
            "score": ranking.list_score[places],
        }
    )
