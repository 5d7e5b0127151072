"""Evaluate the recommendations of one model."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from truerank.api.inputs.sources import Columns
from truerank.api.judging import Judge
from truerank.api.results import Result
from truerank.metrics._core.evaluation import mean_over_users

SUMMARY = ["metric", "k", "value", "ci_low", "ci_high", "users", "undefined"]


@dataclass(frozen=True)
class Evaluated(Result):
    """Metrics of one model.

    summary : metric, k, value, ci_low, ci_high, users, undefined. per_user : user, and a column per metric and cut-off,
    NaN where undefined; HTML pages leave it out, ``to_csv(path, "per_user")`` writes it.
    """

    summary: pd.DataFrame
    per_user: pd.DataFrame
    notes: tuple[str, ...] = ()

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        return {"summary": self.summary}

    def frame(self, name: str | None = None) -> pd.DataFrame:
        return self.per_user if name == "per_user" else super().frame(name)


def evaluate(
    run: Any,
    test: Any,
    metrics: str | Iterable[str],
    train: Any = None,
    items: Any = None,
    relevant_from: float | None = None,
    undefined_users: str = "zero",
    unknown: str = "miss",
    ties: str = "random",
    columns: Columns | None = None,
    confidence: float = 0.95,
    seed: int = 1,
) -> Evaluated:
    """Evaluate lists of recommendations on a test set.

    run, test, train : a path (CSV, TSV, Parquet, JSON, JSONL, TREC, or one of these with .gz), a data frame, a
    dictionary by user (``{user: {item: number}}`` or ``{user: [item, ..]}``) or a scipy matrix. A run has a rank or a
    score, a test may have ratings. metrics : names such as "ndcg@10". items : the number of items in the catalogue, or
    their ids. relevant_from : the lowest relevant rating. unknown : a recommended item that is not in the catalogue
    keeps its position as a miss (``miss``) or is an error (``error``). ties : the order of equal scores, ``random``,
    ``optimistic`` or ``pessimistic``. columns : column names by role, such as ``{"user": "customer_id"}``.
    confidence : the confidence level of the intervals.

    >>> import truerank as tr
    >>> run = {"ann": ["tea", "jam", "rice"], "bob": ["jam", "tea", "oats"]}
    >>> test = {"ann": ["jam"], "bob": ["oats", "rice"]}
    >>> found = tr.evaluate(run, test, ["recall@2", "mrr"])
    >>> found.summary[["metric", "k", "value", "users"]]
       metric    k     value  users
    0  recall    2  0.500000      2
    1      rr  all  0.416667      2
    >>> found.per_user
      user  recall@2    rr@all
    0  ann       1.0  0.500000
    1  bob       0.0  0.333333
    >>> for note in found.notes:
    ...     print(note)
    mrr is rr@all.
    2 of 6 rows of run (33.3 %) have an item that is not in test: it keeps its position as a miss.
    """
    judge = Judge(
        *(test, metrics, train, items, relevant_from, undefined_users, unknown, ties, columns, confidence, seed)
    )
    placed = judge.place(run, "run")
    values = judge.values(placed)
    rows = []
    for column in judge.described():
        mean = mean_over_users(values[column.asked.column], column.policy, column.low, column.high, confidence)
        rows.append({**column.named, **asdict(mean)})
    per_user = pd.DataFrame({"user": judge.users, **values})
    return Evaluated(pd.DataFrame(rows, columns=SUMMARY), per_user, (*judge.notes, *placed.notes))
