"""Item-based collaborative filtering with sharpened cosines: recommenders Y and Z of Krichene & Rendle 2020."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from truerank.models._core.base import ItemWeightModel, Learnt, Train, gram_rows, item_weights
from truerank.models._core.neighbours import nearest_rows, neighbour_bytes
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count, Positive


@MODELS.register(
    "item_cf",
    uses=("interactions",),
    predicts_ratings=False,
    time="sum of squared user degrees",
    memory="item pairs that share a user, or items x neighbours",
)
@dataclass(kw_only=True)
class ItemCF(ItemWeightModel):
    r"""Sum, over the user's items j, the similarity of candidate i to j, each candidate's row scaled to length 1.

    .. math:: \hat y(u, i) = \sum_{j \in H_u} \frac{w_{ij}}{\lVert w_i \rVert}, \qquad w_{ij} = \cos(i, j)^q

    With ``neighbours`` = n only the n candidates i nearest to each j keep their weight, and the diagonal is 0
    (recommender Z of Krichene & Rendle: power 1, 10 neighbours); without it all do, and the diagonal stays in the norm
    (their Y: power 3). Candidates that are equally near are taken in order of their code. An item that shares no user
    with another scores 0.

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, section 9. Their eq. 30 prints a denominator that would cancel
    the normalisation; without it we reproduce their figures.
    """

    power: Positive = 1.0
    neighbours: Count = None  # type: ignore[assignment]  # null in a config

    def bytes_needed(self, train: Train) -> int:
        if self.neighbours is not None:
            return neighbour_bytes(train.n_items, self.neighbours)
        pairs = min(float(train.per_user @ train.per_user), float(train.n_items) ** 2)
        return int(12 * pairs)

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        if self.neighbours is not None:
            items = unit_columns(train.matrix).T.tocsr()
            near = nearest_rows(items, items, self.neighbours).power(self.power).T.tocsr()
            return item_weights((inverse_lengths(near.multiply(near).sum(axis=1)) @ near).T)
        squares, nnz = np.empty(train.n_items), 0
        for rows, block in self.weights(train.matrix):
            squares[rows] = block.multiply(block).sum(axis=1).A1
            nnz += block.nnz
        # Cosines are the same both ways, so rows of candidates serve as rows of history items; computing them twice
        # takes less than keeping them all in float64.
        scale = inverse_lengths(squares)
        scaled = ((rows, (block @ scale).astype(np.float32)) for rows, block in self.weights(train.matrix))
        if 2 * nnz <= train.n_items**2:
            return item_weights(sparse.vstack([block for _, block in scaled]))
        dense = np.empty((train.n_items, train.n_items), np.float32)
        for rows, block in scaled:
            dense[rows] = block.toarray()
        return item_weights(dense)

    def weights(self, matrix: sparse.csr_matrix) -> Iterator[tuple[slice, sparse.csr_matrix]]:
        """Yield some rows of the sharpened cosines at a time: a slice and CSR rows."""
        return ((rows, block.power(self.power)) for rows, block in cosine_rows(matrix))


def cosines(matrix: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return the item x item cosines of a binary users x items matrix, float64 CSR with sorted indices."""
    return sparse.vstack([block for _, block in cosine_rows(matrix)], format="csr")


def cosine_rows(matrix: sparse.csr_matrix) -> Iterator[tuple[slice, sparse.csr_matrix]]:
    """Yield some rows of ``cosines`` at a time: a slice and CSR rows."""
    return gram_rows(unit_columns(matrix))


def unit_columns(matrix: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return a binary matrix with every column scaled to length 1, float64."""
    return matrix.astype(np.float64) @ inverse_lengths(matrix.sum(axis=0))


def inverse_lengths(squares: np.ndarray) -> sparse.dia_matrix:
    """Return the diagonal matrix of 1 / sqrt(squares), 0 where they are 0."""
    length = np.sqrt(np.asarray(squares, np.float64).ravel())
    return sparse.diags(np.divide(1, length, where=length > 0, out=np.zeros_like(length)))
