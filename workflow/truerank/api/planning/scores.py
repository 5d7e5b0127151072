"""How many scores of an expensive model are needed for a given error."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from truerank.api.checks import check_between, check_count
from truerank.api.proxies import named_model
from truerank.api.results import Result
from truerank.api.score_checks import check_places, rule_of
from truerank.api.score_data import coded
from truerank.blas import single_threaded_blas
from truerank.core.informed_plan import scores_for, tried
from truerank.core.sampling import drawn
from truerank.core.training import train as trained
from truerank.errors import UserError
from truerank.informed.ahead import Ahead, joined
from truerank.registry import Definition

METHODS = ("informed", "uniform", "exact")
MOST_REPEATS, MOST_PLACES = 1000, 10**6


@dataclass(frozen=True)
class PlannedScores(Result):
    """Scores to ask for.

    plan : method (informed, uniform, exact), scores (per user, null where the error was not reached), share (of all
    candidates). tried : method, scores, share, error: what was found out by trying.
    """

    plan: pd.DataFrame
    tried: pd.DataFrame
    notes: tuple[str, ...] = ()

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        return {"plan": self.plan, "tried": self.tried}


def plan(
    train: Any,
    test: Any,
    error: float,
    k: int = 10,
    proxy: str = "popularity",
    stand_in: str = "ials",
    items: Any = None,
    relevance: Definition | float | None = None,
    repeats: int = 3,
    seed: int = 1,
) -> PlannedScores:
    """Return how many scores per user bring the mean relative error of recall@1, .., recall@k down to ``error``.

    ``stand_in``, a cheap model, is trained here and replaces the expensive one: its ranks are known, and so is the
    error of each way to evaluate it. A better model has a higher recall and needs more scores in the exact mode; a
    model whose order differs more from the proxy's needs a larger budget. train, test, items, relevance : as in
    ``tr.score``; each relevant test item counts separately. proxy, stand_in : names of models.

    >>> import truerank as tr
    >>> train = {user: [(user + step) % 40 for step in range(1, 9)] for user in range(60)}
    >>> test = {user: [user % 40] for user in range(60)}
    >>> found = tr.plan("scores", train, test, error=0.1, k=1, stand_in="item_knn", repeats=1)
    >>> found.plan["method"].tolist()
    ['informed', 'uniform', 'exact']
    >>> bool(found.plan["share"].iloc[2] <= 1)
    True
    """
    check_between("error", error, 1e-4, 1)
    k = check_count("k", k, 1, MOST_PLACES)
    repeats = check_count("repeats", repeats, 1, MOST_REPEATS)
    data = coded(train, test, items)
    rule, notes = rule_of(relevance, data.test)
    if isinstance(rule["threshold"], str):
        raise UserError(f"relevance is {rule['threshold']!r}, expected a number; give one")
    candidates = (data.history.n_items - data.history.per_user)[data.test.user]
    check_places(k, candidates, data.users.owned()[data.test.user])
    names = dict.fromkeys([stand_in, proxy])
    definitions = {name: bare(named_model(name)) for name in names}
    sampler = {"kind": "informed", "proxy": proxy}
    with single_threaded_blas():
        models = {name: trained(made, data.history, ("plan", name), seed) for name, made in definitions.items()}
        found = drawn(models, data.history, data.test, sampler, rule, "random", ("plan", "plan", proxy), seed)
        line = joined([Ahead(part["bits"][0], part["n"], part["own_rank"]) for part in found])
        points = list(tried(line, k, repeats, seed))
    mean = float(line.n.mean()) + 1
    table = pd.DataFrame(points).assign(share=lambda rows: rows["scores"] / mean)
    needed = np.array([scores_for(points, method, error) for method in METHODS])
    answer = pd.DataFrame({"method": METHODS, "scores": needed, "share": needed / mean})
    recall = float((line.rank <= k).mean())
    notes = [
        f"{stand_in} is used in place of the model to be evaluated: recall@{k} {recall:.4f}, in the order of {proxy}.",
        f"Error: mean relative error of recall@1 to recall@{k} over {repeats} repeat(s), {len(line.n):,} test items.",
        *notes,
    ]
    if np.isnan(needed[0]):
        notes.append("With half of the scores the budget mode does not reach this error: use the exact mode.")
    return PlannedScores(answer, table[["method", "scores", "share", "error"]], tuple(notes))


def bare(definition: Definition) -> Definition:
    return {key: value for key, value in definition.items() if key not in ("calibration", "tune")}
