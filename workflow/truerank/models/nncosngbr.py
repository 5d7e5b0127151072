"""Neighbourhoods by shrunk cosine around biases, without the division that would make predicted ratings of the sums."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from truerank.models._core.base import ItemWeightModel, Learnt, Recommender, Train, item_weights
from truerank.models._core.neighbours import UserNeighbourModel, cosine_neighbours, neighbour_bytes, saved
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count, NonNegative

FACTS = {"uses": ("interactions", "ratings"), "predicts_ratings": False}


@dataclass(kw_only=True)
class AroundBiases(Recommender):
    """Settings and biases of both models; a subclass says which neighbours add to the bias of an item.

    Ratings that do not differ, and implicit data, have no biases: b is 0, and the score is the sum of similarities.
    Where they differ the score says how much an item would be liked, not whether it would be chosen: when every test
    item is relevant, whatever its rating, recall can be below that of popularity.
    """

    neighbours: Count = 200
    shrink: NonNegative = 100.0
    item_damping: NonNegative = 25.0
    user_damping: NonNegative = 10.0

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        mean, user, item = biases(train, self.item_damping, self.user_damping)
        rated = train.rated
        of_user = np.repeat(user, np.diff(rated.indptr))
        above = rated.data - mean - of_user - item[rated.indices]
        user_part, item_part = (mean + user).astype(np.float32), item.astype(np.float32)
        learnt = {"above": above.astype(np.float32), "user_bias": user_part, "item_bias": item_part}
        return learnt | self.neighbourhoods(train)

    def neighbourhoods(self, train: Train) -> Learnt:
        """Return the weights of neighbours as the named arrays that the scores of the subclass need."""
        raise NotImplementedError

    def above(self, learnt: Learnt, train: Train) -> sparse.csr_matrix:
        """Return users x items in CSR form: each rating less its bias."""
        return sparse.csr_matrix((learnt["above"], train.rated.indices, train.rated.indptr), shape=train.rated.shape)

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        result = super().scores(learnt, train, users)
        result += learnt["item_bias"]
        result += learnt["user_bias"][users, None]
        return result

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        own = super().scores_of(learnt, train, users, items)
        return own + learnt["item_bias"][items] + learnt["user_bias"][users, None]


@MODELS.register(
    "nncosngbr_user",
    time="sum of squared item degrees + users x neighbours x items per user",
    memory="users x neighbours + interactions",
    **FACTS,
)
class NNCosNgbrUser(AroundBiases, UserNeighbourModel):
    r"""Add to an item's bias the ratings by the k nearest users minus their biases, weighted by similarity.

    .. math:: b_{ui} + \sum_{v \in V_u} s_{uv} (r_{vi} - b_{vi}), \qquad
        s_{uv} = \frac{n_{uv}}{n_{uv} + \lambda} \cos(u, v), \qquad b_{ui} = \mu + b_u + b_i

    ``nncosngbr_item`` with users and items exchanged. Without neighbours the score is b.

    Cremonesi, Koren & Turrin 2010, doi:10.1145/1864708.1864721.
    """

    def neighbourhoods(self, train: Train) -> Learnt:
        return saved("near", cosine_neighbours(train.rated, self.neighbours, self.shrink))

    def ratings(self, learnt: Learnt, train: Train) -> sparse.csr_matrix:
        return self.above(learnt, train)


@MODELS.register(
    "nncosngbr_item",
    time="sum of squared user degrees + interactions x neighbours",
    memory="items x neighbours + interactions",
    **FACTS,
)
class NNCosNgbrItem(AroundBiases, ItemWeightModel):
    r"""Add to a candidate's bias the user's ratings of its k nearest items minus their biases, weighted by similarity.

    .. math:: b_{ui} + \sum_{j \in J_i} s_{ij} (r_{uj} - b_{uj}), \qquad
        s_{ij} = \frac{n_{ij}}{n_{ij} + \lambda} \cos(i, j), \qquad b_{ui} = \mu + b_u + b_i

    n counts the users of both, lambda is ``shrink``; the cosine takes a missing rating as 0. ``neighbours`` are the k
    nearest to i of all items, as in Valcarce et al. 2016, doi:10.1007/978-3-319-30671-1_45; the source takes the k
    nearest of those that the user rated, which is the same where k reaches all items. A candidate scores b if the user
    rated none of its neighbours.

    Cremonesi, Koren & Turrin 2010, doi:10.1145/1864708.1864721.
    """

    needs_only_own_history = False  # what was learnt has an entry for every training row

    def bytes_needed(self, train: Train) -> int:
        return neighbour_bytes(train.n_items, self.neighbours)

    def neighbourhoods(self, train: Train) -> Learnt:
        return item_weights(cosine_neighbours(train.rated.T.tocsr(), self.neighbours, self.shrink).T.tocsr())

    def history(self, learnt: Learnt, train: Train, users: np.ndarray) -> sparse.csr_matrix:
        return self.above(learnt, train)[users]


def biases(train: Train, item_damping: float, user_damping: float) -> tuple[float, np.ndarray, np.ndarray]:
    r"""Return the mean rating and what each user and each item adds to it; all 0 where ratings do not differ.

    .. math:: b_i = \frac{\sum_u (r_{ui} - \mu)}{\lambda_i + |U_i|}, \qquad
        b_u = \frac{\sum_i (r_{ui} - \mu - b_i)}{\lambda_u + |I_u|}

    lambda are the dampings. Koren 2010, doi:10.1145/1644873.1644874.
    """
    if train.rating is None or train.rating.min() == train.rating.max():
        return 0.0, np.zeros(train.n_users), np.zeros(train.n_items)
    mean = train.rating.mean(dtype=np.float64)
    above = train.rating - mean
    item = damped_mean(train.item, above, train.degree, item_damping)
    return mean, damped_mean(train.user, above - item[train.item], train.per_user, user_damping), item


def damped_mean(code: np.ndarray, value: np.ndarray, count: np.ndarray, damping: float) -> np.ndarray:
    total = np.bincount(code, value, minlength=len(count))
    return np.divide(total, count + damping, where=count > 0, out=np.zeros(len(count)))
