"""Scores of all items per user, or of a few, from matrices whose product they are."""

import numpy as np
from scipy import sparse

LARGE = 4096  # items from which on loops of our own gain more than it takes to compile them


def product(left: sparse.csr_matrix, right: sparse.csr_matrix | np.ndarray) -> np.ndarray:
    """Return left @ right, dense. left : rows x features in CSR form. right : features x items, CSR or dense.

    Where both are float32, of many items, loops of our own take a third of SciPy's time, for the same bits.
    """
    own = right.flags.c_contiguous if isinstance(right, np.ndarray) else right.format == "csr"
    if not own or right.shape[1] < LARGE or {left.dtype, right.dtype} != {np.dtype(np.float32)}:
        found = left @ right
        return found.toarray() if sparse.issparse(found) else found
    from truerank.models.compiled.asked import dense_rows, sparse_rows

    whole = np.empty((left.shape[0], right.shape[1]), np.float32)
    if isinstance(right, np.ndarray):
        dense_rows(parts(left), right, whole)
    else:
        sparse_rows(parts(left), parts(right), whole)
    return whole


def product_at(left: sparse.csr_matrix, right: sparse.csr_matrix | np.ndarray, items: np.ndarray) -> np.ndarray:
    """Return float32 entries of left @ right, those of the columns ``items``, rows x n, and compute no others.

    left : rows x features in CSR form. right : features x items, CSR or dense. All are float32. Every entry is that of
    the whole product to the bit, so that scores which tie there tie here. Time: n for each entry of ``left``; where
    ``right`` is sparse it is n searches in a row of it, or less.
    """
    from truerank.models.compiled.asked import dense_product, sparse_product

    found = np.empty(items.shape, np.float32)
    if isinstance(right, np.ndarray):
        dense_product(parts(left), right, items, found)
    else:
        right = right if right.has_sorted_indices else right.sorted_indices()
        sparse_product(parts(left), parts(right), right.shape[1], items, found)
    return found


def inner_products_at(left: np.ndarray, right: np.ndarray, items: np.ndarray) -> np.ndarray:
    """Return float32 entries of left @ right.T, those of the columns ``items``, rows x n, and compute no others.

    left, right : float32, rows x factors and items x factors.
    """
    from truerank.models.compiled.asked import inner_products

    found = np.empty(items.shape, np.float32)
    inner_products(left, right, items, found)
    return found


def parts(matrix: sparse.csr_matrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return matrix.indptr, matrix.indices, matrix.data
