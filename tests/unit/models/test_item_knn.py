"""Item kNN against loops over pairs of items."""

import math

import numpy as np
from truerank.models.item_knn import ItemKNN

from tests.neighbourhoods import columns_of, cosine, near, rows_of
from tests.support import all_scores, fitted, for_each, noisy_train, train_of


def slow_scores(train, k, similarity="cosine", alpha=0.5, shrink=0.0, normalise=True):
    rows, columns = rows_of(train), columns_of(train)

    def probability(j, i):
        total = sum(1 / math.sqrt(len(rows[u])) for u in sorted(j.keys() & i.keys()))
        return total / (len(j) * len(i) ** alpha) if total else 0.0

    kept = near(columns, k, probability if similarity == "probability" else lambda a, b: cosine(a, b, shrink))
    scores = np.zeros((train.n_users, train.n_items))
    for j, members in enumerate(kept):
        norm = sum(members.values()) if normalise else 1
        for i, weight in members.items():
            for u in columns[j]:
                scores[u, i] += weight / norm
    return scores


@for_each("seed", [1, 2])
@for_each("normalise", [False, True])
@for_each("settings", [{}, {"shrink": 5.0}, {"similarity": "probability"}, {"similarity": "probability", "alpha": 1.0}])
@for_each("k", [1, 4, 100])
def test_scores_are_those_of_loops_over_pairs(k, settings, normalise, seed):
    train, model = noisy_train(seed=seed), ItemKNN(neighbours=k, normalise=normalise, **settings)
    found = all_scores(model, fitted(model, train), train)
    np.testing.assert_allclose(found, slow_scores(train, k, normalise=normalise, **settings), rtol=1e-5, atol=1e-6)


def test_neighbours_are_those_of_the_history_item():
    """Item 0 is everybody's; items 1 to 3 are near to it alone, and it keeps the one that most users have."""
    pairs = [(user, 0) for user in range(9)] + [(user, 1 + user // 4) for user in range(9)]
    train, model = train_of([*pairs, (9, 0)], 10, 4), ItemKNN(neighbours=1)
    assert all_scores(model, fitted(model, train), train)[9].tolist() == [0, 1, 0, 0]
