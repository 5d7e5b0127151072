"""Made-up rank tables of the shape of a real test set."""

import numpy as np

CUTOFFS = (5, *range(10, 101, 10))
METRICS = ("precision", "recall", "ap", "ndcg", "rr", "bpref", "infap")
RELEVANT = 4


def rank_tables(n_users, n_rows, n_items, n_systems, rng):
    """Return ``user`` and ``rating`` per test row, ``rank`` (systems x rows), and ``candidates`` per row.

    Ratings and the numbers of rows per user are skewed as those of MovieLens are, and good systems rank test items
    nearer to the top. Every user has a row, and no two rows of a user share a rank.
    """
    share = rng.lognormal(sigma=0.9, size=n_users)
    more = rng.multinomial(n_rows - n_users, share / share.sum())
    user = np.repeat(np.arange(n_users), 1 + np.minimum(more, n_items // 4))
    rating = rng.choice(5, len(user), p=[0.06, 0.11, 0.26, 0.35, 0.22]) + 1.0
    power = np.linspace(2, 5, n_systems)[:, None]
    wanted = 1 + (n_items // 2 * rng.random((n_systems, len(user))) ** power).astype(np.int64)
    rank = np.stack([distinct(user, of_system) for of_system in wanted])
    return {"user": user, "rating": rating, "rank": rank, "candidates": np.full(len(user), n_items)}


def distinct(user, rank):
    """Move ranks down, as little as needed, until those of a user differ."""
    order = np.lexsort((rank, user))
    far = np.int64(1) << 32  # so that a user's running maximum begins anew
    step = np.arange(len(user))
    apart = np.maximum.accumulate(rank[order] - step + user[order] * far) + step - user[order] * far
    moved = np.empty_like(rank)
    moved[order] = apart
    return moved


def qrels_of(user, rank, rating):
    """Return judgements as trec_eval's users have them: an item is called by its rank."""
    qrels = {f"u{u}": {} for u in np.unique(user)}
    for u, r, value in zip(user.tolist(), rank.tolist(), rating.tolist(), strict=True):
        qrels[f"u{u}"][f"d{r}"] = int(value)
    return qrels


def run_of(user, depth=CUTOFFS[-1]):
    """Return the users' top lists, which are alike since items are called by their rank."""
    listed = {f"d{place}": float(depth + 1 - place) for place in range(1, depth + 1)}
    return {f"u{u}": dict(listed) for u in np.unique(user)}


def cut_lists(run):
    """Return cut-off -> the lists as far as that."""
    return {k: {user: dict(list(own.items())[:k]) for user, own in run.items()} for k in CUTOFFS}
