"""Evaluate an expensive scorer: exactly for top-K metrics, or within a budget of scores."""

from dataclasses import dataclass

import numpy as np

from truerank.artefacts.rank_table import Judgements
from truerank.blas import single_threaded_blas
from truerank.core.informed_values import Rules, bounds_of, expected_values, mean_of, values_at
from truerank.estimators._core.histogram import histogram
from truerank.estimators._core.problem import Problem
from truerank.estimators.monotone_mle import MonotoneMle
from truerank.informed.audit import audit, rectified
from truerank.informed.budget import budget_search
from truerank.informed.order import ProxyOrder
from truerank.informed.pilot import Pilot, affordable_size, enough_for, pilot, pilot_rows, uniform_search
from truerank.informed.posterior import rank_law
from truerank.informed.ranks import known_ranks, scored_ahead, tests_ahead
from truerank.informed.search import Ask, Search, Tests, alone, exact_search
from truerank.informed.strata import seen_by
from truerank.provenance import generator
from truerank.ranking.order import order_key
from truerank.value_counts import ValueCounts


@dataclass(frozen=True)
class Evaluation:
    """Per column: estimate, the ends of its interval (NaN without an audit), and of what is possible.

    values : per user and column, the exact or expected metric; users whose metric is undefined have NaN. decided :
    the share of users all of whose ranks up to K are known. scores : how many were asked for. followed : whether the
    proxy was; else negatives were drawn uniformly. pilot : None where none was needed. law : per test item, P(R = k).
    """

    columns: list[str]
    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    bound_low: np.ndarray
    bound_high: np.ndarray
    values: np.ndarray
    decided: float
    scores: int
    followed: bool = True
    pilot: Pilot | None = None


def evaluate_scorer(tests: Tests, order: ProxyOrder, ask: Ask, judgements: Judgements, rules: Rules) -> Evaluation:
    """Ask for scores as the rules say, and return the metrics.

    judgements : of the test rows, in the same order; their ranks are not looked at.
    """
    with single_threaded_blas():
        if rules.exact:
            return exactly(tests, order, ask, judgements, rules)
        return within_budget(tests, order, ask, judgements, rules)


def exactly(tests: Tests, order: ProxyOrder, ask: Ask, judgements: Judgements, rules: Rules) -> Evaluation:
    search = Search(tests, order, ask, rules.n_places)
    exact_search(search)
    columns, values = values_at(judgements, known_ranks(search).least, rules)
    mean = mean_of(values)
    nothing = np.full(len(mean), np.nan)
    return Evaluation(columns, mean, nothing, nothing, mean, mean, values, 1.0, search.n_scores)


def within_budget(tests: Tests, order: ProxyOrder, ask: Ask, judgements: Judgements, rules: Rules) -> Evaluation:
    n = len(tests.users)
    total = int(rules.budget * n)
    audited = int(rules.audit * total)
    search = Search(tests, order, ask, rules.n_places)
    found, extra = None, 0
    if enough_for(rules.budget, rules.n_places):
        trial = Search(tests, order, ask, rules.n_places)
        rng = generator(rules.seed, "informed", "pilot")
        found = pilot(trial, pilot_rows(n, rules.n_places, rules.budget, rng), rules.budget, rng)
        extra = int(trial.asked.sum())
    followed = found is not None and found.follows
    if followed:
        key = order_key(generator(rules.seed, "informed", "tail"))
        design = budget_search(alone(search), total - audited - extra, key)
        law = rank_law(seen_by(search, design), rules.n_places, generator(rules.seed, "informed", "fit"))
    else:
        law = uniform_law(search, total - audited - extra, rules)
    columns, values = expected_values(search, law, judgements, rules, together=followed)
    nothing = np.full(len(columns), np.nan)
    estimate, low, high = nothing if np.isnan(law).any() else mean_of(values), nothing, nothing
    if search.decided.all():
        low = high = estimate
    elif audited:
        defined = np.nan_to_num(values)
        spread = np.sqrt(np.maximum(defined * (1 - defined), 0) / np.maximum(mean_of(values), 1e-4) ** 2).sum(axis=1)
        done = audit(search, spread, audited, generator(rules.seed, "informed", "audit"))
        exact = values_at(judgements, known_ranks(search).least, rules)[1]
        estimate, half = rectified(defined, np.nan_to_num(exact)[done.rows], done)
        low, high = estimate - half, estimate + half
    bounds = bounds_of(search, judgements, rules)
    estimate, low, high = (np.clip(each, *bounds) for each in (estimate, low, high))
    return Evaluation(
        columns,
        estimate,
        low,
        high,
        *bounds,
        values,
        float(search.decided.mean()),
        search.n_scores + extra,
        followed,
        found,
    )


def uniform_law(search: Search, n_scores: int, rules: Rules) -> np.ndarray:
    """Draw negatives uniformly, and return the law of ranks that monotone maximum likelihood fits, for each test item.

    What is known exactly stays so. NaN where the budget pays for no negative.
    """
    rows, n, k = search.tests.row, search.order.n, rules.n_places
    size = affordable_size(ValueCounts.of(n), n_scores - search.n_scores)
    uniform_search(search, size, generator(rules.seed, "informed", "uniform"))
    if not size:
        return np.full((len(rows), k), np.nan)
    ahead, among = scored_ahead(search), tests_ahead(search)
    drawn = np.minimum(size, n)[rows]
    seen = histogram(1 + ahead, int(size)) if (drawn == size).all() else histogram(1 + ahead, drawn, drawn == n[rows])
    fitted = MonotoneMle().fit(Problem(round(float(n.mean())) + 1, seen))[:k]
    law = np.tile(np.pad(fitted, (0, k - len(fitted))), (len(rows), 1))
    whole = search.complete[rows]
    law[whole] = 0
    sure = np.flatnonzero(whole & (ahead + among < k))
    law[sure, (ahead + among)[sure]] = 1
    return law
