"""Candidates scored in the order of a cheap proxy, until enough of them rank above the test item."""

from collections.abc import Iterator, Mapping
from typing import Annotated

import numpy as np

from truerank.errors import UserError
from truerank.informed.ahead import LinedUp
from truerank.informed.audit import complete
from truerank.informed.search import Search, exact_search
from truerank.informed.strata import by_stratum, most_strata, stratum_edges
from truerank.ranking.shards import blocks
from truerank.registry import SAMPLERS, Count
from truerank.sampling._core.informed_sample import At, InformedSample
from truerank.sampling._core.search_plan import Plan, planned, streams

Part = Annotated[float, {"minimum": 0, "exclusiveMaximum": 1}]
AtLeastOne = Annotated[float, {"minimum": 1}]
CELLS_AT_A_TIME = 1 << 25  # positions of instances, and counts of what was seen of them
WITHOUT_EXACT = dict.fromkeys(("budget", "audit", "repeats"), ("exact", [False]))


@SAMPLERS.register("informed", needs="models", gives="informed", only_with=WITHOUT_EXACT)
def informed(
    models: LinedUp,
    rng: np.random.Generator,
    *,
    proxy: str = "popularity",
    k: Count = 10,
    budget: AtLeastOne = 100.0,
    exact: bool = False,
    audit: Part = 0.0,
    repeats: Count = 10,
) -> Iterator[InformedSample]:
    """Score along ``proxy`` until ``k`` candidates are ahead of the test item, or the budget is spent.

    models : what each puts ahead, in the order of the proxy: popularity, or a model of the study. budget : mean scores
    per instance, the test item and everything else included. exact : score on until every rank up to k is known; there
    is one repeat then, since nothing is drawn. audit : the share of the budget that completes instances at random.
    Repeats share no draws, models do. If a pilot finds that the lift of the proxy is too small, or the budget is below
    5 k, negatives are drawn uniformly. What is asked follows from sums over all instances; these are yielded some at a
    time.
    """
    fewest = int(models.n.values[0]) + 1
    if k > fewest:
        raise UserError(f"k is {k}, and some user has {fewest:,} candidates, expected as many at least; lower k")
    repeats = 1 if exact else repeats
    pairs = [(model, repeat) for model in range(models.n_models) for repeat in range(repeats)]
    size = most_at_a_time(models, len(pairs))
    if exact:
        plans = dict.fromkeys(pairs, Plan(lambda: exact_search))
    else:
        plans = {
            (model, repeat): planned(models, model, size, k, budget, audit, streams(rng, repeat))
            for model, repeat in pairs
        }
    return samples(models, plans, (models.n_models, repeats), size, k)


def most_at_a_time(models: LinedUp, n_pairs: int) -> int:
    """Return how many instances are searched for at a time; any number gives the same samples."""
    most = int(models.n.values[-1])
    return max(1, CELLS_AT_A_TIME // (most + 1 + 2 * n_pairs * most_strata(most)))


def samples(
    models: LinedUp, plans: Mapping[At, Plan], shape: tuple[int, int], size: int, k: int
) -> Iterator[InformedSample]:
    """Yield what searches see that ask as planned."""
    most, scores = int(models.n.values[-1]), np.zeros(shape, np.int64)
    asking = {at: plan.begin() for at, plan in plans.items()}
    for at, plan in plans.items():
        scores[at] = plan.scores
    for rows in blocks(len(models.n), size):
        ahead = [models.read(model, rows) for model in range(models.n_models)]
        n = len(ahead[0].n)
        found = InformedSample(
            hits=np.zeros((*shape, n, most_strata(most)), np.int32),
            draws=np.zeros((*shape, n, most_strata(most)), np.int32),
            head=np.zeros(shape, np.int64),
            level=np.zeros(shape),
            followed=np.ones(shape, bool),
            n=ahead[0].n,
            own_rank=ahead[0].own_rank,
            audited=np.zeros((*shape, n), np.int32),
            chance=np.ones((*shape, n)),
            scores=scores.copy(),
            places=np.int64(k),
        )
        for at, plan in plans.items():
            search = ahead[at[0]].search(k)
            asking[at](search)
            keep(found, at, search, plan, most)
            own = slice(*np.searchsorted(plan.audited, [rows.start, rows.stop]))
            if len(done := plan.audited[own] - rows.start):
                complete(search, done)
                found.audited[at][done] = np.minimum(1 + search.hits[done], k + 1)
                found.chance[at][done] = plan.chance[own]
            found.scores[at] += search.n_scores
        scores = found.scores
        yield found


def keep(found: InformedSample, at: At, search: Search, plan: Plan, most: int) -> None:
    """Enter what a search saw. most : candidates of any instance."""
    found.head[at], found.level[at], found.followed[at] = plan.design.head, plan.design.level, plan.followed
    if not plan.followed:
        found.hits[at][:, 0], found.draws[at][:, 0] = search.hits, search.asked
        return
    hits, draws = by_stratum(search, stratum_edges(most, plan.design.head))
    found.hits[at][:, : hits.shape[1]], found.draws[at][:, : draws.shape[1]] = hits, draws
