"""Pseudo-relevance feedback: score items by what the user's neighbours have, against what everybody has."""

from dataclasses import dataclass

import numpy as np

from truerank.models.neighbours import UserNeighbourModel, cosine_neighbours, picked, saved, weights_of
from truerank.models.progress import quiet
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

    def fit(self, train, rng, tell=quiet):
        weights = weights_of(train)
        near = cosine_neighbours(weights, self.neighbours)
        near.data[:] = 1
        total = np.asarray(weights.sum(axis=0)).ravel()
        rest = train.degree / (train.degree.max() + 1) - 2
        return saved("near", near) | {"everybody": total / max(total.sum(), 1), "rest": rest.astype(np.float32)}

    def worth(self, mass, size, total, everybody):
        """Return scores. mass : the neighbours' ratings of an item, summed; size : of the neighbourhood; total : sum of
        all their ratings; everybody : p(i|C)."""
        raise NotImplementedError

    def scores(self, learnt, train, users):
        sums = self.sums(learnt, train, users)
        result = np.tile(learnt["rest"], (len(users), 1))
        rated = sums.data > 0
        row, item = np.repeat(np.arange(len(users)), np.diff(sums.indptr))[rated], sums.indices[rated]
        result[row, item] = self.worths(learnt, users, sums)[rated]
        return result

    def scores_of(self, learnt, train, users, items):
        sums = self.sums(learnt, train, users)
        rated = picked(sums, items) > 0
        worth = sums.copy()
        worth.data = self.worths(learnt, users, sums)
        return np.where(rated, picked(worth, items), learnt["rest"][items])

    def worths(self, learnt, users, sums):
        """Return the worth of every stored sum."""
        per_row = np.diff(sums.indptr)
        size = np.diff(learnt["near_indptr"])[users]
        total = np.asarray(sums.sum(axis=1), np.float64).ravel()
        mass = sums.data.astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            worth = self.worth(
                mass, np.repeat(size, per_row), np.repeat(total, per_row), learnt["everybody"][sums.indices]
            )
        return worth.astype(np.float32)


@MODELS.register("rw", **FACTS)
class RocchioWeights(Rocchio):
    r"""Average the neighbours' ratings of an item, 0 where a neighbour has none.

    .. math:: \sum_{v \in V_u} r_{vi} / |V_u|

    Without neighbours all items come by popularity.

    Valcarce, Parapar & Barreiro 2016, doi:10.1007/978-3-319-30671-1_44.
    """

    def worth(self, mass, size, total, everybody):
        return mass / size


@MODELS.register("rsv", **FACTS)
class Rsv(Rocchio):
    r"""Weigh the neighbours' average rating of an item by its share of all that they rated.

    .. math:: p(i|V_u) \sum_{v \in V_u} r_{vi} / |V_u|, \qquad p(i|V) = \sum_V r_{vi} / \sum_V \sum_j r_{vj}

    Both factors grow with the same sum, so the order is that of rw. Without neighbours all items come by popularity.
    Robertson selection value; Valcarce, Parapar & Barreiro 2016, doi:10.1007/978-3-319-30671-1_44.
    """

    def worth(self, mass, size, total, everybody):
        return mass / size * (mass / total)


@MODELS.register("chi2", **FACTS)
class Chi2(Rocchio):
    r"""Score an item by how far its share among the neighbours is from its share among everybody.

    .. math:: (p(i|V_u) - p(i|C))^2 / p(i|C)

    Without neighbours all items come by popularity.

    Valcarce, Parapar & Barreiro 2016, doi:10.1007/978-3-319-30671-1_44.
    """

    def worth(self, mass, size, total, everybody):
        return (mass / total - everybody) ** 2 / everybody


@MODELS.register("kld", **FACTS)
class Kld(Rocchio):
    r"""Score an item by its part of the divergence of the neighbours from everybody.

    .. math:: p(i|V_u) \log \frac{p(i|V_u)}{p(i|C)}

    Without neighbours all items come by popularity.

    Valcarce, Parapar & Barreiro 2016, doi:10.1007/978-3-319-30671-1_44.
    """

    def worth(self, mass, size, total, everybody):
        return mass / total * np.log(mass / total / everybody)
