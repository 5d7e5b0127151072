"""The item-based probabilistic relevance model."""

from dataclasses import dataclass

import numpy as np

from truerank.models._core.base import ItemWeightModel, Learnt, Train, item_weights
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Share


@MODELS.register(
    "uir_item",
    uses=("interactions",),
    predicts_ratings=False,
    time="sum of squared user degrees + users x items per user x items",
    memory="item pairs that share a user",
)
@dataclass(kw_only=True)
class UirItem(ItemWeightModel):
    r"""Add to the logarithm of an item's popularity how much more likely the user's items are among its users.

    .. math:: \log P(i) + \sum_{j \in I_u : c(i,j) > 0} \log\Big(1 + \frac{(1 - \lambda) P(j|i)}{\lambda P(j)}\Big)

    c counts users. P(j) is j's share of all interactions, P(j|i) its share of those of the users of i,
    :math:`c(i, j) / \sum_j c(i, j)`: both are distributions over j, so lambda, the ``smoothing``, can mix them. An item
    without users counts as half a user, so its logarithm is finite, and it comes last. The sum grows with the history
    and favours rare items; a lambda near 1 keeps it comparable with log P(i).

    Wang, de Vries & Reinders 2006, doi:10.1007/11735106_5.
    """

    smoothing: Share = 0.97

    def bytes_needed(self, train: Train) -> int:
        pairs = min(float(train.per_user @ train.per_user), float(train.n_items) ** 2)
        return int(3 * 12 * pairs)

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        counts = train.matrix.astype(np.float64)
        weights = (counts.T @ counts).tocsr()
        total = counts.T @ train.per_user  # of candidate i: the sum over j of c(i, j)
        share = weights.data / total[weights.indices]
        common = np.repeat(train.degree / len(train.item), np.diff(weights.indptr))
        weights.data = np.log1p((1 - self.smoothing) / self.smoothing * share / common)
        popularity = np.log(np.maximum(train.degree, 0.5) / len(train.item))
        return item_weights(weights) | {"popularity": popularity.astype(np.float32)}

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        return super().scores(learnt, train, users) + learnt["popularity"]

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        return super().scores_of(learnt, train, users, items) + learnt["popularity"][items]
