"""How alike the items of one list are."""

from typing import TYPE_CHECKING, Literal

import numpy as np

from truerank.metrics._core.judged import ratio
from truerank.registry import METRICS

if TYPE_CHECKING:
    from scipy import sparse

    from truerank.metrics._core.listed import TopLists

Similarity = Literal["ratings", "attributes"]


@METRICS.register("intra_list", higher_is_better=False, range=(-1, 1), needs="lists")
def intra_list(listed: "TopLists", *, k: np.ndarray, similarity: Similarity = "ratings") -> np.ndarray | None:
    r"""Average the similarity of the pairs of items in the first k places; less is more diverse.

    .. math:: \frac{1}{n (n - 1)} \sum_{i \ne j} \cos(v_i, v_j)
        = \frac{\lVert s \rVert^2 - \sum_i \lVert \hat v_i \rVert^2}{n (n - 1)}, \quad s = \sum_i \hat v_i

    v_i are the item's training ratings, one per user, or with ``similarity: attributes`` its labels (genres); v-hat has
    length 1. n = k or as many as are listed. The cost of the second form grows with the number of ratings of the listed
    items, and it builds no matrix of item pairs. An item without ratings or labels has similarity 0 to all others.
    Cosines are below 0 only with negative ratings. A user with fewer than two listed items is undefined: NaN; without
    attributes in the data it is absent.

    Elsewhere: none of trec_eval, ranx, RecBole and scikit-learn has it; Ziegler et al. use the sum instead of the
    average.

    Source: Ziegler et al. 2005, doi:10.1145/1060745.1060754; Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    from truerank.metrics.compiled.alikeness import running_alikeness

    vectors = getattr(listed.catalogue, similarity)
    if vectors is None:
        return None
    total = running_alikeness(listed.item, *unit_rows(vectors), vectors.shape[1])[:, listed.places(k) - 1]
    n = listed.sum_within(listed.is_listed, k)
    return np.clip(ratio(total, n * (n - 1)), -1, 1)


def unit_rows(matrix: "sparse.csr_matrix") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return indptr, indices and data of a CSR matrix with its rows scaled to length 1."""
    row = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    length = np.sqrt(np.bincount(row, matrix.data.astype(float) ** 2, matrix.shape[0]))
    return matrix.indptr, matrix.indices, matrix.data / np.where(length > 0, length, 1)[row]
