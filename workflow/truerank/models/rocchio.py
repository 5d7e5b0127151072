"""Pseudo-relevance feedback: score items by what the user's neighbours have, against what everybody has."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from truerank.models._core.base import Learnt, Train
from truerank.models._core.neighbours import UserNeighbourModel, cosine_neighbours, row_sums, saved, weights_of
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count

FACTS = {
    "uses": ("interactions", "ratings"),
    "predicts_ratings": False,
    "time": "sum of squared item degrees + users x neighbours x items per user",
    "memory": "users x neighbours",
}


@dataclass(kw_only=True)
class Rocchio(UserNeighbourModel):
    """Neighbours by cosine of rating vectors, all alike; a subclass says what the sum of their ratings is worth.

    Only items that the neighbours have are scored so. The others come last, by popularity: absence would score high in
    chi2 and is undefined in kld. Their scores are between -2 and -1, below the lowest of kld, which is -1/e.
    """

    neighbours: Count = 100

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        weights = weights_of(train)
        near = cosine_neighbours(weights, self.neighbours)
        near.data[:] = 1
        all_ratings = np.asarray(weights.sum(axis=0)).ravel()
        rest = train.degree / (train.degree.max() + 1) - 2
        total, everybody = near @ row_sums(weights), all_ratings / max(all_ratings.sum(), 1)
        per_member, per_user = self.sizes(np.diff(near.indptr), train.n_users)
        return saved("near", near) | {
            "total": total * per_member,
            "everybody": everybody / per_user,
            "rest": rest.astype(np.float32),
        }

    def sizes(self, members: np.ndarray, n_users: int) -> tuple[np.ndarray | int, int]:
        """Return what shares of neighbours, and of everybody, are divided by besides. members : per user."""
        return 1, 1

    def worth(self, mass: np.ndarray, size: np.ndarray, total: np.ndarray, everybody: np.ndarray) -> np.ndarray:
        """Return scores. mass : the neighbours' ratings of an item, summed; size : of the neighbourhood; total : sum of
        all their ratings; everybody : p(i|C)."""
        raise NotImplementedError

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        sums = (self.near(learnt, train, users) @ train.rated).tocoo()
        rated = sums.data > 0
        row, item = sums.row[rated], sums.col[rated]
        result = np.tile(learnt["rest"], (len(users), 1))
        result[row, item] = self.worths(learnt, users[row], item, sums.data[rated])
        return result

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        sums = super().scores_of(learnt, train, users, items)
        rated = sums > 0
        result = learnt["rest"][items]
        result[rated] = self.worths(learnt, users[np.nonzero(rated)[0]], items[rated], sums[rated])
        return result

    def worths(self, learnt: Learnt, user: np.ndarray, item: np.ndarray, mass: np.ndarray) -> np.ndarray:
        """Return what the sums of neighbours' ratings are worth, for arrays of user, item and sum."""
        size, mass = np.diff(learnt["near_indptr"])[user], mass.astype(np.float64)
        return self.worth(mass, size, learnt["total"][user], learnt["everybody"][item]).astype(np.float32)


@MODELS.register("rw", **FACTS)
class RocchioWeights(Rocchio):
    r"""Average the neighbours' ratings of an item, 0 where a neighbour has none.

    .. math:: \sum_{v \in V_u} r_{vi} / |V_u|

    Without neighbours items are ranked by popularity.

    Valcarce, Parapar & Barreiro 2016, doi:10.1007/978-3-319-30671-1_44.
    """

    def worth(self, mass: np.ndarray, size: np.ndarray, total: np.ndarray, everybody: np.ndarray) -> np.ndarray:
        return mass / size


@MODELS.register("rsv", **FACTS)
class Rsv(Rocchio):
    r"""Weight the neighbours' average rating of an item by its share of all their ratings.

    .. math:: p(i|V_u) \sum_{v \in V_u} r_{vi} / |V_u|, \qquad p(i|V) = \sum_V r_{vi} / \sum_V \sum_j r_{vj}

    Both factors increase with the same sum, so the order is that of rw. Without neighbours items are ranked by
    popularity. Robertson selection value; Valcarce, Parapar & Barreiro 2016, doi:10.1007/978-3-319-30671-1_44.
    """

    def worth(self, mass: np.ndarray, size: np.ndarray, total: np.ndarray, everybody: np.ndarray) -> np.ndarray:
        return mass / size * (mass / total)


@dataclass(kw_only=True)
class Divergence(Rocchio):
    """Shares of the neighbours against shares of everybody.

    ``estimates: shares`` takes p(i|V_u) and p(i|C). ``per_user`` divides the first by the number of neighbours and the
    second by that of all users, as in the published runs of Valcarce et al. 2018: common items gain.
    """

    estimates: Literal["shares", "per_user"] = "per_user"

    def sizes(self, members: np.ndarray, n_users: int) -> tuple[np.ndarray | int, int]:
        return (members, n_users) if self.estimates == "per_user" else (1, 1)


@MODELS.register("chi2", **FACTS)
class Chi2(Divergence):
    r"""Score an item by the distance of its share among the neighbours from its share among all users.

    .. math:: (a - c)^2 / c, \qquad a = \frac{p(i|V_u)}{|V_u|}, \; c = \frac{p(i|C)}{|U|}

    With ``estimates: shares`` a and c are the shares themselves, and rare items come first. Without neighbours items
    are ranked by popularity.

    Valcarce, Parapar & Barreiro 2016, doi:10.1007/978-3-319-30671-1_44.
    """

    def worth(self, mass: np.ndarray, size: np.ndarray, total: np.ndarray, everybody: np.ndarray) -> np.ndarray:
        return (mass / total - everybody) ** 2 / everybody


@MODELS.register("kld", **FACTS)
class Kld(Divergence):
    r"""Score an item by its term of the divergence of the neighbours from all users.

    .. math:: a \log \frac{a}{c}, \qquad a = \frac{p(i|V_u)}{|V_u|}, \; c = \frac{p(i|C)}{|U|}

    With ``estimates: shares`` a and c are the shares themselves. Without neighbours items are ranked by popularity.

    Valcarce, Parapar & Barreiro 2016, doi:10.1007/978-3-319-30671-1_44.
    """

    def worth(self, mass: np.ndarray, size: np.ndarray, total: np.ndarray, everybody: np.ndarray) -> np.ndarray:
        return mass / total * np.log(mass / total / everybody)
