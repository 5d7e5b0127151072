"""Candidates scored in the order of a cheap proxy, until enough of them rank above the test item."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from truerank.errors import UserError
from truerank.informed.ahead import Ahead
from truerank.informed.audit import audit as complete_some
from truerank.informed.budget import Design, budget_search
from truerank.informed.pilot import enough_for, pilot, uniform_search
from truerank.informed.search import Search, exact_search
from truerank.informed.strata import most_strata, seen_by
from truerank.ranking.order import order_key
from truerank.registry import SAMPLERS, Count
from truerank.sampling._core.informed_sample import InformedSample

Part = Annotated[float, {"minimum": 0, "exclusiveMaximum": 1}]
AtLeastOne = Annotated[float, {"minimum": 1}]
N_STREAMS = 4  # of pilot, tail, uniform negatives and audit
WITHOUT_EXACT = dict.fromkeys(("budget", "audit", "repeats"), ("exact", [False]))


@SAMPLERS.register("informed", needs="models", gives="informed", only_with=WITHOUT_EXACT)
def informed(
    models: Sequence[Ahead],
    rng: np.random.Generator,
    *,
    proxy: str = "popularity",
    k: Count = 10,
    budget: AtLeastOne = 100.0,
    exact: bool = False,
    audit: Part = 0.0,
    repeats: Count = 10,
) -> InformedSample:
    """Score along ``proxy`` until ``k`` candidates are ahead of the test item, or the budget is spent.

    models : what each puts ahead, in the order of the proxy: popularity, or a model of the study. budget : mean scores
    per instance, the test item and everything else included. exact : score on until every rank up to k is known; there
    is one repeat then, since nothing is drawn. audit : the share of the budget that completes instances at random.
    Repeats share no draws, models do. If a pilot finds that the lift of the proxy is too small, or the budget is below
    5 k, negatives are drawn uniformly.
    """
    fewest = int(models[0].n.min()) + 1
    if k > fewest:
        raise UserError(f"k is {k}, and some user has {fewest:,} candidates, expected as many at least; lower k")
    repeats = 1 if exact else repeats
    shape = len(models), repeats
    strata = most_strata(int(models[0].n.max()))
    n = len(models[0].n)
    found = InformedSample(
        hits=np.zeros((*shape, n, strata), np.int32),
        draws=np.zeros((*shape, n, strata), np.int32),
        head=np.zeros(shape, np.int64),
        level=np.zeros(shape),
        followed=np.ones(shape, bool),
        n=models[0].n,
        own_rank=models[0].own_rank,
        audited=np.zeros((*shape, n), np.int32),
        chance=np.ones((*shape, n)),
        scores=np.zeros(shape, np.int64),
        places=np.int64(k),
    )
    for repeat in range(repeats):
        for model, ahead in enumerate(models):
            if exact:
                search = ahead.search(k)
                exact_search(search)
                keep(found, (model, repeat), search, Design(0, 0.0), True, 0)
            else:
                ask(found, (model, repeat), ahead, budget, audit, streams(rng, repeat))
    return found


def streams(rng: np.random.Generator, repeat: int) -> list[np.random.Generator]:
    """Return four streams of random numbers of a repeat, the same ones for every model."""
    jumps = range(N_STREAMS * repeat, N_STREAMS * (repeat + 1))
    return [np.random.Generator(rng.bit_generator.jumped(1 + jump)) for jump in jumps]  # type: ignore[attr-defined]


def ask(
    found: InformedSample,
    at: tuple[int, int],
    ahead: Ahead,
    budget: float,
    audit: float,
    drawing: Sequence[np.random.Generator],
) -> None:
    """Search for the instances of one model, and enter what was seen."""
    pilots, tails, uniforms, audits = drawing
    k, total = found.n_places, int(budget * len(ahead.n))
    audited = int(audit * total)
    search, extra, followed = ahead.search(k), 0, False
    if enough_for(budget, k):
        trial = ahead.search(k)
        followed = pilot(trial, budget, pilots).follows
        extra = int(trial.asked.sum())
    left = total - audited - extra
    design = Design(0, 0.0)
    if followed:
        design = budget_search(search, left, order_key(tails))
    else:
        uniform_search(search, left, uniforms)
    keep(found, at, search, design, followed, extra)
    if audited and not search.decided.all():
        done = complete_some(search, np.ones(len(ahead.n)), audited, audits)
        found.audited[at][done.rows] = np.minimum(1 + search.hits[done.rows], k + 1)
        found.chance[at][done.rows] = done.chance
        found.scores[at] = search.n_scores + extra


def keep(
    found: InformedSample, at: tuple[int, int], search: Search, design: Design, followed: bool, extra: int
) -> None:
    """Enter what a search saw. extra : scores of the pilot."""
    found.head[at], found.level[at], found.followed[at] = design.head, design.level, followed
    found.scores[at] = search.n_scores + extra
    if not followed:
        found.hits[at][:, 0], found.draws[at][:, 0] = search.hits, search.asked
        return
    seen = seen_by(search, design)
    n_strata = seen.hits.shape[1]
    found.hits[at][:, :n_strata], found.draws[at][:, :n_strata] = seen.hits, seen.draws
