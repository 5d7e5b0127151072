"""Maximum entropy of the exact ranks, from ranks among 99 sampled items."""

import numpy as np

from bench.contest import OURS, Contender, Contest
from bench.jobs.laws import chance, sampled_ranks

ETA = 0.01


def inputs(n_users, n_items, set_size, rng):
    return {"rank": sampled_ranks(n_users, n_items, set_size, rng), "negatives": set_size - 1, "n_items": n_items}


def ours(data, cores):
    from truerank.estimators._core.histogram import histogram
    from truerank.estimators._core.problem import Problem
    from truerank.estimators.mes import Mes

    def run():
        seen = histogram(data["rank"][None], np.int32(data["negatives"]))
        return {"weights": Mes(eta=ETA).fit(Problem(data["n_items"], seen))[0]}

    return run


def cvxpy(data, cores):
    import cvxpy

    n = data["negatives"] + 1
    law = np.stack([chance(r, data["negatives"], data["n_items"]) for r in range(1, n + 1)], axis=1)
    shares = np.bincount(data["rank"] - 1, minlength=n) / len(data["rank"])

    def run():
        weights = cvxpy.Variable(data["n_items"])
        misfit = cvxpy.sum_squares(cvxpy.multiply(np.sqrt(shares), law.T @ weights - shares))
        goal = ETA / n * cvxpy.sum(cvxpy.entr(weights)) - misfit
        cvxpy.Problem(cvxpy.Maximize(goal), [cvxpy.sum(weights) == 1]).solve(solver=cvxpy.CLARABEL)
        return {"weights": weights.value}

    return run


def agree(mine, theirs):
    """Compare distribution functions: what metrics are made of. A general solver stops at about six digits."""
    return float(np.abs(np.cumsum(mine["weights"] - theirs["weights"])).max() / 1e-3)


CONTESTS = [
    Contest(
        "MES, N = 25,815, n = 100",
        inputs,
        full={"n_users": 25_677, "n_items": 25_815, "set_size": 100},
        small={"n_users": 2000, "n_items": 400, "set_size": 20},
        contenders=[
            Contender("truerank", ours, OURS),
            Contender("cvxpy with Clarabel", cvxpy, needs="cvxpy", aim=20, rounds=1),
        ],
        agree=agree,
    )
]
