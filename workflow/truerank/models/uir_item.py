"""The item-based probabilistic relevance model."""

import numpy as np

from truerank.models.base import ItemWeightModel, item_weights
from truerank.models.progress import quiet
from truerank.registry import MODELS, Share


@MODELS.register(
    "uir_item",
    uses=("interactions",),
    predicts_ratings=False,
    time="sum of squared user degrees + users x items per user x items",
    memory="item pairs that share a user",
)
class UirItem(ItemWeightModel):
    r"""Add, to the logarithm of an item's popularity, how much likelier the user's items are among its users.

    .. math:: \log P(i) + \sum_{j \in I_u : c(i,j) > 0} \log\Big(1 + \frac{(1 - \lambda) P(j|i)}{\lambda P(j)}\Big)

    c counts users: P(i) = c(i)/M and P(j|i) = c(i, j)/c(i). lambda, the ``smoothing``, mixes P(j) into P(j|i). An item
    that nobody has counts as half a user, so that its logarithm is the lowest and finite.

    Wang, de Vries & Reinders 2006, doi:10.1007/11735106_5.
    """

    def __init__(self, *, smoothing: Share = 0.5):
        self.smoothing = smoothing

    def bytes_needed(self, train):
        pairs = min(float(train.per_user @ train.per_user), float(train.n_items) ** 2)
        return int(3 * 12 * pairs)

    def fit(self, train, rng, tell=quiet):
        counts = train.matrix.astype(np.float64)
        weights = (counts.T @ counts).tocsr()
        per_item = np.repeat(train.degree, np.diff(weights.indptr)) * train.degree[weights.indices]
        lift = train.n_users * weights.data / per_item
        weights.data = np.log1p((1 - self.smoothing) / self.smoothing * lift)
        popularity = np.log(np.maximum(train.degree, 0.5) / train.n_users)
        return item_weights(weights) | {"popularity": popularity.astype(np.float32)}

    def scores(self, learnt, train, users):
        return super().scores(learnt, train, users) + learnt["popularity"]

    def scores_of(self, learnt, train, users, items):
        return super().scores_of(learnt, train, users, items) + learnt["popularity"][items]
