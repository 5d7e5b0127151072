"""Rank test items exactly, and list the best items of their users."""

import numpy as np

from truerank.artefacts.rank_table import Lists, RankTable
from truerank.artefacts.split import TestRows
from truerank.core.training import Trained, called
from truerank.errors import UserError
from truerank.models._core.base import Train
from truerank.models._core.calibration import gives_ratings, predict
from truerank.provenance import generator
from truerank.ranking.exact import Ranking, rank_items
from truerank.ranking.order import order_key, tie_hashes


def rank(
    model: Trained,
    history: Train,
    test: TestRows,
    names: tuple[str, ...],
    seed: int,
    ties: str = "random",
    depth: int = 100,
    threads: int = 1,
) -> tuple[RankTable, Lists]:
    """Return the rank table of a model, and lists of up to ``depth`` items of every user with a test row.

    names : dataset, split and model. The order that decides ties is the same for all models of a split.
    """
    dataset, split, name = names
    key = order_key(generator(seed, "rank_items", dataset, split))
    try:
        ranking = rank_items(
            lambda block: model.recommender.scores(model.learnt, history, block),
            history.matrix,
            test.user,
            test.item,
            key,
            tie_hashes(ties, key, test.user, test.item, np.nan_to_num(test.rating)),
            depth=depth,
            threads=threads,
        )
    except UserError as failure:
        raise UserError(
            f"{called(model.definition, name)} cannot be ranked on {dataset}/{split}: {failure}; "
            "change its settings or leave it out of the config's select"
        ) from failure
    candidates = (history.n_items - np.diff(history.matrix.indptr))[test.user].astype(np.int32)
    predicted = predict(model.learnt, ranking.score, history, gives_ratings(model.definition))
    counts = {"above": ranking.above, "tied": ranking.tied, "candidates": candidates, "before": ranking.before}
    return RankTable(*test, score=ranking.score, **counts, prediction=predicted), lists_of(ranking)


def lists_of(ranking: Ranking) -> Lists:
    places = ranking.list_item >= 0
    row, column = np.nonzero(places)
    position = (column + 1).astype(np.int32)
    return Lists(ranking.users[row].astype(np.int32), position, ranking.list_item[places], ranking.list_score[places])


def needs_whole_history(model: Trained) -> bool:
    """Tell whether a model needs the training rows of other users to score one.

    The scale of ratings, which bounds predictions, is that of all training rows.
    """
    return not model.recommender.needs_only_own_history or gives_ratings(model.definition)
