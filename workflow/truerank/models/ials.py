"""Alternating least squares over all users and items: by steps of conjugate gradients, or solved, towards ratings."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import sparse

from truerank.models._core.base import ROWS_PER_BLOCK, FactorModel, Learnt, Train
from truerank.models._core.finite_check import check_finite
from truerank.models._core.neighbours import triple, weights_of
from truerank.models._core.progress import Callback
from truerank.ranking.shards import blocks
from truerank.registry import MODELS, Count, NonNegative, Positive

SMALL = np.float32(0.01)  # what factors are below at the start
REMEDY = "raise `unobserved`, or lower `regularisation`, in the model's definition"
STEPS = 3  # of conjugate gradients per vector and iteration
START = 0.1  # standard deviation of the items' factors at the start, towards ratings
LEAST = 1e-6  # penalty with which the equations have a solution


@MODELS.register(
    "ials",
    uses=("interactions",),
    uses_with={"ratings": ("preference", ["rating"])},
    predicts_ratings=False,
    time="iterations x (interactions x factors^2 + (users + items) x factors^3)",
    memory="(users + items) x factors",
    only_with={"unobserved": ("preference", ["one"]), "weight": ("preference", ["rating"])},
)
@dataclass(kw_only=True)
class Ials(FactorModel):
    r"""Factorise observations towards 1 and everything towards 0.

    .. math:: \sum_{(u,i) \in H} (\hat y_{ui} - 1)^2 + \alpha \sum_{u,i} \hat y_{ui}^2 + \lambda \lVert V \rVert_F^2

    ``unobserved`` is alpha, ``regularisation`` lambda. Dividing by alpha and letting y = (1 + alpha) y-hat gives the
    form of the library implicit: confidence (1 + alpha) / alpha on observations, penalty lambda (1 + alpha) / alpha. As
    there, an iteration takes three steps of conjugate gradients for every vector. The scale does not change a ranking.
    The reported loss is that of this form, divided by the sum of all confidences. The defaults are recommender X of
    Krichene & Rendle 2020. With ``preference: rating`` the factors approximate ratings, 0 where there is none, and a
    higher rating has more weight:

    .. math:: \sum_{u,i} (1 + w r_{ui}) (\hat y_{ui} - r_{ui})^2 + \lambda \lVert V \rVert_F^2

    ``weight`` is w. A user or item without interactions then has the vector 0.

    Hu, Koren & Volinsky 2008, doi:10.1109/ICDM.2008.22.
    """

    factors: Count = 16
    regularisation: NonNegative = 10.0
    unobserved: Positive = 0.2
    iterations: Count = 30
    preference: Literal["one", "rating"] = "one"
    weight: NonNegative = 0.1

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        if self.preference == "rating":
            return self.fit_ratings(weights_of(train), rng, callback)
        from truerank.models.compiled.als import squared_errors

        confidence = np.float32((1 + self.unobserved) / self.unobserved)
        drawn = np.random.default_rng(int(rng.integers(2**31)))  # as implicit draws its start from a seed
        users, items = (
            SMALL * drawn.random((n, self.factors), dtype=np.float32) for n in (train.n_users, train.n_items)
        )
        rows, columns = train.matrix, train.matrix.T.tocsr()
        cells = rows.nnz * confidence + float(train.n_users) * train.n_items - rows.nnz
        for step in range(self.iterations):
            self.refine(rows, items, confidence, users)
            self.refine(columns, users, confidence, items)
            check_finite(step + 1, self.iterations, 0.0, users, items, remedy=REMEDY)
            if callback is not None:
                errors = squared_errors(rows.indptr, rows.indices, users, items, items.T @ items, confidence)
                lengths = float((users**2).sum() + (items**2).sum())
                callback(step + 1, self.iterations, (errors + self.regularisation * confidence * lengths) / cells)
        return {"users": users, "items": items}

    def refine(self, rows: sparse.csr_matrix, other: np.ndarray, confidence: np.float32, found: np.ndarray) -> None:
        """Bring the vectors of the rows, ``found``, nearer to the best, given those of the columns, ``other``."""
        from truerank.models.compiled.als import refine_rows

        gram = other.T @ other + self.regularisation * confidence * np.eye(self.factors, dtype=np.float32)

        def work(part: slice) -> None:
            start = rows.indptr[part.start : part.stop + 1]
            refine_rows(start, rows.indices, other, gram, confidence, STEPS, found[part])

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, blocks(len(found), ROWS_PER_BLOCK)))

    def fit_ratings(self, ratings: sparse.csr_matrix, rng: np.random.Generator, callback: Callback | None) -> Learnt:
        columns = ratings.T.tocsr()
        items = START * rng.normal(size=(ratings.shape[1], self.factors))
        for step in range(self.iterations):
            users = best_rows(ratings, items, self.weight, self.regularisation)
            items = best_rows(columns, users, self.weight, self.regularisation)
            if callback is not None:
                callback(step + 1, self.iterations)
        return {"users": users.astype(np.float32), "items": items.astype(np.float32)}


def best_rows(ratings: sparse.csr_matrix, other: np.ndarray, weight: float, l2: float) -> np.ndarray:
    """Return the best vectors of the rows, rows x factors, given those of the columns, ``other``."""
    from truerank.models.compiled.als import solve_rows

    gram = other.T @ other + max(l2, LEAST) * np.eye(other.shape[1])
    found = np.empty((ratings.shape[0], other.shape[1]))
    solve_rows(*triple(ratings), other, gram, float(weight), found)
    return found
