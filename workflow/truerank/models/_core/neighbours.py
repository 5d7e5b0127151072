"""Neighbourhoods of users or items: the k nearest of each, found a row at a time and kept as a sparse matrix."""

import numpy as np
from scipy import sparse

from truerank.errors import UserError
from truerank.models._core.asked import product_at
from truerank.models._core.base import Learnt, Recommender, Train

PARTS = ("data", "indices", "indptr")


def cosine_neighbours(rows: sparse.csr_matrix, k: int, shrink: float = 0.0) -> sparse.csr_matrix:
    r"""Return, rows x rows in CSR form, the cosines of each row with its k nearest other rows.

    .. math:: \frac{a \cdot b}{\lVert a \rVert \lVert b \rVert} \cdot \frac{n_{ab}}{n_{ab} + \lambda}

    rows : sparse, things x features. n_ab counts the features that both have; lambda is ``shrink``. Time: the sum of
    squared column counts. Memory: things x k, never things x things. Of equally near rows the smaller codes are kept.
    """
    scale = inverse(np.sqrt(row_sums(rows.multiply(rows))))
    return scaled(nearest_rows(rows, rows, k, scale=scale, shrink=shrink), scale)


def nearest_rows(
    queries: sparse.csr_matrix,
    documents: sparse.csr_matrix,
    k: int,
    scale: np.ndarray | None = None,
    offset: np.ndarray | None = None,
    shrink: float = 0.0,
    floor: float = 0.0,
) -> sparse.csr_matrix:
    """Return, queries x documents in CSR form, the k highest likenesses of ``compiled.nearest``, itself left out.

    floor : what a likeness must be above. Documents that have nothing in common with the query are never near.
    """
    from truerank.models.compiled import nearest

    n, width = queries.shape[0], documents.shape[0]
    k = min(k, width)
    scale = np.ones(width) if scale is None else scale
    offset = np.zeros(width) if offset is None else offset
    index, weight = np.empty((n, k), np.int32), np.empty((n, k))
    columns = documents.T.tocsr()
    limits = float(shrink), True, float(floor), k
    nearest.nearest(triple(queries), width, triple(columns), scale, offset, *limits, index, weight)
    kept = index >= 0
    start = np.append(0, np.cumsum(kept.sum(axis=1)))
    return sparse.csr_matrix((weight[kept], index[kept], start), shape=(n, width))


def cosines_at(near: sparse.csr_matrix, rows: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return ``near``, rows x rows in CSR form, with the cosine of the two rows in place of each entry."""
    from truerank.models.compiled.nearest import products

    scale = inverse(np.sqrt(row_sums(rows.multiply(rows))))
    start, index, _ = triple(near)
    cosine = products(start, index, triple(rows), triple(rows), rows.shape[1]) * scale[index]
    return scaled(sparse.csr_matrix((cosine, near.indices, near.indptr), shape=near.shape), scale)


def neighbour_bytes(n: int, k: int) -> int:
    """Return the memory that the k nearest of n things need while they are found: code and weight, three times."""
    return 3 * 12 * n * min(k, n)


def triple(matrix: sparse.csr_matrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a CSR matrix as compiled loops take it."""
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), matrix.data.astype(np.float64)


def row_sums(matrix: sparse.csr_matrix) -> np.ndarray:
    return np.asarray(matrix.sum(axis=1), np.float64).ravel()


def inverse(values: np.ndarray) -> np.ndarray:
    """Return 1 over each value, and 0 for 0."""
    return np.divide(1, values, where=values > 0, out=np.zeros(len(values)))


def scaled(matrix: sparse.csr_matrix, factor: np.ndarray) -> sparse.csr_matrix:
    """Return a CSR matrix with each row times its factor, entries in the order that they had."""
    data = matrix.data * np.repeat(factor, np.diff(matrix.indptr))
    return sparse.csr_matrix((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def weights_of(train: Train) -> sparse.csr_matrix:
    """Return users x items in CSR form, float64: what each interaction weighs, which is its rating, or 1."""
    if train.rating is not None and train.rating.min() < 0:
        raise UserError("a rating below 0 has no weight; this model needs ratings of at least 0, so shift the scale")
    return train.rated.astype(np.float64)


def saved(name: str, matrix: sparse.csr_matrix) -> Learnt:
    """Return a CSR matrix as named float32 arrays."""
    return {f"{name}_{part}": getattr(matrix.astype(np.float32), part) for part in PARTS}


def loaded(learnt: Learnt, name: str, shape: tuple[int, int]) -> sparse.csr_matrix:
    """Return the CSR matrix that was saved under ``name``."""
    return sparse.csr_matrix(tuple(learnt[f"{name}_{part}"] for part in PARTS), shape=shape)


class UserNeighbourModel(Recommender):
    """A recommender whose score is a weighted sum over the user's neighbours.

    ``learnt`` has, under ``near``, users x users: the weights. ``neighbours`` is a setting of the subclass.
    """

    neighbours: int

    def bytes_needed(self, train: Train) -> int:
        return neighbour_bytes(train.n_users, self.neighbours)

    def ratings(self, learnt: Learnt, train: Train) -> sparse.csr_matrix:
        """Return what is summed, users x items in CSR form: the rating, or 1."""
        return train.rated

    def near(self, learnt: Learnt, train: Train, users: np.ndarray) -> sparse.csr_matrix:
        """Return the weights of some users' neighbours, users x users in CSR form."""
        return loaded(learnt, "near", (train.n_users, train.n_users))[users]

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        return (self.near(learnt, train, users) @ self.ratings(learnt, train)).toarray()

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        return product_at(self.near(learnt, train, users), self.ratings(learnt, train), items)
