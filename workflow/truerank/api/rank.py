"""Rank the test items among all candidates by a model's scores."""

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import pandas as pd
from scipy import sparse

from truerank.api.inputs.lists import TIES, place
from truerank.api.inputs.sources import Columns
from truerank.api.inputs.truth import Truth, read_truth
from truerank.api.judging import check_all_found, check_choice, check_columns
from truerank.api.results import Result
from truerank.ranking.candidates import Rule

RULES = get_args(Rule)


@dataclass(frozen=True)
class Ranked(Result):
    """Ranks of test items.

    ranks : user, item, rank, candidates: one row per test row, by user and item. ``found["rank"]`` is a column of it.
    """

    ranks: pd.DataFrame
    notes: tuple[str, ...] = ()

    def __getitem__(self, column: str) -> pd.Series:
        return self.ranks[column]

    def __len__(self) -> int:
        return len(self.ranks)


def rank(
    scores: Any,
    train: Any,
    test: Any,
    items: Any = None,
    candidates: Rule = "unseen",
    ties: str = "random",
    seed: int = 1,
    columns: Columns | None = None,
) -> Ranked:
    r"""Rank every test item among the candidates of its user.

    .. math:: 1 + |\{j : s_{uj} > s_{ui}\}| + \text{those of the same score that come first}

    scores : higher is better: a path, data frame, dictionary or scipy matrix as in ``evaluate``, or an array, users x
    items, whose row and column numbers are the ids. An item without a score, or with minus infinity in an array, is not
    recommended; a test item without a score ranks last. An item that is only in the scores is a candidate of the users
    who have a score for it. train : training rows, or None. test : test rows. items : the number of items in the
    catalogue, or ids in addition to those of train and test (and to the columns of an array or matrix).
    candidates : ``unseen``, all items except the user's training items; ``all``, every item; ``tested``, unseen items
    that are in the test rows of any user. ties : the order of equal scores, ``random``, ``optimistic`` or
    ``pessimistic``.

    >>> import numpy as np, truerank as tr
    >>> scores = np.array([[0.9, 0.8, 0.2, 0.1], [0.3, 0.1, 0.4, 0.2]])
    >>> tr.rank(scores, train={0: [0], 1: [2]}, test={0: [1, 3], 1: [1]}).ranks
       user  item  rank  candidates
    0     0     1     1           3
    1     0     3     3           3
    2     1     1     3           3
    """
    check_choice("candidates", candidates, RULES)
    check_choice("ties", ties, TIES)
    check_columns(columns)
    if items is None and (isinstance(scores, np.ndarray) or sparse.issparse(scores)) and scores.ndim == 2:
        items = np.arange(scores.shape[1])
    truth = read_truth(test, train, items, None, columns, candidates, graded=False)
    truth.closed = True
    placed = place(scores, "scores", truth, columns, ties=ties, seed=seed)
    check_all_found(columns, truth)
    if placed.n_absent:
        sentence = f"{placed.n_absent:,} of {truth.n_users:,} users have no candidate with a score in {placed.name}"
        placed.notes.insert(0, f"{sentence}: their items come last.")
    return Ranked(frame(truth, placed.rank, placed.candidates), tuple(placed.notes))


def frame(truth: Truth, rank: np.ndarray, candidates: np.ndarray | None) -> pd.DataFrame:
    """Return ranks with ids."""
    ids = {"user": truth.users.column()[truth.user], "item": truth.items.column()[truth.item]}
    return pd.DataFrame({**ids, "rank": rank, "candidates": candidates})
