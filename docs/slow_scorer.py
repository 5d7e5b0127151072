"""Evaluate a neural recommender that takes its time, by few of its scores: the example of docs/informed.md.

Run it with ``python docs/slow_scorer.py``; it takes a minute or two. Users and items are made up.
"""

import argparse
import time

import numpy as np
import truerank as tr
from truerank.core.training import train
from truerank.models._core.base import Train
from truerank.provenance import generator

METRICS = ["recall@10", "ndcg@10"]


def made_up(n_users, n_items, rng):
    """Return training items, users x 20, and a test item per user: what a user likes is quality, taste and chance."""
    taste = rng.normal(size=(n_users, 4)) @ rng.normal(size=(4, n_items)) + 1.5 * rng.normal(size=n_items)
    best = np.argsort(-(taste + rng.gumbel(size=taste.shape)), axis=1)[:, :21]
    return best[:, 1:], best[:, 0]


class SlowScorer:
    """A network that scores some items of a user, and waits as a larger one would."""

    def __init__(self, own, n_items, epochs, seconds):
        n_users = len(own)
        self.history = Train(np.repeat(np.arange(n_users), own.shape[1]), own.ravel(), n_users, n_items)
        self.model = train({"kind": "neumf", "epochs": epochs}, self.history, ("example", "neumf"), seed=1)
        self.seconds, self.asked = seconds, 0

    def __call__(self, user, items):
        self.asked += len(items)
        time.sleep(self.seconds * len(items))
        recommender, learnt = self.model.recommender, self.model.learnt
        return recommender.scores_of(learnt, self.history, np.array([user]), np.asarray(items)[None])[0]


def main(words=None):
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--users", type=int, default=200)
    options.add_argument("--items", type=int, default=1000)
    options.add_argument("--epochs", type=int, default=10)
    options.add_argument("--seconds", type=float, default=0.0002, help="that one score takes")
    given = options.parse_args(words)
    own, held_out = made_up(given.users, given.items, generator(1, "example"))
    scorer = SlowScorer(own, given.items, given.epochs, given.seconds)
    train_rows = {user: items.tolist() for user, items in enumerate(own)}
    test_rows = {user: [int(item)] for user, item in enumerate(held_out)}
    everything = given.items - own.shape[1]
    for label, settings in {
        "exact": {"exact": True},
        "100 scores": {"budget": 100},
        "100 scores, a third for the audit": {"budget": 100, "audit": 1 / 3},
    }.items():
        start = time.perf_counter()
        found = tr.score(scorer, train_rows, test_rows, METRICS, items=range(given.items), **settings)
        seconds = time.perf_counter() - start
        print(f"{label}: {found.scores_per_user:.1f} of {everything} scores per user, {seconds:.0f} s")
        print(found.estimates.round(4).to_string(index=False))
        print(*found.notes, sep="\n", end="\n\n")


if __name__ == "__main__":
    main()
