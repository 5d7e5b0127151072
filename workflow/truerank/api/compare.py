"""Compare several models: which is better, and is the difference significant?"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from truerank.api.inputs.sources import Columns
from truerank.api.judging import Judge
from truerank.api.results import Result
from truerank.blas import single_threaded_blas
from truerank.core.comparing import MOST_USERS, Scores, compare_paired, power
from truerank.errors import UserError
from truerank.provenance import generator


@dataclass(frozen=True)
class Compared(Result):
    """Models compared.

    summary : model, metric, k, value, ci_low, ci_high, users, undefined. pairs : metric, k, model_a, model_b,
    difference, ci_low, ci_high, effect_size, p_value, p_holm, p_fdr, detectable. power : metric, k, dp, dp_ordered,
    separated: the sum of p over pairs, and the number of pairs with Holm's p below .05. per_user : model, user, and a
    column per metric and cut-off; HTML pages leave it out.
    """

    summary: pd.DataFrame
    pairs: pd.DataFrame
    power: pd.DataFrame
    per_user: pd.DataFrame
    notes: tuple[str, ...] = ()

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        return {"summary": self.summary, "pairs": self.pairs, "power": self.power}

    def frame(self, name: str | None = None) -> pd.DataFrame:
        return self.per_user if name == "per_user" else super().frame(name)


def compare(
    runs: Mapping[str, Any],
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
) -> Compared:
    """Compare the recommendations of several models on one test set, each pair by a paired sign-flip test.

    runs : a mapping from names to recommendations; other parameters are those of ``evaluate``. A user without a list
    of a model scores 0 for it. confidence : the confidence level of each single interval. seed : the random seed of
    sign flips and ties.

    >>> import truerank as tr
    >>> test = {user: [f"i{user % 7}"] for user in range(40)}
    >>> good = {user: [f"i{user % 7}", "i0" if user % 7 else "i1"] for user in range(40)}
    >>> poor = {user: ["i0", "i1", "i2"] for user in range(40)}
    >>> found = tr.compare({"good": good, "poor": poor}, test, "hit@1")
    >>> found.summary[["model", "metric", "k", "value"]]
      model metric  k  value
    0  good    hit  1   1.00
    1  poor    hit  1   0.15
    >>> found.pairs[["model_a", "model_b", "difference", "p_value"]].round(4)
      model_a model_b  difference  p_value
    0    good    poor        0.85      0.0
    """
    if not isinstance(runs, Mapping) or len(runs) < 2:
        n = f"{len(runs)} model(s)" if isinstance(runs, Mapping) else f"of type {type(runs).__name__}"
        raise UserError(f"runs is {n}, expected a dictionary of two or more, name -> lists; add those to compare")
    judge = Judge(
        *(test, metrics, train, items, relevant_from, undefined_users, unknown, ties, columns, confidence, seed)
    )
    values, notes = {}, list(judge.notes)
    for name, run in runs.items():
        placed = judge.place(run, str(name))
        values[str(name)] = judge.values(placed)
        notes += placed.notes
    scores = [
        Scores(
            np.column_stack([own[column.asked.column] for own in values.values()]),
            **column.named,
            low=column.low,
            high=column.high,
            undefined_users=column.policy,
        )
        for column in judge.described()
    ]
    with single_threaded_blas():
        found = compare_paired(
            list(values), scores, generator(seed, "compare"), confidence=confidence, threads=os.cpu_count() or 1
        )
    if judge.truth.n_users > MOST_USERS:
        notes.append(
            f"With more than {MOST_USERS:,} users p is the normal approximation of the sign-flip test, or the test "
            "itself where few users make the difference."
        )
    per_user = pd.concat(
        [pd.DataFrame({"model": name, "user": judge.users, **own}) for name, own in values.items()], ignore_index=True
    )
    return Compared(found.summary, found.pairs, power(found.pairs), per_user, tuple(notes))
