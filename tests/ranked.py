"""Rankings written out in full: sort the candidates, look where the test items are."""

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from scipy import sparse
from truerank.ranking import exact
from truerank.ranking.candidates import candidates_of
from truerank.ranking.order import tie_hashes

POLICIES = ("random", "optimistic", "pessimistic")


def python_mix(x):
    """SplitMix64's finaliser in unbounded integers."""
    x = (x + 0x9E3779B97F4A7C15) % 2**64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
    return x ^ x >> 31


def python_hash(key, user, item):
    return python_mix((python_mix((key + user) % 2**64) + item) % 2**64)


@dataclass
class Case:
    """A small problem: scores users x items, a training mask, and test ratings, {(user, item): rating}."""

    scores: np.ndarray
    train: np.ndarray
    tests: dict
    rule: str = "unseen"

    def rank(self, policy="random", key=11, scores=None, **options):
        """Ask the code under test."""
        pairs = np.array(sorted(self.tests), np.int32).reshape(-1, 2)
        user, item = pairs.T
        rating = np.array([self.tests[pair] for pair in sorted(self.tests)], np.float32)
        placed = tie_hashes(policy, np.uint64(key), user, item, rating)
        of_block = scores or (lambda users: self.scores[users].astype(np.float32))
        history = sparse.csr_matrix(self.train.astype(np.float32))
        among = candidates_of(self.rule, history, item)
        options["left_out"] = among.left_out
        return exact.rank_items(of_block, among.barred, user, item, np.uint64(key), placed, **options)

    def candidates(self, user):
        """Return the items that are ranked for a user, by the rule in words."""
        tested = {item for _, item in self.tests}
        items = range(self.scores.shape[1])
        return {
            "unseen": [item for item in items if not self.train[user, item]],
            "all": list(items),
            "tested": [item for item in items if not self.train[user, item] and item in tested],
        }[self.rule]

    def order(self, user, policy="random", key=11):
        """Return all candidates of a user from first to last."""
        row = self.scores[user].astype(np.float32)

        def place(item):
            rating = self.tests.get((user, item))
            tie = {
                "random": (),
                "optimistic": (1, 0) if rating is None else (0, -rating),
                "pessimistic": (0, 0) if rating is None else (1, rating),
            }[policy]
            unlisted = math.isinf(row[item]) and rating is not None  # not recommended: no tie, but the last place
            return (-row[item], unlisted, *tie, python_hash(key, user, item))

        return sorted(self.candidates(user), key=place)

    def check(self, ranking, policy="random", key=11, depth=100):
        """Compare what ``rank`` gave with the sorted candidates."""
        depth = min(depth, self.scores.shape[1])
        users = sorted({user for user, _ in self.tests})
        orders = {user: self.order(user, policy, key) for user in users}
        assert ranking.users.tolist() == users
        for t, (user, item) in enumerate(sorted(self.tests)):
            row = self.scores[user].astype(np.float32)
            others = [row[other] for other in orders[user] if other != item]
            assert ranking.score[t] == row[item]
            assert ranking.above[t] == sum(score > row[item] for score in others)
            assert ranking.tied[t] == sum(score == row[item] for score in others)
            assert 1 + ranking.above[t] + ranking.before[t] == 1 + orders[user].index(item)
            assert 0 <= ranking.before[t] <= ranking.tied[t]
        assert ranking.list_item.shape == ranking.list_score.shape == (len(users), depth)
        for row, user in enumerate(users):
            listed = [item for item in orders[user] if self.scores[user, item] > -math.inf][:depth]
            assert ranking.list_item[row].tolist() == listed + [-1] * (depth - len(listed))
            scores = self.scores[user, listed].astype(np.float32)
            assert (ranking.list_score[row, : len(listed)] == scores).all()
            assert np.isnan(ranking.list_score[row, len(listed) :]).all()


@st.composite
def cases(draw, most_items=25, values=(-math.inf, -1.0, 0.0, 0.5, 2.0)):
    """Draw problems full of ties, with minus infinity, users without a test, and users with nothing else to rank."""
    n_users, n_items = draw(st.integers(1, 6)), draw(st.integers(1, most_items))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    scores = rng.choice(values, (n_users, n_items))
    train = rng.random((n_users, n_items)) < draw(st.sampled_from([0.0, 0.3, 0.9]))
    tests = {}
    for user in range(n_users):
        kind = draw(st.sampled_from(["none", "some", "only"])) if user else "some"
        if kind == "none":
            continue
        if kind == "only":
            train[user] = True
        chosen = rng.choice(n_items, 1 if kind == "only" else rng.integers(1, n_items + 1), replace=False)
        train[user, chosen] = False
        tests |= {(user, int(item)): int(rng.integers(1, 6)) for item in chosen}
    return Case(scores, train, tests)
