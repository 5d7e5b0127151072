"""A toy study for samplers that draw items, and a test of a law."""

from dataclasses import replace

import numpy as np
from scipy import stats
from truerank.models.ease import Ease
from truerank.models.ials import Ials
from truerank.models.item_cf import ItemCF
from truerank.models.popularity import Popularity
from truerank.models.relevance_models import Rm1
from truerank.models.rocchio import RocchioWeights
from truerank.models.run import Run
from truerank.provenance import generator
from truerank.ranking.candidates import candidates_of
from truerank.ranking.exact import rank_items
from truerank.ranking.order import order_key, tie_hashes
from truerank.sampling._core.instances import Instances

from tests.support import fitted, noisy_train

FALSE_ALARM = 1e-6  # the chance that a test fails though the code is right, for each test that says so


def drawing(n_users=40, n_items=60, rule="unseen"):
    """Return a toy study: training, instances, models as scorers, and the exact ranks, models x instances."""
    train = noisy_train(n_users, n_items)
    listed = np.argwhere(np.random.default_rng(9).random((n_users, n_items)) < 0.2)
    train = replace(train, given=(*listed.T, listed.sum(axis=1) % 7))  # recommends a few items, most tests not
    user = np.arange(n_users)
    item = np.array([np.setdiff1d(np.arange(n_items), train.item[train.user == u])[u % 5] for u in user])
    key = order_key(generator(1, "ties"))
    tie_hash = tie_hashes("random", key, user, item, np.ones(n_users))
    models = [Ease(), Ials(factors=3, iterations=2), ItemCF(power=1, neighbours=2), Popularity(), Run(path="run.txt")]
    models += [RocchioWeights(neighbours=2), Rm1(neighbours=2)]
    learnt = [fitted(model, train) for model in models]

    def scorer(model, arrays):
        return lambda users, items: model.scores_of(arrays, train, users, items)

    ranks = []
    among = candidates_of(rule, train.matrix, item)
    for model, arrays in zip(models, learnt, strict=True):
        scores = lambda block, model=model, arrays=arrays: model.scores(arrays, train, block)  # noqa: E731
        ranking = rank_items(scores, among.barred, user, item, key, left_out=among.left_out)
        ranks.append(1 + ranking.above + ranking.before)
    scorers = [scorer(*pair) for pair in zip(models, learnt, strict=True)]
    everybody = np.ones(n_users, bool)
    popularity = np.bincount(train.item, minlength=n_items)
    instances = Instances(user, item, tie_hash, everybody, among, key, popularity=popularity)
    return instances, scorers, np.stack(ranks)


def assert_law(counts, chances):
    expected = chances / chances.sum() * counts.sum()
    assert not counts[expected < 1e-9].any()
    common = expected >= 5
    table = np.array([np.append(part[common], part[~common].sum()) for part in (counts, expected)])
    table = table[:, table[1] > 0]
    if table.shape[1] > 1:
        assert stats.chisquare(table[0], table[1] * table[0].sum() / table[1].sum()).pvalue > FALSE_ALARM
