"""Small problems of informed evaluation, and what a search should find, written out."""

import numpy as np
from scipy import sparse
from truerank.informed.order import Barred, OwnOrder, ProxyOrder, SharedOrder
from truerank.informed.search import Search, Tests
from truerank.ranking.order import tie_hashes
from truerank.ranking.shards import blocks


class Problem:
    """Scores users x items, a training mask and test pairs, as a search takes them."""

    def __init__(self, scores, train, pairs, rating=None, policy="random", key=11):
        self.scores = np.asarray(scores, np.float32)
        self.history = sparse.csr_matrix(np.asarray(train, np.float32))
        user, item = (np.asarray(each, np.int64) for each in np.array(sorted(pairs)).T)
        rating = np.ones(len(user)) if rating is None else rating
        users, row = np.unique(user, return_inverse=True)
        self.tests = Tests(users, row, item, tie_hashes(policy, np.uint64(key), user, item, rating), np.uint64(key))
        self.barred = Barred(users, self.history, row, item)
        self.asked = []

    def ask(self, users, items):
        self.asked += zip(users.tolist(), items.tolist(), strict=True)
        return self.scores[users, items]

    def order(self, proxy, seed=0):
        """proxy : scores of items, or of users x items."""
        rng = np.random.default_rng(seed)
        proxy = np.asarray(proxy, float)
        if proxy.ndim == 1:
            return SharedOrder(proxy, self.barred, rng)
        return OwnOrder(lambda rows: proxy[self.tests.users[rows]], proxy.shape[1], self.barred, rng)

    def search(self, proxy, n_places):
        return Search(self.tests, self.order(proxy), self.ask, n_places)

    def parts(self, proxy, n_places, size):
        """Searches of some users at a time, each with one test item."""
        tests, order = self.tests, self.order(proxy)
        for rows in blocks(len(tests.users), size):
            here = tests.users[rows], tests.row[rows] - rows.start, tests.item[rows], tests.tie_hash[rows]
            yield Search(Tests(*here, tests.key), Part(order, rows), self.ask, n_places)


class Part(ProxyOrder):
    """Some of the rows of an order."""

    def __init__(self, order, rows):
        self.order, self.first, self.n, self.own_rank = order, rows.start, order.n[rows], order.own_rank[rows]

    def items(self, rows, positions):
        return self.order.items(rows + self.first, positions)


def one_held_out(n_users=400, n_items=300, noise=1.0, seed=0):
    """A model of item quality and taste, one test item per user drawn by the same taste, and popularity as a proxy."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=n_items)
    taste = quality + noise * rng.normal(size=(n_users, n_items))
    draws = np.argsort(-(taste + rng.gumbel(size=taste.shape)), axis=1)
    train = np.zeros(taste.shape, bool)
    np.put_along_axis(train, draws[:, 1:11], True, axis=1)
    pairs = [(user, int(item)) for user, item in enumerate(draws[:, 0])]
    scores = taste + 0.5 * rng.normal(size=taste.shape)
    return Problem(scores, train, pairs), train.sum(axis=0).astype(float)


def exact_ranks(problem):
    """Return 1 + the candidates ahead of each test item, by comparing all; no two scores are equal."""
    ranks = []
    for row, item in zip(problem.tests.row, problem.tests.item, strict=True):
        user = problem.tests.users[row]
        candidates = np.setdiff1d(np.arange(problem.scores.shape[1]), problem.history[user].indices)
        ranks.append(1 + int((problem.scores[user, candidates] > problem.scores[user, item]).sum()))
    return np.array(ranks)
