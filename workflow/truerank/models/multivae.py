"""Variational auto-encoder of a user's items with a multinomial likelihood."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from truerank.models._core.asked import inner_products_at
from truerank.models._core.base import Learnt, Recommender, Train
from truerank.models._core.neural.layers import Weights, dense, through
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count, NonNegative, Positive, Share

if TYPE_CHECKING:
    import jax


@MODELS.register(
    "multivae",
    uses=("interactions",),
    predicts_ratings=False,
    time="epochs x users x items x hidden",
    memory="items x hidden + batch x items",
)
@dataclass(kw_only=True)
class MultiVAE(Recommender):
    r"""Encode a user's items as a normal distribution over a short vector, decode it into probabilities of all items.

    .. math:: \max_{\theta, \phi}\; \sum_u \mathbb{E}_{z \sim N(\mu(x_u), \sigma^2(x_u))} \sum_i x_{ui} \log \pi_i(z)
        - \beta\, \mathrm{KL}\big(N(\mu, \sigma^2) \,\Vert\, N(0, I)\big)

    μ and log σ² come from the user's row, scaled to length 1, with ``dropout``, through one tanh layer of ``hidden``
    numbers; π is the softmax of another such layer. β rises from 0 to ``beta`` over the first half of the training,
    while ``rate`` falls. Score: the logit of π at z = μ. A user without items is decoded like any other, from μ(0).

    Liang, Krishnan, Hoffman & Jebara 2018, doi:10.1145/3178876.3186150; hidden, latent, dropout and beta are theirs.
    """

    hidden: Count = 600
    latent: Count = 200
    dropout: Share = 0.5
    beta: NonNegative = 0.2
    epochs: Count = 30
    batch: Count = 128
    rate: Positive = 0.002

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        from truerank.models._core.neural.training import falling, in_batches, minimise

        weights = {
            **dense(rng, "encode", train.n_items, self.hidden),
            **dense(rng, "mean", self.hidden, self.latent),
            **dense(rng, "spread", self.hidden, self.latent),
            **dense(rng, "decode", self.latent, self.hidden),
            **dense(rng, "out", self.hidden, train.n_items),
        }
        users = np.flatnonzero(train.per_user)
        steps = self.epochs * -(-len(users) // self.batch)
        taken = 0

        def epoch() -> Iterator[list[np.ndarray]]:
            nonlocal taken
            for block, real in zip(*in_batches(rng, self.batch, users), strict=True):
                if not real.any():
                    return
                beta = np.array(self.beta * min(2 * taken / steps, 1), np.float32)
                taken += 1
                yield [array[None] for array in (train.matrix[block].toarray(), beta, real)]

        settings = {"dropout": self.dropout}
        rates = falling(self.rate, self.epochs)
        weights = minimise(loss, settings, weights, epoch, self.epochs, rates, rng, callback)
        return {name: array for name, array in weights.items() if not name.startswith("spread")}

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        return through(learnt, "out", self.decoded(learnt, train, users))

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        rows = np.ascontiguousarray(learnt["out_weights"].T)
        return inner_products_at(self.decoded(learnt, train, users), rows, items) + learnt["out_bias"][items]

    def decoded(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        length = np.sqrt(np.maximum(train.per_user[users], 1))
        row = sparse.diags((1 / length).astype(np.float32)) @ train.matrix[users]
        mean = through(learnt, "mean", np.tanh(through(learnt, "encode", row)))
        return np.tanh(through(learnt, "decode", mean))


def loss(
    weights: Weights, key: "jax.Array", row: "jax.Array", beta: "jax.Array", real: "jax.Array", dropout: float
) -> "jax.Array":
    """Return minus the bound of the mean user in a batch; row : users x items, 0 or 1."""
    import jax
    import jax.numpy as jnp

    from truerank.models._core.neural.training import dropped

    thinned, noise = jax.random.split(key)
    length = jnp.sqrt(jnp.maximum(row.sum(axis=1, keepdims=True), 1))
    hidden = jnp.tanh(through(weights, "encode", dropped(thinned, row / length, dropout)))
    mean, log_variance = through(weights, "mean", hidden), through(weights, "spread", hidden)
    latent = mean + jnp.exp(log_variance / 2) * jax.random.normal(noise, mean.shape)
    logits = through(weights, "out", jnp.tanh(through(weights, "decode", latent)))
    fit = jnp.sum(row * jax.nn.log_softmax(logits), axis=1)
    divergence = jnp.sum(jnp.exp(log_variance) + mean**2 - 1 - log_variance, axis=1) / 2
    return jnp.sum(real * (beta * divergence - fit)) / jnp.sum(real)
