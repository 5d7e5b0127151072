"""Rank test items exactly, and list the best items of their users."""

from dataclasses import replace

import numpy as np

from truerank.artefacts.rank_table import Lists, RankTable
from truerank.artefacts.split import TestRows
from truerank.core.training import Trained, called
from truerank.errors import UserError
from truerank.models._core.base import Train
from truerank.models._core.calibration import gives_ratings, predict
from truerank.provenance import generator
from truerank.ranking.candidates import Rule, candidates_of
from truerank.ranking.exact import Ranking, rank_items
from truerank.ranking.order import hashes, order_key, tie_hashes
from truerank.ranking.unknown import UnknownItems


def rank(
    model: Trained,
    history: Train,
    test: TestRows,
    names: tuple[str, ...],
    seed: int,
    ties: str = "random",
    depth: int = 100,
    threads: int = 1,
    candidates: Rule = "unseen",
    test_item: np.ndarray | None = None,
) -> tuple[RankTable, Lists]:
    """Return the rank table of a model, and lists of up to ``depth`` items of every user with a test row.

    names : dataset, split and model. The order that decides ties is the same for all models of a split. What a model
    recommends besides the catalogue counts as candidates of the user, and leaves gaps in the lists; nobody has it in
    the test set, so with candidates ``tested`` it is passed over. test_item : of all test rows, if ``test`` has only
    those of some users.
    """
    dataset, split, name = names
    among = candidates_of(candidates, history.matrix, test.item if test_item is None else test_item)
    key = order_key(generator(seed, "rank_items", dataset, split))
    tie_hash = tie_hashes(ties, key, test.user, test.item, np.nan_to_num(test.rating))
    try:
        ranking = rank_items(
            lambda block: model.recommender.scores(model.learnt, history, block),
            among.barred,
            test.user,
            test.item,
            key,
            tie_hash,
            depth=depth,
            threads=threads,
            left_out=among.left_out,
        )
    except UserError as failure:
        raise UserError(
            f"{called(model.definition, name)} cannot be ranked on {dataset}/{split}: {failure}; "
            "change its settings or leave it out of the config's select"
        ) from failure
    n_candidates = among.per_user[test.user].astype(np.int32)
    lists = lists_of(ranking)
    unknown = model.recommender.unknown_items(model.learnt)
    if unknown is not None and len(unknown.user) and candidates != "tested":
        ranking = behind_unknown(ranking, unknown, test, tie_hash, key)
        lists = with_gaps(lists, unknown, test, tie_hash, key, depth)
        n_candidates += unknown.per_user(history.n_users)[test.user].astype(np.int32)
    predicted = predict(model.learnt, ranking.score, history, gives_ratings(model.definition))
    counts = {"above": ranking.above, "tied": ranking.tied, "candidates": n_candidates, "before": ranking.before}
    return RankTable(*test, score=ranking.score, **counts, prediction=predicted), lists


def lists_of(ranking: Ranking) -> Lists:
    places = ranking.list_item >= 0
    row, column = np.nonzero(places)
    position = (column + 1).astype(np.int32)
    return Lists(ranking.users[row].astype(np.int32), position, ranking.list_item[places], ranking.list_score[places])


def behind_unknown(
    ranking: Ranking, unknown: UnknownItems, test: TestRows, tie_hash: np.ndarray, key: np.uint64
) -> Ranking:
    """Return test rows ranked behind the unknown items that precede them. tie_hash : per test row."""
    above, tied = (count(test.user, ranking.score).astype(np.int32) for count in (unknown.above, unknown.tied))
    ahead = unknown.ahead(test.user, ranking.score, tie_hash, key).astype(np.int32)
    counts = {"above": ranking.above + above, "tied": ranking.tied + tied, "before": ranking.before + ahead - above}
    return replace(ranking, **counts)


def with_gaps(
    lists: Lists, unknown: UnknownItems, test: TestRows, tie_hash: np.ndarray, key: np.uint64, depth: int
) -> Lists:
    """Return lists whose items stand behind the unknown ones that precede them, up to place ``depth``."""
    placed = hashes(key, lists.user, lists.item)
    n_items = 1 + max(lists.item.max(initial=0), test.item.max(initial=0))
    tested = test.user.astype(np.int64) * n_items + test.item  # ascending, as test rows are
    pair = lists.user.astype(np.int64) * n_items + lists.item
    row = np.minimum(np.searchsorted(tested, pair), len(tested) - 1)
    placed = np.where(tested[row] == pair, tie_hash[row], placed)
    position = (lists.position + unknown.ahead(lists.user, lists.score, placed, key)).astype(np.int32)
    kept = position <= depth
    return Lists(lists.user[kept], position[kept], lists.item[kept], lists.score[kept])


def needs_whole_history(model: Trained) -> bool:
    """Tell whether a model needs the training rows of other users to score one.

    The scale of ratings, which bounds predictions, is that of all training rows.
    """
    return not model.recommender.needs_only_own_history or gives_ratings(model.definition)
