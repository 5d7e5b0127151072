"""Evaluate an expensive scorer with few of its scores."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from truerank.api.asking import Asker, Map, Scorer
from truerank.api.proxies import proxy_order
from truerank.api.results import Result
from truerank.api.score_checks import check_budget, check_places, check_settings, rule_of
from truerank.api.score_data import coded
from truerank.artefacts.rank_table import judgements
from truerank.config.merging import normalised, read_defaults
from truerank.core.informed import Evaluation, evaluate_scorer
from truerank.core.informed_values import Rules
from truerank.errors import UserError
from truerank.informed.order import Barred
from truerank.informed.pilot import LEAST_LIFT, SCORES_PER_PLACE
from truerank.informed.search import Tests
from truerank.metrics._core.names import Asked, parse_metrics
from truerank.provenance import PathLike, generator
from truerank.ranking.order import order_key, tie_hashes
from truerank.registry import METRICS, Definition


@dataclass(frozen=True)
class Scored(Result):
    """Informed evaluation.

    estimates : metric, k, estimate, ci_low, ci_high (for the mean over these users, empty without an audit), bound_low,
    bound_high (certain, for any value of the scores that were not computed). per_user : with ``exact``, user and one
    column per metric, as in ``tr.trial``; else empty. decided : the share of users whose ranks up to K are all known.
    scores_per_user : the mean number of requested scores, including pilot and audit.
    """

    estimates: pd.DataFrame
    per_user: pd.DataFrame
    decided: float
    scores_per_user: float
    remarks: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        sentence = f"{self.scores_per_user:,.1f} scores per user; {self.decided:.1%} of the users are decided"
        return (f"{sentence}.", *self.remarks)

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """The estimates; values of users are in ``per_user``."""
        return {"estimates": self.estimates}


def score(
    scorer: Scorer,
    train: Any,
    test: Any,
    metrics: Iterable[str],
    proxy: Any = "popularity",
    budget: float = 100,
    exact: bool = False,
    audit: float = 0,
    items: Any = None,
    seed: int = 1,
    ties: str = "random",
    relevance: Definition | float | None = None,
    batch: int = 1000,
    map: Map = map,
    cache: PathLike | None = None,
) -> Scored:
    """Evaluate ``scorer(user, items) -> scores`` by top-K metrics without scoring everything.

    Candidates are scored in the order of a cheap proxy, until K of them are above the user's best test item. With
    ``exact`` this continues for every user, and the metrics are those of a full ranking; otherwise at most ``budget``
    scores per user are requested, on average, and the metrics are estimated.

    scorer : gets a user id and an array of item ids, returns one score per item; higher is better. train, test : paths,
    frames, dictionaries by user or matrices with user, item and optionally rating; the scorer gets the same ids.
    metrics : such as recall@10; K is the largest cut-off. proxy : ``popularity``, the name or definition of a model to
    train here, a run (a path, a frame or ``{user: {item: score}}``), or scores by item or by user and item.
    audit : the share of the budget that scores all candidates of randomly chosen users: the estimate is then unbiased
    and has an interval. items : the ids of the catalogue, if it has more items than train and test. relevance : the
    lowest relevant rating, or a rule such as ``{"threshold": "user_mean"}``; on a scale from 1 to 5 the default is 4.
    batch : the maximum number of items per call. map : a function like the builtin ``map``, such as that of a pool.
    cache : a file that stores every score; a stopped run resumes from it. Order, batches and map change no result.

    >>> import truerank as tr
    >>> def nearest(user, items):  # in place of an expensive model
    ...     return -abs(items - user)
    >>> train = {user: range(10, 20) for user in range(4)}
    >>> test = {0: [2], 1: [1], 2: [9], 3: [3]}
    >>> found = tr.score(nearest, train, test, ["recall@2", "rr@2"], items=range(20), exact=True)
    >>> found.estimates[["metric", "k", "estimate"]]
       metric  k  estimate
    0  recall  2       0.5
    1      rr  2       0.5
    """
    asked = read_metrics(metrics)
    check_settings(scorer, budget, audit, ties, batch, map, cache)
    data = coded(train, test, items)
    rule, notes = rule_of(relevance, data.test)
    users, items = data.users.owned(), data.items.owned()
    if not exact:
        check_budget(budget, data.test.user)
    key = order_key(generator(seed, "rank"))
    rows, row = np.unique(data.test.user, return_inverse=True)
    tie_hash = tie_hashes(ties, key, data.test.user, data.test.item, np.nan_to_num(data.test.rating))
    tests = Tests(rows, row, data.test.item, tie_hash, key)
    barred = Barred(rows, data.history.matrix, row, data.test.item)
    rules = rules_of(asked, rule, budget, exact, audit, seed)
    candidates = (data.history.n_items - data.history.per_user)[data.test.user]
    check_places(rules.n_places, candidates, users[data.test.user])
    order = proxy_order(proxy, data.history, data.users, data.items, rows, barred, seed)
    rating = None if np.isnan(data.test.rating).all() else data.test.rating
    scale = None if rating is None else (float(np.nanmin(rating)), float(np.nanmax(rating)))
    judged = judgements(data.test.user, np.zeros_like(candidates), candidates, rating, None, data.history, scale)
    asker = Asker(scorer, users, items, batch, map, cache)
    try:
        found = evaluate_scorer(tests, order, asker, judged, rules)
    finally:
        asker.close()
    return result(found, [*notes, *notes_on(asked)], len(asker.asked) / len(rows), rules, users[rows])


def read_metrics(texts: Iterable[str]) -> list[Asked]:
    """Return the metrics that were asked for: of ranks, with a cut-off."""
    texts = [texts] if isinstance(texts, str) else list(texts)
    if not texts:
        raise UserError("metrics is empty, expected some, such as recall@10; name one")
    asked = parse_metrics(texts, normalised(read_defaults())["metrics"])
    for each in asked:
        if each.k == "all":
            raise UserError(
                f"metric {each.column} needs the whole ranking, and informed evaluation covers only the first K "
                f"places; give a cut-off, such as recall@10"
            )
    return asked


def rules_of(asked: list[Asked], relevance: Definition, budget: float, exact: bool, audit: float, seed: int) -> Rules:
    variants = normalised(read_defaults())["metrics"]
    metrics = {each.name: variants.get(each.name, METRICS.named(each.name)) for each in asked}
    cutoffs = sorted({int(each.k) for each in asked})
    columns = list(dict.fromkeys(each.column for each in asked))
    return Rules(metrics, cutoffs, columns, relevance, cutoffs[-1], budget, exact, audit, seed)


def result(found: Evaluation, notes: list[str], per_user: float, rules: Rules, users: np.ndarray) -> Scored:
    metric, k = zip(*(name.rpartition("@")[::2] for name in found.columns), strict=True)
    ends = {"ci_low": found.low, "ci_high": found.high, "bound_low": found.bound_low, "bound_high": found.bound_high}
    frame = pd.DataFrame({"metric": metric, "k": k, "estimate": found.estimate, **ends})
    values = pd.DataFrame(found.values, columns=found.columns) if rules.exact else pd.DataFrame()
    if rules.exact:
        values.insert(0, "user", users)
    return Scored(frame, values, found.decided, per_user, (*notes, *remarks_of(found, rules)))


def notes_on(asked: list[Asked]) -> list[str]:
    return [each.note + "." for each in asked if each.note]


def remarks_of(found: Evaluation, rules: Rules) -> tuple[str, ...]:
    """Say what a reader needs to know beside the numbers."""
    if rules.exact:
        return ("Exact: the metrics of a full ranking.",)
    notes = [f"Budget {rules.budget:g} scores per user, of which {rules.audit:.0%} for the audit."]
    if not found.followed:
        few = rules.budget < SCORES_PER_PLACE * rules.n_places
        why = f"the budget is below {SCORES_PER_PLACE} scores for each of the {rules.n_places} places"
        if not few and found.pilot is not None:
            why = f"the pilot found a lift of {found.pilot.lift:.2f} in the proxy's head, less than {LEAST_LIFT:g}"
        notes.append(f"Negatives were drawn uniformly, with monotone maximum likelihood, since {why}.")
    if found.decided == 1:
        notes.append("Every user is decided: these are the metrics of a full ranking.")
    elif np.isnan(found.estimate).any():
        notes.append("The budget pays for the test items alone: only the bounds are known.")
    elif not rules.audit:
        notes.append("Estimates have some bias and no interval without an audit; the bounds are certain.")
    return tuple(notes)
