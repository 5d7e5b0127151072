"""Rank every test item exactly, and list every test user's best items."""

import numpy as np

from truerank.errors import UserError
from truerank.models.calibration import gives_ratings, predict
from truerank.provenance import generator
from truerank.ranking import exact
from truerank.ranking.order import order_key, tie_hashes
from truerank.stages.files import read_arrays, read_columns, write_table
from truerank.stages.train_model import make_model, read_train


def rank_items(train, test, users, items, model, definition, names, ties, seed, threads, ranks, lists):
    """Write the rank table of one model, and its lists of up to 100 items.

    names : dataset, split and model. The order that decides ties is the same for all models of a split. The last column
    of the rank table is the predicted rating, null where the model predicts none.
    """
    dataset, split, name = names
    history = read_train(train, users, items)
    user, item, rating = read_columns(test, "user", "item", "rating")
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
    candidates = history.n_items - np.diff(history.matrix.indptr)
    tested = {"user": user, "item": item, "rating": rating, "score": ranking.score}
    counts = {"above": ranking.above, "tied": ranking.tied, "candidates": candidates[user].astype(np.int32)}
    predicted = predict(learnt, ranking.score, history, gives_ratings(definition))
    write_table(ranks, tested | counts | {"before": ranking.before, "prediction": predicted})
    write_table(lists, list_table(ranking))


def list_table(ranking):
    places = ranking.list_item >= 0
    row, column = np.nonzero(places)
    return {
        "user": ranking.users[row].astype(np.int32),
        "position": (column + 1).astype(np.int32),
        "item": ranking.list_item[places],
        "score": ranking.list_score[places],
    }
