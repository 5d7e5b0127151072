"""Scores of a model of item weights, as EASE's: all items of some users, and 1,001 drawn ones of each."""

import numpy as np

from bench.contest import OURS, Contender, Contest, largest_gap

ROWS = 404  # users at a time, as in `truerank.ranking.exact` for as many items
DRAWN = 1001  # a test item, and 10 times 100 negatives

FULL = {"n_users": 4 * ROWS, "n_items": 10_360, "per_user": 80}
SMALL = {"n_users": 30, "n_items": 400, "per_user": 20}


def inputs(n_users, n_items, per_user, rng):
    """Return histories that prefer the first items, in CSR form, weights, and drawn items."""
    from scipy import sparse

    code = np.repeat(np.arange(n_users), per_user) * n_items
    code = np.unique(code + (n_items * rng.random(len(code)) ** 3).astype(np.int64))
    shape = {"shape": (n_users, n_items)}
    history = sparse.csr_matrix((np.ones(len(code), np.float32), np.divmod(code, n_items)), **shape)
    first = rng.standard_normal(n_items, np.float32)
    weights = np.stack([np.roll(first, place) for place in range(n_items)])
    return {"history": history, "weights": weights, "items": rng.integers(n_items, size=(n_users, DRAWN))}


def by_blocks(scores):
    """Return a contender that scores a block of users after the other, and keeps what the last has."""

    def prepare(data, cores):
        def run():
            for start in range(0, data["history"].shape[0], ROWS):
                rows = slice(start, start + ROWS)
                found = scores(data["history"][rows], data["weights"], data["items"][rows])
            return {"scores": found}

        return run

    return prepare


def ours(history, weights, items):
    from truerank.models.compiled.asked import dense_rows

    found = np.empty((history.shape[0], weights.shape[1]), np.float32)
    dense_rows((history.indptr, history.indices, history.data), weights, found)
    return found


def ours_drawn(history, weights, items):
    from truerank.models._core.asked import product_at

    return product_at(history, weights, items)


def scipy(history, weights, items):
    return history @ weights


def scipy_drawn(history, weights, items):
    return np.take_along_axis(history @ weights, items, axis=1)


def contest(job, mine, theirs):
    contenders = [
        Contender("truerank", by_blocks(mine), OURS),
        Contender("SciPy", by_blocks(theirs), local=True, aim=2, note="all items"),
    ]
    return Contest(job, inputs, full=FULL, small=SMALL, contenders=contenders, agree=largest_gap(1e-6))


CONTESTS = [
    contest("scores of 1,616 users by item weights, 10,360 items, one thread", ours, scipy),
    contest("scores of 1,616 users by item weights, 1,001 drawn of 10,360 items, one thread", ours_drawn, scipy_drawn),
]
