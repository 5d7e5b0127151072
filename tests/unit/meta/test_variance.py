"""What moves a mean: parts of the variance against loops, and against a law that is known."""

import numpy as np
import pytest
from truerank.meta.variance import components
from truerank.provenance import generator


def by_loops(values):
    """The same from the sums of squares, one term at a time."""
    n_splits, n_trainings, n_users = values.shape
    run = [[sum(values[s, t]) / n_users for t in range(n_trainings)] for s in range(n_splits)]
    split_mean = [sum(own) / n_trainings for own in run]
    grand = sum(split_mean) / n_splits
    training = sum((run[s][t] - split_mean[s]) ** 2 for s in range(n_splits) for t in range(n_trainings))
    training /= n_splits * (n_trainings - 1)
    split = sum((own - grand) ** 2 for own in split_mean) / (n_splits - 1) - training / n_trainings
    cell = [[sum(values[s, :, u]) / n_trainings for u in range(n_users)] for s in range(n_splits)]
    user_mean = [sum(cell[s][u] for s in range(n_splits)) / n_splits for u in range(n_users)]
    between = n_splits * sum((own - grand) ** 2 for own in user_mean) / (n_users - 1)
    rest = sum(
        (cell[s][u] - user_mean[u] - split_mean[s] + grand) ** 2 for s in range(n_splits) for u in range(n_users)
    ) / ((n_splits - 1) * (n_users - 1))
    return (between - rest) / n_splits / n_users, split, training


def drawn(rng, splits, trainings, users, sizes):
    """Values with a user's own level, a split's, a user's on a split, a training's; sizes : their deviations."""
    own, split, both, training = sizes
    return (
        rng.normal(0, own, users)
        + rng.normal(0, split, (splits, 1, 1))
        + rng.normal(0, both, (splits, 1, users))
        + rng.normal(0, training, (splits, trainings, 1))
    )


def test_parts_equal_sums_of_squares():
    rng = generator(1, "variance")
    for shape in ((2, 2, 3), (4, 3, 7), (3, 5, 2)):
        values = drawn(rng, *shape, (3.0, 1.0, 1.0, 0.5))
        expected = np.maximum(by_loops(values), 0)
        np.testing.assert_allclose(components(values), expected, rtol=1e-9, atol=1e-12)


def test_parts_are_those_of_the_law_on_average():
    """Of 50 users: 9/50 the users', 1 + 4/50 the split's with the rows held out of each, 1/4 the training's."""
    rng = generator(2, "variance")
    found = np.array([components(drawn(rng, 6, 4, 50, (3, 1, 2, 0.5))) for _ in range(400)])
    np.testing.assert_allclose(found.mean(axis=0), [9 / 50, 1 + 4 / 50, 1 / 4], rtol=0.08)


def test_what_was_not_replicated_is_not_known():
    values = drawn(generator(3, "variance"), 3, 1, 40, (1, 1, 1, 0))
    found = components(values)
    assert np.isnan(found.training)
    assert found.split > 0
    alone = components(values[:1])
    assert np.isnan(alone.split)
    assert alone.users == pytest.approx(values[0, 0].var(ddof=1) / 40)
    assert np.isnan(components(values[:, :, :1]).users)
    np.testing.assert_array_equal(components(np.ones((2, 2, 5))), 0)
