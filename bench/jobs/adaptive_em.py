"""Maximum likelihood of the exact ranks from adaptive sets of 100 to 3,200 items."""

from bench.contest import OURS, Contender, Contest, largest_gap
from bench.jobs.laws import adaptive_ranks, per_user_em

SOME_USERS = 500


def inputs(n_users, n_items, sizes, iterations, rng):
    rank, negatives = adaptive_ranks(n_users, n_items, sizes, rng)
    return {"rank": rank, "negatives": negatives, "n_items": n_items, "iterations": iterations}


def ours(data, cores):
    from truerank.estimators._core.histogram import histogram
    from truerank.estimators._core.problem import Problem
    from truerank.estimators.mle import AdaptiveMle

    def run():
        seen = histogram(data["rank"][None], data["negatives"][None])
        return {"weights": AdaptiveMle(iterations=data["iterations"]).fit(Problem(data["n_items"], seen))[0]}

    return run


def per_user(data, cores):
    """Take one iteration for some of the users."""
    whole = data["size"] == "small"
    some = slice(None) if whole else slice(SOME_USERS)
    iterations = data["iterations"] if whole else 1
    return per_user_em(data["rank"][some], data["negatives"][some], data["n_items"], iterations)


def done(data):
    return 1.0 if data["size"] == "small" else SOME_USERS / len(data["rank"]) / data["iterations"]


CONTESTS = [
    Contest(
        "adaptive EM, 136,677 users, sets of 100 to 3,200, N = 20,720",
        inputs,
        full={
            "n_users": 136_677,
            "n_items": 20_720,
            "sizes": (100, 200, 400, 800, 1600, 3200),
            "iterations": 50,
        },
        small={"n_users": 300, "n_items": 500, "sizes": (10, 20, 40), "iterations": 10},
        contenders=[
            Contender("truerank", ours, OURS),
            Contender(
                "per-user loop, as published", per_user, done=done, local=True, aim=100, note="some users, scaled"
            ),
        ],
        agree=largest_gap(1e-9),
    )
]
