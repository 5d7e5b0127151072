"""Informed evaluation of five models on MovieLens 1M, one item held out: shares of scores, errors and seconds.

The shares and errors need He et al.'s split of MovieLens 1M, ``train.csv.gz`` and ``test.csv.gz``, in
``$TRUERANK_SHARED_DATA/ml-1m-leave-one-out``; without it the seconds alone are measured.
"""

import os
import time
from itertools import combinations
from pathlib import Path

import numpy as np

from bench.jobs.study import row
from bench.runner import ROOT

SEED = 20180102
DATA = Path(os.environ.get("TRUERANK_SHARED_DATA", ROOT.parent / "shared" / "data")) / "ml-1m-leave-one-out"
MODELS = {
    "ease": {"kind": "ease", "l2": 200.0},
    "item_cf_y": {"kind": "item_cf", "power": 3},
    "item_cf_z": {"kind": "item_cf", "power": 1, "neighbours": 10},
    "ials_16": {"kind": "ials", "factors": 16, "regularisation": 10, "unobserved": 0.2, "iterations": 30},
    "ials_64": {"kind": "ials", "factors": 64, "regularisation": 10, "unobserved": 0.1, "iterations": 15},
}
PLACES = (1, 5, 10, 20, 50)
# Proxy, K, scores per user, the most that the error of recall@1..K may be in per cent, None for that of uniform
# negatives (and a quarter more, for noise), and the least share of pairs in the right order in per cent.
BUDGETS = [
    ("popularity", 10, 50, None, None),
    ("popularity", 10, 100, 3.5, None),
    ("popularity", 10, 200, 1.5, None),
    ("ials_16", 10, 50, 2.5, 97),
    ("ials_16", 10, 100, None, None),
    ("random", 10, 100, None, None),
    ("reversed", 10, 100, None, None),
    ("popularity", 50, 100, None, None),
]
NOISE = 1.25
MOST_OF_SCORES, OVER_RECALL = 11, 2  # in per cent, at K = 10, and points over recall@10 for each model


def measure(options):
    """Return rows of shares and errors, whose figures are in the notes, and of the posterior's seconds."""
    made = speed(options)
    if options.size == "small":
        return made + along(*small_data(), options, repeats=2)
    if not DATA.is_dir():
        options.say(f"informed evaluation is not measured: {DATA} is not there; TRUERANK_SHARED_DATA names its parent")
        return made
    return made + along(*movielens(), options, repeats=5)


def movielens():
    import pandas as pd
    from truerank.artefacts.split import TestRows
    from truerank.models._core.base import Train

    train, test = (pd.read_csv(DATA / f"{part}.csv.gz") for part in ("train", "test"))
    users, items = (np.unique(np.concatenate([train[key], test[key]])) for key in ("user", "item"))
    rows = [
        np.searchsorted(ids, part[key]) for part in (train, test) for key, ids in (("user", users), ("item", items))
    ]
    order = np.argsort(rows[2])
    held_out = TestRows(rows[2][order], rows[3][order], np.full(len(order), np.nan))
    return Train(rows[0], rows[1], len(users), len(items)), held_out


def small_data(n_users=300, n_items=200):
    from truerank.artefacts.split import TestRows
    from truerank.models._core.base import Train

    rng = np.random.default_rng(SEED)
    taste = 1.5 * rng.normal(size=n_items) + rng.gumbel(size=(n_users, n_items))
    best = np.argsort(-taste, axis=1)[:, :11]
    history = Train(np.repeat(np.arange(n_users), 10), best[:, 1:].ravel(), n_users, n_items)
    return history, TestRows(np.arange(n_users), best[:, 0], np.full(n_users, np.nan))


def along(history, test, options, repeats):
    """Train the models, line candidates up by each proxy, and search."""
    from truerank.core.training import restored, train

    models = {name: train(definition, history, ("bench", name), SEED) for name, definition in MODELS.items()}
    models["random"] = train({"kind": "random"}, history, ("bench", "random"), SEED)
    fewer_first = {"degree": -history.degree.astype(np.float32)}
    models["reversed"] = restored({"kind": "popularity"}, fewer_first, {})
    lines = {proxy: lined(models, history, test, proxy) for proxy in dict.fromkeys(budget[0] for budget in BUDGETS)}
    made = [exactly(lines["popularity"], k, options) for k in PLACES]
    return made + [budgeted(lines, *budget, options, repeats) for budget in BUDGETS]


def lined(models, history, test, proxy):
    """Return what each of the five models puts ahead, in the order of a proxy."""
    from truerank.core.sampling import drawn
    from truerank.informed.ahead import Ahead, joined

    sampler = {"kind": "informed", "proxy": proxy}
    found = list(drawn(models, history, test, sampler, {"threshold": 0}, "random", ("bench", "bench", proxy), SEED))
    return [joined([Ahead(part["bits"][model], part["n"], part["own_rank"]) for part in found])
            for model in range(len(MODELS))]  # fmt: skip


def exactly(lines, k, options):
    from truerank.informed.ahead import LinedUp
    from truerank.provenance import generator
    from truerank.sampling._core.informed_sample import InformedSamples
    from truerank.sampling.informed import informed

    start = time.perf_counter()
    samples = InformedSamples.whole(informed(LinedUp.of(lines), generator(SEED), k=k, exact=True))
    seconds = time.perf_counter() - start
    recall = 100 * np.array([(line.rank <= k).mean() for line in lines])
    share = 100 * samples.about["scores"][:, 0] / (lines[0].n + 1).sum()
    hits = [next(samples.read((model, 0), "hits"))[0].sum(axis=1) for model in range(len(lines))]
    right = [np.array_equal(np.minimum(1 + own, k + 1), np.minimum(line.rank, k + 1))
             for own, line in zip(hits, lines, strict=True)]  # fmt: skip
    met = all(right)
    aim = "the ranks of a full ranking"
    if k == 10:
        met &= share.mean() <= MOST_OF_SCORES and bool((share <= recall + OVER_RECALL).all())
        aim += f", {MOST_OF_SCORES} % of the scores, recall@10 + {OVER_RECALL} each"
    beyond = f"at most {(share - recall).max():.1f} points more than recall@{k}"
    note = f"{share.mean():.1f} % of the scores, {beyond}"
    options.say(f"informed, exact, K = {k}: {note}")
    return row(f"informed, exact, popularity, K = {k}", seconds, aim, bool(met), note=note)


def budgeted(lines, proxy, k, budget, most, orders, options, repeats):
    from truerank.estimators._core.informed_problem import InformedProblem
    from truerank.estimators.informed import Informed
    from truerank.informed.ahead import LinedUp
    from truerank.provenance import generator
    from truerank.sampling._core.informed_sample import InformedSamples
    from truerank.sampling.informed import informed

    exact = np.array([[(line.rank <= place).mean() for place in range(1, k + 1)] for line in lines[proxy]])
    start = time.perf_counter()
    parts = informed(LinedUp.of(lines[proxy]), generator(SEED, proxy), k=k, budget=budget, repeats=repeats)
    samples = InformedSamples.whole(parts)
    found = np.cumsum(Informed().fit(InformedProblem(samples))[..., :k], axis=-1)
    seconds = (time.perf_counter() - start) / repeats / len(MODELS)
    uniform = uniformly(lines[proxy], k, budget, repeats)
    (error, right), (plain, plain_right) = (judged(each, exact) for each in (found, uniform))
    allowed = most or NOISE * plain
    met = error <= allowed and right >= (orders or 0)
    aim = f"<= {most} %" if most else f"<= {NOISE:g} x uniform"
    aim += f", {orders} % of orders" if orders else ""
    note = f"{error:.1f} %, orders {right:.0f} %; uniform {plain:.1f} %, {plain_right:.0f} %"
    followed = samples.about["followed"]
    note += "" if followed.all() else f"; followed in {followed.mean():.0%}"
    job = f"informed, {proxy}, K = {k}, {budget} scores"
    options.say(f"{job}: {note}")
    return row(job, seconds, aim, bool(met), note=note)


def uniformly(lines, k, budget, repeats):
    """Return recall@1..k by monotone maximum likelihood from uniform negatives, models x repeats x k."""
    from truerank.estimators._core.histogram import histogram
    from truerank.estimators._core.problem import Problem
    from truerank.estimators.monotone_mle import MonotoneMle
    from truerank.provenance import generator
    from truerank.sampling.uniform import uniform

    rank, candidates = np.stack([line.rank for line in lines]), lines[0].n + 1
    sample = uniform(rank, candidates, generator(SEED, "uniform"), negatives=min(budget, candidates.min()) - 1,
                     repeats=repeats)  # fmt: skip
    problem = Problem(round(candidates.mean()), histogram(sample.rank, sample.negatives, sample.exact))
    return np.cumsum(MonotoneMle().fit(problem)[..., :k], axis=-1)


def judged(found, exact):
    """Return the mean relative error, and the share of pairs of models in the right order, both in per cent."""
    error = np.abs(found - exact[:, None]) / np.maximum(exact[:, None], 1e-12)
    right = [
        (np.sign(found[one] - found[other]) == np.sign(exact[one] - exact[other])).mean()
        for one, other in combinations(range(len(exact)), 2)
    ]
    return 100 * error[:, :, exact.min(axis=0) > 0].mean(), 100 * np.mean(right)


def speed(options):
    """Return the seconds of the posterior, for 6,000 users and for a million, at 100 scores each."""
    from truerank.informed.posterior import rank_law
    from truerank.provenance import generator

    rank_law(made_up(1000), 10, generator(SEED))  # loads
    made = []
    for n_users, aim in ((6000, 1),) if options.size == "small" else ((6000, 1), (1_000_000, 60)):
        seen = made_up(n_users)
        start = time.perf_counter()
        rank_law(seen, 10, generator(SEED))
        seconds = time.perf_counter() - start
        options.say(f"informed, posterior of {n_users:,} users: {seconds:.2f} s")
        made.append(row(f"informed, posterior, {n_users:,} users", seconds, f"<= {aim} s", seconds <= aim))
    return made


def made_up(n_users, n_items=3700, head=80, scored=60):
    """Return what searches might have seen: of every other user nothing is decided, and the head has a few hits."""
    from truerank.informed.strata import groups_of, seen_from, stratum_edges

    rng = np.random.default_rng(SEED)
    edges = stratum_edges(n_items, head)
    size = np.diff(edges)
    in_head = np.cumsum(size) <= head
    draws = np.where(in_head, size, np.maximum(1, scored * size // n_items))
    level = rng.gamma(0.5, 1, (n_users, 1)) / np.sqrt(np.cumsum(size))
    hits = rng.binomial(draws, np.minimum(level, 0.5))
    rank = 1 + np.floor(n_items ** rng.random(n_users)).astype(int)
    drawn = np.tile(draws, (n_users, 1))
    group = groups_of(np.minimum(rank, n_items))
    return seen_from(hits, drawn, np.full(n_users, n_items), group, edges, head, 10)
