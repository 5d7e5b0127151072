"""Random walks from items to the user."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from truerank.models._core.base import Learnt, Recommender, Train
from truerank.models._core.neighbours import inverse, row_sums, scaled, weights_of
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count

COLUMNS = 64  # users walked to at once: their columns of all users and items stay in the cache


@MODELS.register(
    "hitting_time",
    uses=("interactions", "ratings"),
    predicts_ratings=False,
    time="users x steps x interactions",
    memory="interactions",
)
@dataclass(kw_only=True)
class HittingTime(Recommender):
    r"""Score an item by how soon a random walk from it on the graph of users and items reaches the user.

    .. math:: \tau - H_\tau(i), \qquad H_0 = 0, \quad H_t(u) = 0, \quad H_t(x) = 1 + \sum_y p_{xy} H_{t-1}(y)

    p is the rating (1 if implicit) over the sum of ratings at x. H is the expected number of steps, truncated at tau,
    the ``steps``; tau - H orders items as -H does, without the rounding of small differences. It is 0 for an item from
    which the walk does not reach the user within tau steps.

    The walk from a popular item has many directions, so the nearest items are the rare ones that similar users have:
    the method is meant for the long tail, and ranks below popularity in recall.

    Yin, Cui, Li, Yao & Chen 2012, doi:10.14778/2311906.2311916, who walk on the part of the graph around the user.
    """

    steps: Count = 15

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        weights = weights_of(train)
        return {
            "from_user": step(weights).data.astype(np.float32),
            "from_item": step(weights.T.tocsr()).data.astype(np.float32),
        }

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        rows, columns = train.rated, train.rated.T.tocsr()
        to_item = sparse.csr_matrix((learnt["from_user"], rows.indices, rows.indptr), shape=rows.shape)
        to_user = sparse.csr_matrix((learnt["from_item"], columns.indices, columns.indptr), shape=columns.shape)
        result = np.empty((len(users), train.n_items), np.float32)
        for start in range(0, len(users), COLUMNS):
            block = users[start : start + COLUMNS]
            result[start : start + len(block)] = steps_left(to_item, to_user, block, self.steps).T
        return result


def step(weights: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return the probabilities of a step from each row: the row over its sum."""
    return scaled(weights, inverse(row_sums(weights)))


def steps_left(to_item: sparse.csr_matrix, to_user: sparse.csr_matrix, users: np.ndarray, steps: int) -> np.ndarray:
    r"""Return, items x users asked, the steps that are left on average when the walk from an item meets the user.

    .. math:: S_t(x) = \sum_y p_{xy} S_{t-1}(y), \qquad S_t(u) = t

    S is t - H. The graph has edges between users and items only, so of every other step only one side is needed.
    """
    column = np.arange(len(users))
    at_user = np.zeros((to_item.shape[0], len(users)), np.float32)
    at_item = np.zeros((to_item.shape[1], len(users)), np.float32)
    for t in range(1 - steps % 2, steps, 2):
        if t > 1:
            at_user = to_item @ at_item
        at_user[users, column] = t
        at_item = to_user @ at_user
    return at_item
