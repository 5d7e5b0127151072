"""Embarrassingly shallow auto-encoder."""

from dataclasses import dataclass

import numpy as np

from truerank.errors import UserError
from truerank.models._core.base import ROWS_PER_BLOCK, ItemWeightModel, Learnt, Train, gram_rows, item_weights
from truerank.models._core.progress import Callback
from truerank.ranking.shards import blocks
from truerank.registry import MODELS, Positive


@MODELS.register(
    "ease",
    uses=("interactions",),
    predicts_ratings=False,
    time="sum of squared user degrees + items^3",
    memory="items^2",
)
@dataclass(kw_only=True)
class Ease(ItemWeightModel):
    r"""Regress every item on all others with a ridge penalty, in closed form.

    .. math:: B_{ij} = -P_{ij} / P_{jj}, \quad B_{jj} = 0, \qquad P = (X^\top X + \lambda I)^{-1}

    Score: the user's row of X times B. Fitting needs at most one float64 and one float32 matrix of items x items.

    Steck 2019, doi:10.1145/3308558.3313710.
    """

    l2: Positive = 200.0

    def bytes_needed(self, train: Train) -> int:
        return (8 + 4) * train.n_items**2  # the inverse, then the weights

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        from scipy.linalg import lapack

        gram = np.empty((train.n_items, train.n_items), order="F")
        for rows, counts in gram_rows(train.matrix):
            gram[:, rows] = counts.toarray().T
        gram[np.diag_indices_from(gram)] += self.l2
        factor, failed = lapack.dpotrf(gram, lower=1, overwrite_a=1)
        if failed:
            raise UserError(f"l2 of ease is {self.l2}, too small for items that depend on each other; set it higher")
        inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
        weights = np.empty(gram.shape, np.float32)
        for rows in blocks(train.n_items, ROWS_PER_BLOCK):
            weights[rows] = symmetric_rows(inverse, rows) / -np.diag(inverse)
        np.fill_diagonal(weights, 0)
        return item_weights(weights)


def symmetric_rows(lower: np.ndarray, rows: slice) -> np.ndarray:
    """Return rows of a symmetric matrix of which only the lower triangle is filled."""
    square = np.tril(lower[rows, rows])
    return np.hstack([lower[rows, : rows.start], square + np.tril(square, -1).T, lower[rows.stop :, rows].T])
