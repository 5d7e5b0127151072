"""Layers of networks, written for the arrays of JAX, which learn them, and of numpy, which score with them."""

from typing import Annotated, Any

import numpy as np

from truerank.registry import Count

Array = Any  # of JAX, or of numpy
Weights = dict[str, Array]
Widths = Annotated[list[Count], {"minItems": 1}]


def normal(rng: np.random.Generator, *shape: int, scale: float = 0.01) -> np.ndarray:
    return (scale * rng.standard_normal(shape)).astype(np.float32)


def dense(rng: np.random.Generator, name: str, n_in: int, n_out: int) -> Weights:
    """Return the weights of one dense layer: Glorot's uniform, and no bias yet."""
    bound = np.sqrt(6 / (n_in + n_out))
    return {
        f"{name}_weights": rng.uniform(-bound, bound, (n_in, n_out)).astype(np.float32),
        f"{name}_bias": np.zeros(n_out, np.float32),
    }


def through(weights: Weights, name: str, x: Array) -> Array:
    return x @ weights[f"{name}_weights"] + weights[f"{name}_bias"]


def relu(x: Array) -> Array:
    return x * (x > 0)
