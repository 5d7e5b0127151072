"""Neural matrix factorisation: a product of factors and a network, trained on what is there and on what is not."""

import numpy as np

from truerank.models.base import Recommender
from truerank.models.neural.layers import dense, normal, relu, through
from truerank.models.neural.negatives import unseen
from truerank.models.progress import quiet
from truerank.registry import MODELS, Count, NonNegative, Positive

LAYERS = [32, 16, 8]


@MODELS.register(
    "neumf",
    uses=("interactions",),
    predicts_ratings=False,
    time="epochs x interactions x (1 + negatives) x (factors + layer^2), ranking users x items x layer^2",
    memory="(users + items) x (factors + layer) + interactions x (1 + negatives)",
)
class NeuMF(Recommender):
    def __init__(
        self,
        *,
        factors: Count = 64,
        layers: list[Count] = LAYERS,
        negatives: Count = 4,
        epochs: Count = 10,
        rate: Positive = 0.001,
        batch: Count = 4096,
        l2: NonNegative = 0.0,
    ):
        self.factors = factors
        self.layers = layers
        self.negatives = negatives
        self.epochs = epochs
        self.rate = rate
        self.batch = batch
        self.l2 = l2

    def fit(self, train, rng, tell=quiet):
        from truerank.models.neural.training import in_batches, minimise

        def epoch():
            user = np.repeat(train.user, self.negatives + 1)
            item = unseen(rng, train, user)
            item[:: self.negatives + 1] = train.item
            label = np.zeros(len(user), np.float32)
            label[:: self.negatives + 1] = 1
            return in_batches(rng, self.batch, user.astype(np.int32), item.astype(np.int32), label)

        weights = self.start(train, rng)
        settings = {"depth": len(self.layers), "l2": self.l2}
        weights = minimise(loss, settings, weights, epoch, self.epochs, self.rate, rng, tell)
        return folded(weights, len(self.layers))

    def start(self, train, rng):
        width = self.layers[0]
        weights = {
            "users": normal(rng, train.n_users, self.factors),
            "items": normal(rng, train.n_items, self.factors),
            "deep_users": normal(rng, train.n_users, width),
            "deep_items": normal(rng, train.n_items, width),
        }
        for place, (n_in, n_out) in enumerate(zip([2 * width, *self.layers], self.layers, strict=False)):
            weights |= dense(rng, f"layer{place}", n_in, n_out)
        return weights | dense(rng, "out", self.factors + self.layers[-1], 1)

    def scores(self, learnt, train, users):
        every = np.arange(train.n_items)
        return np.stack([self.of_user(learnt, user, every) for user in users])

    def scores_of(self, learnt, train, users, items):
        return np.stack([self.of_user(learnt, user, asked) for user, asked in zip(users, items, strict=True)])

    def of_user(self, learnt, user, items):
        deep = relu(learnt["deep_users"][user] + learnt["deep_items"][items])
        for place in range(1, len(self.layers)):
            deep = relu(through(learnt, f"layer{place}", deep))
        return deep @ learnt["out"] + learnt["items"][items] @ learnt["users"][user]


def logits(weights, user, item, depth):
    import jax.numpy as jnp

    deep = jnp.concatenate([weights["deep_users"][user], weights["deep_items"][item]], axis=1)
    for place in range(depth):
        deep = relu(through(weights, f"layer{place}", deep))
    product = weights["users"][user] * weights["items"][item]
    return through(weights, "out", jnp.concatenate([product, deep], axis=1))[:, 0]


def loss(weights, key, user, item, label, real, depth, l2):
    import jax.numpy as jnp
    import optax

    error = optax.sigmoid_binary_cross_entropy(logits(weights, user, item, depth), label)
    tables = [weights[n][c] for n, c in (("users", user), ("items", item), ("deep_users", user), ("deep_items", item))]
    size = sum((t * t).sum(axis=1) for t in tables)
    return jnp.sum(real * (error + l2 * size)) / jnp.sum(real)


def folded(weights, depth):
    """Return what scoring needs: the first layer applied to users and to items, the last to the users' factors."""
    width = weights["deep_users"].shape[1]
    first, bias = weights["layer0_weights"], weights["layer0_bias"]
    factors = weights["users"].shape[1]
    out = weights["out_weights"][:, 0]
    later = {f"layer{place}_{part}": weights[f"layer{place}_{part}"] for place in range(1, depth) for part in ("weights", "bias")}
    return {
        "users": weights["users"] * out[:factors],
        "items": weights["items"],
        "deep_users": weights["deep_users"] @ first[:width] + bias,
        "deep_items": weights["deep_items"] @ first[width:],
        **later,
        "out": out[factors:],
    }
