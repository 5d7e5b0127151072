"""Sampled ranks of made-up users, and their law, for the jobs that fit a distribution of exact ranks."""

import numpy as np


def exact_ranks(n_users, n_items, rng):
    return np.minimum(1 + (n_items * rng.random(n_users) ** 4).astype(np.int64), n_items)


def sampled_ranks(n_users, n_items, set_size, rng):
    """Return how many of the set come before the test item, and 1: draws with replacement."""
    share = (exact_ranks(n_users, n_items, rng) - 1) / (n_items - 1)
    return 1 + rng.binomial(set_size - 1, share)


def adaptive_ranks(n_users, n_items, sizes, rng):
    """Return sampled ranks, and the negatives in each set, which grows while the item is first in it."""
    share = (exact_ranks(n_users, n_items, rng) - 1) / (n_items - 1)
    above, negatives = np.zeros(n_users, np.int64), np.zeros(n_users, np.int64)
    for size in sizes:
        first = above == 0
        above[first] = rng.binomial(size - 1 - negatives[first], share[first])
        negatives[first] = size - 1
    return 1 + above, negatives


def chance(rank, negatives, n_items):
    """Return P(r | R) for R = 1 .. n_items, by scipy's binomial law: what a user of these methods would write."""
    from scipy.stats import binom

    return binom.pmf(rank - 1, negatives, np.arange(n_items) / (n_items - 1))


def per_user_em(rank, negatives, n_items, iterations):
    """Return a function that runs EM as equation 33 of Li et al. has it: one posterior per user and iteration.

    The users' chances are computed before, so they are not in its time.
    """
    pairs, which = np.unique(
        np.column_stack([rank, np.broadcast_to(negatives, rank.shape)]), axis=0, return_inverse=True
    )
    chances = [chance(r, m, n_items) for r, m in pairs]

    def run():
        weights = np.full(n_items, 1 / n_items)
        for _ in range(iterations):
            total = np.zeros(n_items)
            for pair in which.ravel():
                posterior = weights * chances[pair]
                total += posterior / posterior.sum()
            weights = total / len(rank)
        return {"weights": weights}

    return run
