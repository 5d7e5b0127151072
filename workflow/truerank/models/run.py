"""A system of somebody else's: what it recommends is read from a file, and nothing is learnt."""

from typing import Annotated, Literal

import numpy as np

from truerank.models._core.base import Learnt, Recommender, Train
from truerank.models._core.progress import Callback
from truerank.ranking.unknown import UnknownItems
from truerank.registry import MODELS

COLUMN = {"anyOf": [{"type": "string", "minLength": 1}, {"type": "integer", "minimum": 0}]}
Columns = Annotated[
    dict,
    {
        "properties": dict.fromkeys(("user", "item", "score", "rank"), COLUMN),
        "required": ["user", "item"],
        "additionalProperties": False,
    },
]


def run_path(path: str, dataset: str, split: str) -> str:
    """Return the file that a run's ``path`` means for one dataset and split."""
    return path.replace("{dataset}", dataset).replace("{split}", split)


@MODELS.register(
    "run",
    uses=(),
    predicts_ratings=False,
    time="rows",
    memory="rows",
    inputs=("path",),
    only_with={"columns": ("format", ["auto", "csv", "tsv", "semicolon", "pipe", "parquet"])},
)
class Run(Recommender):
    """Use the scores of a file, and recommend only the items that it lists for the user.

    path : the file; ``{dataset}`` and ``{split}`` in it stand for their names. format, columns, header, encoding : how
    it is laid out, see docs/runs.md. unknown : with ``miss``, an item that the dataset does not have
    keeps its place in the list and is never a hit, and rows of such users are left out; with ``error`` both stop the
    job. ratings : whether the scores are predicted ratings. A user who is not in the file gets no recommendations.
    """

    def __init__(
        self,
        *,
        path: str,
        format: Literal["auto", "trec", "csv", "tsv", "semicolon", "pipe", "parquet", "json"] = "auto",
        columns: Columns = None,
        header: bool = True,
        encoding: str = "auto",
        unknown: Literal["miss", "error"] = "miss",
        ratings: bool = False,
    ) -> None:
        self.path = path
        self.format = format
        self.columns = columns
        self.header = header
        self.encoding = encoding
        self.unknown = unknown
        self.ratings = ratings

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        """Keep the rows of ``train.given`` as a users x items matrix in CSR form, items ascending.

        Rows of unknown items are kept apart, rows of unknown users are counted as ``left_out``.
        """
        assert train.given is not None, "the stage reads them"
        user, item, score = train.given
        order = np.lexsort((item, user))
        user, item, score = user[order], item[order].astype(np.int32), score[order].astype(np.float32)
        own = user < train.n_users
        known, unknown = own & (item < train.n_items), own & (item >= train.n_items)
        start = np.append(0, np.cumsum(np.bincount(user[known], minlength=train.n_users)))
        matrix = {"start": start, "item": item[known], "score": score[known], "left_out": np.array((~own).sum())}
        besides = {"user": user[unknown].astype(np.int32), "item": item[unknown], "score": score[unknown]}
        return matrix | {f"unknown_{name}": column for name, column in besides.items()}

    def unknown_items(self, learnt: Learnt) -> UnknownItems:
        return UnknownItems(*(learnt[f"unknown_{name}"] for name in ("user", "item", "score")))

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        found = np.full((len(users), train.n_items), -np.inf, np.float32)
        for row, user in enumerate(users):
            own = slice(learnt["start"][user], learnt["start"][user + 1])
            found[row, learnt["item"][own]] = learnt["score"][own]
        return found

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        found = np.full(items.shape, -np.inf, np.float32)
        for row, user in enumerate(users):
            own = slice(learnt["start"][user], learnt["start"][user + 1])
            listed, score = learnt["item"][own], learnt["score"][own]
            if len(listed):
                place = np.minimum(np.searchsorted(listed, items[row]), len(listed) - 1)
                found[row] = np.where(listed[place] == items[row], score[place], -np.inf)
        return found
