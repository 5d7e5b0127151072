"""Learn vectors of users and items from triplets."""

import jax
import jax.numpy as jnp
import numpy as np

from truerank.models.neural.embedder import DROPOUT, embed, embedder_weights, sequence_of_users, triplets
from truerank.models.neural.training import dropped, in_batches, minimise

ENTITIES_PER_BLOCK = 4096


def learn_vectors(train, context, rng, tell, *, widths, hidden, liked, disliked, limit, margin, epochs, batch, rate):
    """Return ``user_vectors`` and ``item_vectors`` of length 1, users near what they like."""
    weights = embedder_weights(rng, train, context.shape[1], widths, hidden)

    def epoch():
        drawn = triplets(rng, train, liked, disliked, limit)
        return [in_batches(rng, batch, *(codes.astype(np.int32) for codes in drawn))]

    tables, given = ("user_table", "item_table", "context"), {"context": context}
    weights = minimise(loss, {"margin": margin}, weights, epoch, epochs, rate, rng, tell, tables, given)
    users = [embed(weights, sequence_of_users(weights, context[cut], cut)) for cut in cuts(train.n_users)]
    items = [embed(weights, [weights["item_table"][cut]]) for cut in cuts(train.n_items)]
    return {"user_vectors": np.concatenate(users), "item_vectors": np.concatenate(items)}


def cuts(n):
    return [slice(start, min(start + ENTITIES_PER_BLOCK, n)) for start in range(0, n, ENTITIES_PER_BLOCK)]


def loss(weights, key, user, good, bad, real, margin):
    """Return the mean hinge: the liked item must be nearer than the other by the margin, in squared distance."""
    for_users, for_items = jax.random.split(key)
    own = embed(weights, sequence_of_users(weights, weights["context"][user], user), dropout(for_users))
    near, far = jnp.split(embed(weights, [weights["item_table"][jnp.append(good, bad)]], dropout(for_items)), 2)
    gap = ((own - near) ** 2).sum(axis=1) - ((own - far) ** 2).sum(axis=1)
    return jnp.sum(real * jnp.maximum(margin + gap, 0)) / jnp.sum(real)


def dropout(key):
    """Return the function that drops numbers of each layer at its rate, with draws of its own."""
    keys = dict(zip(DROPOUT, jax.random.split(key, len(DROPOUT)), strict=True))
    return lambda name, x: dropped(keys[name], x, DROPOUT[name])
