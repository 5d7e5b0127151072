"""The training loop against Adam written out, and what it promises about shapes, batches and bytes."""

import os
import subprocess
import sys

import numpy as np
import pytest
from truerank.models._core.neural.training import dropped, in_batches, minimise, padded, rounded
from truerank.provenance import generator

from tests.support import ROOT, for_each


def squares(weights, key, row, target, real, scale):
    """Return the mean squared error of ``scale`` times the table's row."""
    return (real * (scale * weights["table"][row] - target) ** 2).sum() / real.sum()


def adam(slope, start, steps, rate):
    """Return the weights after some steps of Adam, as Kingma & Ba 2014 print it."""
    weights, first, second = start.astype(float), 0.0, 0.0
    for step in range(1, steps + 1):
        g = slope(weights)
        first, second = 0.9 * first + 0.1 * g, 0.999 * second + 0.001 * g * g
        weights = weights - rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights


def test_steps_are_those_of_adam():
    start, target = np.array([1.0, -2.0, 0.5], np.float32), np.array([0.0, 1.0, 3.0], np.float32)
    batch = [np.arange(3, dtype=np.int32)[None], target[None], np.ones((1, 3), np.float32)]
    losses = []
    found = minimise(
        squares,
        {"scale": 2.0},
        {"table": start},
        lambda: [batch, batch],
        5,
        0.1,
        generator(1),
        lambda *told: losses.append(told),
        tables=("table",),
    )["table"]
    np.testing.assert_allclose(found, adam(lambda w: 4 * (2 * w - target) / 3, start, 10, 0.1), atol=1e-4)
    assert [told[:2] for told in losses] == [(epoch, 5) for epoch in range(1, 6)]
    assert losses[-1][2] < losses[0][2]


def test_what_is_given_is_used_and_not_learnt():
    given = {"table": np.array([2.0], np.float32)}

    def epoch():
        return [[np.zeros((1, 1), np.int32), np.ones((1, 1), np.float32), np.ones((1, 1), np.float32)]]

    losses = []
    found = minimise(
        squares, {"scale": 1.0}, {"other": np.ones(2, np.float32)}, epoch, 2, 0.1, generator(1),
        lambda *told: losses.append(told[2]), given=given,
    )  # fmt: skip
    assert losses == [1, 1]
    assert list(found) == ["other"]
    np.testing.assert_array_equal(found["other"], 1)


def test_no_example_is_no_step():
    empty = [in_batches(generator(1), 4, np.zeros(0, np.int32), np.zeros(0, np.float32))]
    told = []
    found = minimise(
        squares, {"scale": 1.0}, {"table": np.ones(2, np.float32)}, lambda: empty, 3, 0.1, generator(1),
        lambda *step: told.append(step),
    )  # fmt: skip
    np.testing.assert_array_equal(found["table"], 1)
    assert not told


@pytest.mark.parametrize(("n", "size"), [(1, 4), (4, 4), (5, 4), (100, 7), (3000, 16)])
def test_every_example_is_in_one_batch(n, size):
    numbers, pairs, real = in_batches(generator(2), size, np.arange(n), np.arange(2 * n).reshape(n, 2))
    assert numbers.shape == real.shape
    assert pairs.shape == (*real.shape, 2)
    assert sorted(numbers[real > 0]) == list(range(n))
    assert (pairs[..., 0] == 2 * numbers).all()
    used = real.any(axis=1)
    assert used.sum() == -(-n // size)
    assert (used[:-1] >= used[1:]).all(), "batches without an example come last"


@for_each("n", [0, 1, 63, 64, 65, 300, 6040, 138_493, 10**7])
def test_sizes_are_rounded_up_by_little(n):
    assert n <= rounded(n) <= n + max(63, n / 8)
    table = padded(np.ones((min(n, 300), 2), np.float32))
    assert len(table) == rounded(min(n, 300))
    assert table.sum() == 2 * min(n, 300)


def test_dropout_keeps_the_mean():
    import jax

    kept = np.asarray(dropped(jax.random.key(1), np.ones(100_000, np.float32), 0.25))
    assert set(np.unique(kept)) == {0, np.float32(1 / 0.75)}
    assert kept.mean() == pytest.approx(1, abs=0.01)


TRAIN = """
import hashlib, sys
sys.path.insert(0, "workflow")
from tests.support import fitted, noisy_train
from truerank.models.multivae import MultiVAE
learnt = fitted(MultiVAE(hidden=256, latent=64, epochs=2, batch=256), noisy_train(600, 700))
print(hashlib.sha256(b"".join(array.tobytes() for array in learnt.values())).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2, reason="a second core is needed"
)
def test_cores_change_no_byte():
    """In processes of their own: what JAX may use is settled when it starts. Large enough for it to want two cores."""
    cores = sorted(os.sched_getaffinity(0))
    found = []
    for allowed in (cores[:1], cores):
        done = subprocess.run(
            [sys.executable, "-c", f"import os; os.sched_setaffinity(0, {allowed})\n" + TRAIN],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        found.append(done.stdout)
    assert found[0] == found[1]
