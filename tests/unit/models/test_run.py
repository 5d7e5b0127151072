"""A system outside: its scores, and minus infinity for all that it does not list."""

from dataclasses import replace

import numpy as np
from truerank.models.run import Run, run_path

from tests.support import fitted, noisy_train


def learnt_of(rows):
    train = noisy_train()
    user, item, score = (np.array(column) for column in zip(*rows, strict=True))
    train = replace(train, given=(user, item, score.astype(np.float32)))
    model = Run(path="run.txt")
    return train, model, fitted(model, train)


def test_what_is_listed_has_its_score_and_the_rest_has_none():
    train, model, learnt = learnt_of([(2, 9, 0.5), (0, 3, 1.0), (2, 1, -4.0)])
    scores = model.scores(learnt, train, np.array([2, 1, 0, 2]))
    expected = np.full((4, 30), -np.inf, np.float32)
    expected[[0, 3], 9], expected[[0, 3], 1], expected[2, 3] = 0.5, -4, 1
    np.testing.assert_array_equal(scores, expected)
    assert scores.dtype == np.float32


def test_scores_of_some_items_are_those_of_all():
    rng = np.random.default_rng(2)
    pairs = {(int(user), int(item)) for user, item in rng.integers([20, 30], size=(150, 2))}
    train, model, learnt = learnt_of([(user, item, rng.normal()) for user, item in sorted(pairs)])
    users, items = rng.integers(40, size=50), rng.integers(30, size=(50, 9))
    whole = model.scores(learnt, train, users)
    np.testing.assert_array_equal(
        model.scores_of(learnt, train, users, items), np.take_along_axis(whole, items, axis=1)
    )


def test_the_order_of_rows_means_nothing():
    rows = [(0, 3, 1.0), (2, 9, 0.5), (2, 1, -4.0)]
    (_, _, one), (_, _, two) = learnt_of(rows), learnt_of(rows[::-1])
    for name in one:
        np.testing.assert_array_equal(one[name], two[name])


def test_a_path_may_name_the_dataset_and_the_split():
    assert run_path("runs/{dataset}/{split}.csv", "ml", "holdout") == "runs/ml/holdout.csv"
    assert run_path("run.txt", "ml", "holdout") == "run.txt"
