"""Drawn and scored negatives against exact ranks, as the catalogue grows: from where on does sampling pay?"""

from itertools import pairwise

import numpy as np

from bench.contest import OURS, Contender, Contest

FACTORS, NEGATIVES, REPEATS = 64, 100, 1
USERS = 2000
ITEMS = (1000, 4000, 16_000, 64_000, 256_000)
KEY = np.uint64(1)


def inputs(n_users, n_items, rng):
    """Return factors, 20 training items per user, and one test item."""
    from scipy import sparse

    user_factors, item_factors = (rng.normal(size=(n, FACTORS)).astype(np.float32) for n in (n_users, n_items))
    item = (n_items * rng.random((n_users, 21)) ** 2).astype(np.int32)
    train = [np.setdiff1d(row[1:], row[:1]) for row in item]
    ends = np.cumsum([0, *map(len, train)])
    history = sparse.csr_matrix((np.ones(ends[-1], np.float32), np.concatenate(train), ends), (n_users, n_items))
    return {"users": user_factors, "items": item_factors, "train": history, "item": item[:, 0]}


def drawn(data, cores):
    from truerank.provenance import generator
    from truerank.ranking.candidates import candidates_of
    from truerank.ranking.order import hashes
    from truerank.sampling.draw import Instances, draw

    user, item = np.arange(len(data["item"])), data["item"]
    tie_hash, kept = hashes(KEY, user, item), np.ones(len(user), bool)

    def scores(users, items):
        return np.einsum("uf,unf->un", data["users"][users], data["items"][items], optimize=True)

    def run():
        instances = Instances(user, item, tie_hash, kept, candidates_of("unseen", data["train"], item), KEY)
        found = draw(instances, [scores], generator(1, "bench"), negatives=NEGATIVES, repeats=REPEATS)
        return {"share": (found.rank[0].mean(axis=0) - 1) / NEGATIVES}

    return run


def exact(data, cores):
    from truerank.ranking.exact import rank_items

    user = np.arange(len(data["item"]), dtype=np.int32)
    across = np.ascontiguousarray(data["items"].T)

    def run():
        found = rank_items(lambda block: data["users"][block] @ across, data["train"], user, data["item"], KEY, depth=1)
        others = len(data["items"]) - np.diff(data["train"].indptr) - 1
        return {"share": (found.above + found.before) / others}

    return run


def agree(mine, theirs):
    """Compare the mean share of candidates before the test item; five standard errors of the draws are allowed."""
    error = np.sqrt((theirs["share"] * (1 - theirs["share"])).sum() / NEGATIVES) / len(theirs["share"])
    return float(abs(mine["share"].mean() - theirs["share"].mean()) / (5 * error))


def summary(rows):
    """Return a row that says between which sizes of the catalogue drawing begins to be faster."""
    faster = [row["ratio"] > 1 for row in rows]
    steps = zip(pairwise(ITEMS), pairwise(faster), strict=True)
    crossing = [f"{fewer:,} and {more:,} items" for (fewer, more), (before, after) in steps if after and not before]
    shown = {"aim": "crossover shown", "met": len(crossing) == 1}
    nothing = dict.fromkeys(rows[0])
    note = f"from between {' or '.join(crossing)} on" if crossing else "nowhere" if not any(faster) else "everywhere"
    return [nothing | {"job": "drawn negatives are faster", "peer": "exact ranking", "note": note} | shown]


CONTESTS = [
    Contest(
        f"drawn negatives, {n_items:,} items",
        inputs,
        full={"n_users": USERS, "n_items": n_items},
        small={"n_users": 200, "n_items": 500},
        contenders=[
            Contender("100 drawn negatives", drawn, OURS, rounds=2),
            Contender("exact ranking", exact, local=True, rounds=2, note="by us, on one core"),
        ],
        agree=agree,
    )
    for n_items in ITEMS
]
