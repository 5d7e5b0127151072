"""Embarrassingly shallow auto-encoder."""

import numpy as np

from truerank.errors import UserError
from truerank.models.base import ItemWeightModel, item_weights
from truerank.models.progress import quiet
from truerank.registry import MODELS, Positive


@MODELS.register(
    "ease",
    uses=("interactions",),
    predicts_ratings=False,
    time="items^3 + users x items^2 / sparsity",
    memory="items^2",
)
class Ease(ItemWeightModel):
    r"""Regress every item on all others with a ridge penalty, in closed form.

    .. math:: B_{ij} = -P_{ij} / P_{jj}, \quad B_{jj} = 0, \qquad P = (X^\top X + \lambda I)^{-1}

    Score: the user's row of X times B. Steck 2019, doi:10.1145/3308558.3313710.
    """

    def __init__(self, *, l2: Positive = 200.0):
        self.l2 = l2

    def bytes_needed(self, train):
        return 3 * 8 * train.n_items**2

    def fit(self, train, rng, tell=quiet):
        from scipy.linalg import lapack

        gram = np.asfortranarray((train.matrix.T @ train.matrix).toarray(), np.float64)
        gram[np.diag_indices_from(gram)] += self.l2
        factor, failed = lapack.dpotrf(gram, lower=1, overwrite_a=1)
        if failed:
            raise UserError(f"l2 of ease is {self.l2}, too small for items that depend on each other; set it higher")
        inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
        inverse = np.tril(inverse) + np.tril(inverse, -1).T
        weights = inverse / -np.diag(inverse)
        np.fill_diagonal(weights, 0)
        return item_weights(weights)
