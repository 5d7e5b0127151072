"""Item-based top-N recommendation."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from truerank.models._core.base import ItemWeightModel, Learnt, Train, item_weights
from truerank.models._core.neighbours import cosine_neighbours, inverse, nearest_rows, neighbour_bytes, row_sums, scaled
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count, NonNegative


@MODELS.register(
    "item_knn",
    uses=("interactions",),
    predicts_ratings=False,
    time="sum of squared user degrees + interactions x neighbours",
    memory="items x neighbours",
    only_with={"alpha": ("similarity", ["probability"]), "shrink": ("similarity", ["cosine"])},
)
@dataclass(kw_only=True)
class ItemKNN(ItemWeightModel):
    r"""Sum, over the user's items j, the similarity to candidate i, if i is among the k items most similar to j.

    .. math:: \sum_{j \in I_u} s(j, i) \, [i \in N_k(j)]

    c counts users. ``cosine``: :math:`s(j, i) = c(i,j) / \sqrt{c(i) c(j)}`, and ``shrink`` multiplies it by
    c(i,j) / (c(i,j) + shrink). ``probability``: :math:`s(j, i) = \sum_u |I_u|^{-1/2} / (c(j) \, c(i)^\alpha)` over the
    users of both, so users with few items have more weight. With ``normalise`` the k similarities of each j are divided
    by their sum. An item that is similar to none of the user's items scores 0.

    Deshpande & Karypis 2004, doi:10.1145/963770.963776.
    """

    neighbours: Count = 20
    similarity: Literal["cosine", "probability"] = "cosine"
    alpha: NonNegative = 0.5
    shrink: NonNegative = 0.0
    normalise: bool = True

    def bytes_needed(self, train: Train) -> int:
        return neighbour_bytes(train.n_items, self.neighbours)

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        items = train.matrix.T.tocsr().astype(np.float64)
        if self.similarity == "cosine":
            near = cosine_neighbours(items, self.neighbours, self.shrink)
        else:
            degree = np.maximum(train.degree, 1).astype(np.float64)
            users = scaled(train.matrix, inverse(np.sqrt(train.per_user)))
            near = nearest_rows(items, users.T.tocsr(), self.neighbours, scale=degree**-self.alpha)
            near = scaled(near, 1 / degree)
        if self.normalise:
            near = scaled(near, inverse(row_sums(near)))
        return item_weights(near)
