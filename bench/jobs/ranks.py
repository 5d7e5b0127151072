"""Exact ranks of all test items, and lists of 100, from 64 factors."""

import numpy as np

from bench.contest import BOUND, OURS, Contender, Contest, in_blocks

DEPTH = 100
FACTORS = 64
CELLS, ROWS = 1 << 22, 512  # of scores at a time, at most, as in `truerank.ranking.exact`
COUNTED = 200  # users


def inputs(n_users, n_items, train_rows, test_rows, share, rng):
    """Return factors, and training and test rows that prefer the first items. share : of the users, for peers."""
    from scipy import sparse

    user_factors, item_factors = (rng.normal(size=(n, FACTORS)).astype(np.float32) for n in (n_users, n_items))
    n = n_users * (train_rows + test_rows)
    user = np.repeat(np.arange(n_users), train_rows + test_rows)
    code = np.unique(user * n_items + (n_items * rng.random(n) ** 2).astype(np.int64))
    is_test = rng.random(len(code)) < test_rows / (train_rows + test_rows)
    matrices = [
        sparse.csr_matrix((np.ones(len(rows), np.float32), np.divmod(rows, n_items)), shape=(n_users, n_items))
        for rows in (code[~is_test], code[is_test])
    ]
    return {"users": user_factors, "items": item_factors, "train": matrices[0], "test": matrices[1], "share": share}


def ours(data, cores):
    from truerank.ranking.exact import rank_items

    user, item = (part.astype(np.int32) for part in data["test"].nonzero())
    across = np.ascontiguousarray(data["items"].T)

    def run():
        found = rank_items(
            lambda block: data["users"][block] @ across,
            data["train"],
            user,
            item,
            np.uint64(1),
            depth=DEPTH,
            threads=cores,
        )
        return {
            "user": found.users,
            "list": np.sort(found.list_item),
            "row": user,
            "rank": 1 + found.above + found.before,
        }

    return run


def product(data, cores):
    """Multiply users' with items' factors, a block of users at a time, and do nothing with the scores."""
    across = np.ascontiguousarray(data["items"].T)
    step = min(ROWS, CELLS // len(data["items"]))

    def work(start):
        data["users"][start : start + step] @ across

    return in_blocks(work, range(0, len(data["users"]), step), cores)


def some_users(data):
    return np.arange(round(len(data["users"]) * data["share"]))


def implicit(data, cores):
    from implicit.cpu.als import AlternatingLeastSquares

    model = AlternatingLeastSquares(factors=FACTORS, num_threads=cores)
    model.user_factors, model.item_factors = data["users"], data["items"]
    users = some_users(data)
    train = data["train"][users]

    def run():
        items, _ = model.recommend(users, train, N=DEPTH, filter_already_liked_items=True)
        return {"user": users, "list": np.sort(items)}

    return run


def counted(data, cores):
    """Count the better candidates of every test item of some users, as anybody would write it."""
    rows, across = len(data["users"]) * share_counted(data), np.ascontiguousarray(data["items"].T)

    def run():
        ranks = []
        for user in range(round(rows)):
            scores = data["users"][user] @ across
            own = scores[data["test"][user].indices]
            scores[data["train"][user].indices] = -np.inf
            ranks += [1 + np.count_nonzero(scores > score) for score in own]
        return {"rank": np.array(ranks)}

    return run


def share_counted(data):
    return min(1.0, COUNTED / len(data["users"]))


def recometrics(data, cores):
    from recometrics import calc_reco_metrics

    users = some_users(data)
    parts = data["train"][users], data["test"][users], data["users"][users], data["items"]

    def run():
        found = calc_reco_metrics(*parts, k=DEPTH, average_precision=True, item_biases=None, nthreads=cores)
        return {"user": users, "precision": found[f"P@{DEPTH}"].to_numpy()}

    return run


def agree(mine, theirs):
    """Compare lists, ranks or precisions, whatever the other has: one in a thousand may differ.

    Sums are rounded in another order, so two scores that are almost the same may change places.
    """
    shares = []
    if "rank" in theirs:
        shares.append(np.mean(mine["rank"] != theirs["rank"]))
    if "list" in theirs:
        _, left, right = np.intersect1d(mine["user"], theirs["user"], return_indices=True)
        pairs = zip(mine["list"][left], theirs["list"][right], strict=True)
        shares.append(1 - np.mean([len(np.intersect1d(one, other)) / len(one) for one, other in pairs]))
    if "precision" in theirs:
        hits = np.bincount(mine["row"], mine["rank"] <= DEPTH, minlength=len(theirs["user"]))
        judged = np.isin(theirs["user"], mine["user"])
        shares.append(np.mean(np.abs(hits / DEPTH - theirs["precision"])[judged] > 1e-6))
    return max(shares) / 0.001


def contest(job, full):
    return Contest(
        job,
        inputs,
        full=full,
        small={"n_users": 100, "n_items": 1000, "train_rows": 20, "test_rows": 5, "share": 1.0},
        contenders=[
            Contender("truerank", ours, OURS),
            Contender("bare product", product, BOUND, aim=1.8),
            Contender(
                "implicit recommend, k = 100",
                implicit,
                needs="implicit",
                done=lambda data: data["share"],
                aim=2,
                note="no ranks",
            ),
            Contender("a count in numpy", counted, local=True, done=share_counted, rounds=1, note="some users, scaled"),
            Contender("recometrics", recometrics, needs="recometrics", done=lambda data: data["share"], rounds=1),
        ],
        agree=agree,
    )


CONTESTS = [
    contest(
        "exact ranks, 6,040 x 3,706",
        {"n_users": 6040, "n_items": 3706, "train_rows": 133, "test_rows": 33, "share": 1.0},
    ),
    contest(
        "exact ranks, 50,000 x 25,000",
        {"n_users": 50_000, "n_items": 25_000, "train_rows": 60, "test_rows": 10, "share": 0.1},
    ),
]
