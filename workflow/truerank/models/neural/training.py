"""Minimise a loss by Adam, the steps of an epoch in one compiled program.

Programs are compiled for one thread, so the order of every sum, and with it every bit, is the same on any number of
cores. A program is kept for the next call with the same loss, settings and shapes.
"""

from functools import partial

import jax
import numpy as np
import optax

ONE_THREAD = {"xla_cpu_multi_thread_eigen": False}


def minimise(loss, settings, weights, epochs, n_epochs, rate, rng, tell):
    """Return the weights, as numpy arrays, after one step of Adam per batch of every epoch.

    loss : function of weights, a random key, the arrays of one batch and ``settings``, named values that are fixed;
    written at the top of a module, so that its program can be kept. weights : name -> array.
    epochs : function that gives the arrays of an epoch, each steps x batch x .., see ``in_batches``. The mean loss of
    its steps is told after each. An epoch without a step is skipped.
    """
    fixed = tuple(sorted(settings.items()))
    state = optax.adam(rate).init(weights)
    key = jax.random.key(int(rng.integers(2**31)))
    for epoch in range(n_epochs):
        batches = epochs()
        if len(batches[0]):
            key, own = jax.random.split(key)
            weights, state, mean = run(weights, state, own, batches, loss, fixed, rate)
            tell(epoch + 1, n_epochs, float(mean))
    return {name: np.asarray(array) for name, array in weights.items()}


@partial(jax.jit, static_argnames=("loss", "fixed", "rate"), compiler_options=ONE_THREAD)
def run(weights, state, key, batches, loss, fixed, rate):
    """Take one step per batch."""

    def step(carried, batch):
        weights, state, key = carried
        key, own = jax.random.split(key)
        value, slope = jax.value_and_grad(loss)(weights, own, *batch, **dict(fixed))
        change, state = optax.adam(rate).update(slope, state)
        return (optax.apply_updates(weights, change), state, key), value

    (weights, state, _), values = jax.lax.scan(step, (weights, state, key), batches)
    return weights, state, values.mean()


def in_batches(rng, size, *arrays):
    """Return arrays of examples in a random order, cut into steps x batch, and the weight of each example.

    All batches have the same size, at most ``size``; the last is filled up with examples of weight 0.
    """
    n = len(arrays[0])
    steps = -(-n // size)
    width = -(-n // steps) if n else 0
    order = np.zeros(steps * width, np.int64)
    order[:n] = rng.permutation(n)
    real = (np.arange(steps * width) < n).astype(np.float32)
    return [array.reshape(steps, width, *array.shape[1:]) for array in (*(a[order] for a in arrays), real)]


def dropped(key, x, share):
    """Return x with a random ``share`` of its numbers at 0 and the others scaled up to keep the mean."""
    return x if share == 0 else x * jax.random.bernoulli(key, 1 - share, x.shape) / (1 - share)
