"""Sparse linear methods."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from truerank.models._core.base import ItemWeightModel, Learnt, Train, item_weights
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count, NonNegative, Positive

ITEMS_PER_BLOCK = 128


@MODELS.register(
    "slim",
    uses=("interactions",),
    uses_with={"ratings": ("ratings", [True])},
    predicts_ratings=False,
    time="sum of squared user degrees + sweeps x weights x items",
    memory="items^2",
)
@dataclass(kw_only=True)
class Slim(ItemWeightModel):
    r"""Regress every item on all others with few weights, none of them negative.

    .. math:: \min_{W \ge 0, W_{jj} = 0} \tfrac12 \lVert X - X W \rVert_F^2 + \tfrac{\lambda_2}{2} \lVert W \rVert_F^2
        + \lambda_1 \lVert W \rVert_1

    X has 1 where the user has the item or, with ``ratings``, the rating. ``l1`` and ``l2`` are the lambdas, in units of
    users, or of squared ratings. Each column is a separate problem, solved by coordinate descent on X'X until no weight
    moves by more than ``tolerance``, or after ``sweeps``. Score: the user's row of X times W. An item whose products
    with all others are at most ``l1`` has no weight and scores 0.

    Ning & Karypis 2011, doi:10.1109/ICDM.2011.134.
    """

    l1: NonNegative = 10.0
    l2: Positive = 200.0
    tolerance: Positive = 1e-5
    sweeps: Count = 100
    ratings: bool = False

    def bytes_needed(self, train: Train) -> int:
        return (8 + 4 + 4 + 4) * train.n_items**2  # product, sparse, then dense; weights, sparse, at worst all

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        from truerank.models.compiled.slim import regress_block

        matrix = train.rated if self.ratings else train.matrix
        gram = (matrix.T @ matrix).toarray()
        starts = range(0, train.n_items, ITEMS_PER_BLOCK)

        def work(first: int) -> sparse.csr_matrix:
            last = min(first + ITEMS_PER_BLOCK, train.n_items)
            weights = np.empty((last - first, train.n_items))
            regress_block(gram, first, last, self.l1, self.l2, self.tolerance, self.sweeps, weights)
            return sparse.csr_matrix(weights.astype(np.float32))

        rows = []
        with ThreadPoolExecutor(self.threads) as pool:
            for block in pool.map(work, starts):
                rows.append(block)
                if callback is not None:
                    callback(len(rows), len(starts))
        return item_weights(sparse.vstack(rows).T)

    def history(self, learnt: Learnt, train: Train, users: np.ndarray) -> sparse.csr_matrix:
        return (train.rated if self.ratings else train.matrix)[users]
