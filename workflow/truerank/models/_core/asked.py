"""Scores of a few items per user, from matrices whose whole product would score all."""

import numpy as np
from scipy import sparse


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
