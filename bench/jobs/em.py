"""Maximum likelihood of the exact ranks by EM, from ranks among 499 sampled items."""

import numpy as np

from bench.contest import BOUND, OURS, Contender, Contest, largest_gap
from bench.jobs.laws import chance, per_user_em, sampled_ranks

SOME_USERS = 1000


def inputs(n_users, n_items, set_size, iterations, rng):
    rank = sampled_ranks(n_users, n_items, set_size, rng)
    return {"rank": rank, "negatives": set_size - 1, "n_items": n_items, "iterations": iterations}


def ours(data, cores):
    from truerank.estimators._core.histogram import histogram
    from truerank.estimators._core.problem import Problem
    from truerank.estimators.mle import Mle

    def run():
        seen = histogram(data["rank"][None], np.int32(data["negatives"]))
        return {"weights": Mle(iterations=data["iterations"]).fit(Problem(data["n_items"], seen))[0]}

    return run


def product(data, cores):
    """Do the two products of every iteration, with a law that is there already."""
    law = np.stack([chance(r, data["negatives"], data["n_items"]) for r in range(1, data["negatives"] + 2)], axis=1)
    weights, ratio = np.full(len(law), 1 / len(law)), np.ones(law.shape[1])

    def run():
        for _ in range(data["iterations"]):
            weights @ law
            law @ ratio

    return run


def per_user(data, cores):
    """Take one iteration for some of the users."""
    whole = data["size"] == "small"
    rank = data["rank"] if whole else data["rank"][:SOME_USERS]
    run = per_user_em(rank, np.int64(data["negatives"]), data["n_items"], data["iterations"] if whole else 1)
    return run


def done(data):
    return 1.0 if data["size"] == "small" else SOME_USERS / len(data["rank"]) / data["iterations"]


CONTESTS = [
    Contest(
        "EM, 100 iterations, N = 25,815, n = 500",
        inputs,
        full={"n_users": 25_677, "n_items": 25_815, "set_size": 500, "iterations": 100},
        small={"n_users": 300, "n_items": 400, "set_size": 50, "iterations": 20},
        contenders=[
            Contender("truerank", ours, OURS),
            Contender("bare products", product, BOUND),
            Contender(
                "per-user loop, as published", per_user, done=done, local=True, aim=20, note="some users, scaled"
            ),
        ],
        agree=largest_gap(1e-9),
    )
]
