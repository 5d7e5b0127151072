"""Item-based collaborative filtering with sharpened cosines: recommenders Y and Z of Krichene & Rendle 2020."""

import numpy as np
from scipy import sparse

from truerank.models.base import ItemWeightModel, item_weights
from truerank.models.progress import quiet
from truerank.registry import MODELS, Count, Positive


@MODELS.register(
    "item_cf",
    uses=("interactions",),
    predicts_ratings=False,
    time="sum of squared user degrees",
    memory="item pairs that share a user, or items x neighbours",
)
class ItemCF(ItemWeightModel):
    r"""Sum, over the user's items j, the similarity of candidate i to j, each candidate's row scaled to length 1.

    .. math:: \hat y(u, i) = \sum_{j \in H_u} \frac{w_{ij}}{\lVert w_i \rVert}, \qquad w_{ij} = \cos(i, j)^q

    With ``neighbours`` = n only the n candidates i nearest to each j keep their weight, and the diagonal is 0 (S1's Z:
    power 1, 10 neighbours); without it all do, and the diagonal stays in the norm (S1's Y: power 3). Candidates that
    are equally near are taken in order of their code. An item that shares no user with another scores 0.

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, section 9. Their eq. 30 prints a denominator that would cancel
    the normalisation; their figures come out without it.
    """

    def __init__(self, *, power: Positive = 1.0, neighbours: Count = None):
        self.power = power
        self.neighbours = neighbours

    def bytes_needed(self, train):
        pairs = min(float(train.per_user @ train.per_user), float(train.n_items) ** 2)
        return int(3 * 12 * pairs)

    def fit(self, train, rng, tell=quiet):
        weights = cosines(train.matrix).power(self.power)
        if self.neighbours is not None:
            weights = nearest(weights, self.neighbours)
        length = np.sqrt(weights.multiply(weights).sum(axis=1)).A1
        scale = np.divide(1, length, where=length > 0, out=np.zeros_like(length))
        return item_weights((sparse.diags(scale) @ weights).T)


def cosines(matrix):
    """Return the item x item cosines of a binary users x items matrix, float64 CSR with sorted indices."""
    degree = np.asarray(matrix.sum(axis=0), np.float64).ravel()
    scale = np.divide(1, np.sqrt(degree), where=degree > 0, out=np.zeros_like(degree))
    unit = matrix.astype(np.float64) @ sparse.diags(scale)
    similar = (unit.T @ unit).tocsr()
    similar.sort_indices()
    return similar


def nearest(weights, n):
    """Keep, in every column j, the n largest weights off the diagonal; equal ones in order of their row."""
    columns = weights.tocsc()
    columns.sort_indices()
    kept = []
    for j in range(columns.shape[1]):
        entries = np.arange(columns.indptr[j], columns.indptr[j + 1])
        entries = entries[columns.indices[entries] != j]
        kept.append(entries[np.argsort(-columns.data[entries], kind="stable")[:n]])
    chosen = np.concatenate(kept) if kept else np.empty(0, int)
    column = np.repeat(np.arange(columns.shape[1]), [len(entries) for entries in kept])
    return sparse.csr_matrix((columns.data[chosen], (columns.indices[chosen], column)), shape=columns.shape)
