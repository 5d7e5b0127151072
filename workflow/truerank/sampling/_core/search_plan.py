"""What an informed sampler decides by sums over all instances, before it searches for them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from truerank.informed.ahead import LinedUp
from truerank.informed.audit import choose
from truerank.informed.budget import budget_search
from truerank.informed.design import Design, follow
from truerank.informed.pilot import affordable_size, enough_for, pilot, pilot_rows, uniform_search
from truerank.informed.search import Search
from truerank.ranking.order import order_key

N_STREAMS = 4  # of pilot, tail, uniform negatives and audit
NOTHING = Design()


@dataclass(frozen=True)
class Plan:
    """How the instances of one model are searched for in one repeat.

    begin : returns a function that asks what is planned; it is called with the search of one part of the instances
    after another. scores : how many the plan itself took. audited, chance : instances that are completed, ascending,
    and the chance that each had.
    """

    begin: Callable[[], Callable[[Search], object]]
    design: Design = NOTHING
    followed: bool = True
    scores: int = 0
    audited: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    chance: np.ndarray = field(default_factory=lambda: np.zeros(0))


def streams(rng: np.random.Generator, repeat: int) -> list[Callable[[], np.random.Generator]]:
    """Return what makes four streams of random numbers of a repeat, the same ones for every model."""
    jumps = range(N_STREAMS * repeat, N_STREAMS * (repeat + 1))
    return [partial(stream, rng, 1 + jump) for jump in jumps]


def stream(rng: np.random.Generator, jump: int) -> np.random.Generator:
    return np.random.Generator(rng.bit_generator.jumped(jump))  # type: ignore[attr-defined]


def planned(
    models: LinedUp,
    model: int,
    size: int,
    k: int,
    budget: float,
    audit: float,
    drawing: Sequence[Callable[[], np.random.Generator]],
) -> Plan:
    """Decide what is asked of the instances of one model. size : instances at a time."""
    pilots, tails, uniforms, audits = drawing
    n = len(models.n)
    total = int(budget * n)
    audited, extra, followed = int(audit * total), 0, False
    if enough_for(budget, k):
        rng = pilots()
        rows = pilot_rows(n, k, budget, rng)
        trial = models.some(model, rows).search(k)
        followed = pilot(trial, np.arange(len(rows)), budget, rng).follows
        extra = int(trial.asked.sum())
    left = total - audited - extra
    if followed:
        key = order_key(tails())
        design = budget_search(lambda: (part.search(k) for part in models.parts(model, size)), left, key)
        plan = Plan(lambda: partial(follow, design=design, key=key), design, True, extra)
    else:
        negatives = affordable_size(models.n, left - n)
        plan = Plan(lambda: partial(uniform_search, size=negatives, rng=uniforms()), followed=False, scores=extra)
    return with_audit(plan, models, model, size, k, audited, audits()) if audited else plan


def with_audit(
    plan: Plan, models: LinedUp, model: int, size: int, k: int, n_scores: int, rng: np.random.Generator
) -> Plan:
    """Choose instances that are completed. In memory is a number per instance that is not decided: all of them have
    chances whose expected cost is given, and the choice is systematic in a random order of all."""
    ask, rows, price = plan.begin(), [], []
    for part in models.parts(model, size):
        search = part.search(k)
        ask(search)
        own = np.flatnonzero(~search.decided)
        rows.append(part.first + own)
        price.append((search.order.n - search.asked)[own].astype(float))
    undecided = np.concatenate(rows)
    if not len(undecided):
        return plan
    chosen, chance = choose(np.ones(len(undecided)), np.concatenate(price), n_scores, rng)
    return replace(plan, audited=undecided[chosen], chance=chance[chosen])
