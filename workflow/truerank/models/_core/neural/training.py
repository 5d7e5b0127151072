"""Minimise a loss by Adam, the steps of an epoch in one compiled program.

JAX gets one thread, so the order of every sum, and with it every bit, is the same on any number of cores. A program is
kept for the next call with the same loss, settings and shapes, also of another process; sizes that come from the data
are rounded up, so that data of about the same size share one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax

from truerank import jax_cache
from truerank.jax_cache import keep_new
from truerank.models._core.finite_check import check_finite
from truerank.models._core.neural.layers import Array, Weights
from truerank.models._core.progress import Callback
from truerank.provenance import environment

LEAST = 64

jax.config.update("jax_platforms", "cpu")
with environment(NPROC="1"):  # read when JAX starts its threads, which it does when first asked for its devices
    jax.devices()
PROGRAMS = jax_cache.enable()


def minimise(
    loss: Callable[..., jax.Array],
    settings: Mapping[str, object],
    weights: Weights,
    epoch: Callable[[], Iterable[Sequence[np.ndarray]]],
    epochs: int,
    rate: float | np.ndarray,
    rng: np.random.Generator,
    callback: Callback | None = None,
    tables: Sequence[str] = (),
    given: Weights | None = None,
) -> dict[str, np.ndarray]:
    """Return the weights, as numpy arrays, after one step of Adam per batch of every epoch.

    loss : function of weights, a random key, the arrays of one batch and ``settings``, named values that are fixed;
    written at the top of a module, so that its program can be kept. weights : name -> array; ``given`` are more of
    them, which are not learnt, and ``tables`` names those of both whose rows are looked up by code.
    epoch : function that gives what an epoch consists of, a few groups of steps: the arrays of each group are
    steps x .., one entry per step, the weights of examples last, see ``in_batches``. A step whose weights are all 0
    ends the group. The mean loss of its steps is reported after each epoch; one without a step changes nothing.
    rate : of learning, for all epochs or one for each.
    """
    sizes = {name: len(array) for name, array in weights.items()}
    weights, given = (
        {name: jnp.array(padded(array) if name in tables else array) for name, array in arrays.items()}
        for arrays in (weights, given or {})
    )
    fixed = tuple(sorted(settings.items()))
    rates = np.broadcast_to(np.float32(rate), epochs)
    state = optax.scale_by_adam().init(weights)
    key = jax.random.key(int(rng.integers(2**31)))
    for number, rate in enumerate(rates, 1):
        total = steps = 0.0
        for group in filter(lambda group: len(group[-1]), epoch()):
            key, own = jax.random.split(key)
            weights, state, more, taken = run(weights, state, own, rate, tuple(group), given, loss, fixed)
            total, steps = total + float(more), steps + int(taken)
        if steps:
            check_finite(number, epochs, total / steps, *weights.values())
            if callback is not None:
                callback(number, epochs, total / steps)
        if number == 1:
            keep_new(PROGRAMS)
    return {name: np.array(array[: sizes[name]]) for name, array in weights.items()}


@partial(jax.jit, static_argnames=("loss", "fixed"), donate_argnames=("weights", "state"))
def run(
    weights: Weights,
    state: optax.ScaleByAdamState,
    key: jax.Array,
    rate: Array,
    batches: tuple[jax.Array, ...],
    given: Weights,
    loss: Callable[..., jax.Array],
    fixed: tuple[tuple[str, object], ...],
) -> tuple[Weights, optax.ScaleByAdamState, jax.Array, jax.Array]:
    """Take one step per batch; return also the sum of their losses and their number.

    The new weights and state take the memory of the old ones, which nobody may read again.
    """

    def value_of(weights: Weights, key: jax.Array, batch: list[jax.Array]) -> jax.Array:
        return loss(weights | given, key, *batch, **dict(fixed))

    def step(
        place: jax.Array, carried: tuple[Weights, optax.ScaleByAdamState, jax.Array]
    ) -> tuple[Weights, optax.ScaleByAdamState, jax.Array]:
        weights, state, total = carried
        batch = [array[place] for array in batches]
        value, slope = jax.value_and_grad(value_of)(weights, jax.random.fold_in(key, place), batch)
        change, state = optax.scale_by_adam().update(slope, state)
        return {name: array - rate * change[name] for name, array in weights.items()}, state, total + value

    n_steps = (batches[-1].sum(axis=1) > 0).sum()
    weights, state, total = jax.lax.fori_loop(0, n_steps, step, (weights, state, jnp.zeros(())))
    return weights, state, total, n_steps


def falling(rate: float, epochs: int) -> np.ndarray:
    """Return the rate of each epoch, from ``rate`` down in equal steps; 0 would be that of the epoch after the last."""
    return rate * (1 - np.arange(epochs) / epochs)


def in_batches(rng: np.random.Generator, size: int, *arrays: np.ndarray) -> list[np.ndarray]:
    """Return arrays of examples in a random order, cut into steps x size, and the weight of each example.

    The last batch is filled up with examples of weight 0, and so are batches after it, up to a round number.
    """
    n = len(arrays[0])
    steps = rounded(-(-n // size))
    order = np.zeros(steps * size, np.int64)
    order[:n] = rng.permutation(n)
    real = (np.arange(steps * size) < n).astype(np.float32)
    return [array.reshape(steps, size, *array.shape[1:]) for array in (*(a[order] for a in arrays), real)]


def padded(table: np.ndarray) -> np.ndarray:
    """Return a table with rows of 0 at its end, up to a round number."""
    return np.concatenate([table, np.zeros((rounded(len(table)) - len(table), *table.shape[1:]), table.dtype)])


def rounded(n: int, least: int = LEAST) -> int:
    """Return n or a little more, at most an eighth above ``least``: a number that others round to as well."""
    step = max(least, 1 << max(int(n).bit_length() - 4, 0))
    return -(-n // step) * step


def dropped(key: jax.Array, x: Array, share: float) -> Array:
    """Return x with a random ``share`` of its numbers at 0 and the others scaled up to keep the mean."""
    return x if share == 0 else x * jax.random.bernoulli(key, 1 - share, x.shape) / (1 - share)
