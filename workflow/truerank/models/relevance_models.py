"""Relevance-based language models: what the user would have, estimated from the neighbours' language models."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import sparse

from truerank.models._core.asked import product_at
from truerank.models._core.base import Learnt, Recommender, Train
from truerank.models._core.language import Smoothing, background, log_odds, smoothed
from truerank.models._core.neighbours import cosine_neighbours, loaded, neighbour_bytes, saved, triple, weights_of
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count, Positive

FACTS = {
    "uses": ("interactions", "ratings"),
    "predicts_ratings": False,
    "memory": "users x neighbours + interactions",
}


@dataclass(kw_only=True)
class RelevanceModel(Recommender):
    """Neighbours by cosine of rating vectors; p(.|v) is what v rated, smoothed by ``smoothing`` with ``amount``."""

    neighbours: Count = 100
    smoothing: Smoothing = "jelinek_mercer"
    amount: Positive = 0.1

    def bytes_needed(self, train: Train) -> int:
        return neighbour_bytes(train.n_users, self.neighbours)

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        counts = weights_of(train)
        seen, spare = smoothed(counts, self.smoothing, self.amount)
        common = background(counts)
        near = self.weighted(cosine_neighbours(counts, self.neighbours), train, seen, spare, common)
        model = {"spare": spare.astype(np.float32), "common": common.astype(np.float32)}
        return saved("near", near) | saved("seen", seen) | model

    def weighted(
        self, near: sparse.csr_matrix, train: Train, seen: sparse.csr_matrix, spare: np.ndarray, common: np.ndarray
    ) -> sparse.csr_matrix:
        """Return the neighbourhoods with the weights that scoring needs."""
        return near

    def parts(self, learnt: Learnt, train: Train) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
        """Return near and seen as sparse matrices."""
        near = loaded(learnt, "near", (train.n_users, train.n_users))
        return near, loaded(learnt, "seen", (train.n_users, train.n_items))


@MODELS.register("rm1", time="sum of squared item degrees + users x neighbours x items per user", **FACTS)
class Rm1(RelevanceModel):
    r"""Average the neighbours' language models, each weighted by how likely it makes the user's history.

    .. math:: \sum_{v \in V_u} p(v) \, p(i|v) \prod_{j \in I_u} p(j|v)

    p(v) is uniform. The weights are divided by their sum, which does not change the order; products are sums of
    logarithms. With a longer history, fewer neighbours have nearly all the weight; an ``amount`` near 1 spreads it.
    Without neighbours the score is p(i|C).

    Parapar, Bellogín, Castells & Barreiro 2013, doi:10.1016/j.ipm.2013.03.001.
    """

    def weighted(
        self, near: sparse.csr_matrix, train: Train, seen: sparse.csr_matrix, spare: np.ndarray, common: np.ndarray
    ) -> sparse.csr_matrix:
        from truerank.models.compiled.nearest import products

        gain, log_spare = log_odds(seen, spare, common)
        start, index, _ = triple(near)
        log_weight = products(start, index, triple(train.matrix), triple(gain), train.n_items)
        log_weight += np.repeat(train.per_user, np.diff(start)) * log_spare[index]
        for user in np.flatnonzero(np.diff(start)):
            own = slice(start[user], start[user + 1])
            weight = np.exp(log_weight[own] - log_weight[own].max())
            near.data[own] = weight / weight.sum()
        return near

    def mixed(
        self, learnt: Learnt, train: Train, users: np.ndarray
    ) -> tuple[sparse.csr_matrix, sparse.csr_matrix, np.ndarray]:
        """Return what the neighbours' mean model is made of: near and seen in CSR form, and its own spare."""
        near, seen = self.parts(learnt, train)
        near = near[users]
        return near, seen, np.where(np.diff(near.indptr) > 0, near @ learnt["spare"], np.float32(1))

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        near, seen, spare = self.mixed(learnt, train, users)
        return (near @ seen).toarray() + np.outer(spare, learnt["common"])

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        near, seen, spare = self.mixed(learnt, train, users)
        return product_at(near, seen, items) + spare[:, None] * learnt["common"][items]


@MODELS.register("rm2", time="users x neighbours x items of the neighbourhood x items per user", **FACTS)
@dataclass(kw_only=True)
class Rm2(RelevanceModel):
    r"""Multiply, over the user's items, the probabilities that they occur with the candidate among the neighbours.

    .. math:: p(i) \prod_{j \in I_u} \sum_{v \in V_u} \frac{p(i|v) p(v)}{p(i)} \, p(j|v)

    p(v) is uniform. So is p(i) with ``prior: uniform``; with ``prior: marginal`` it is the sum over the neighbours of
    p(v) p(i|v). The score is the logarithm, with p(j|v) divided by p(j|C), which does not change the order. Without
    neighbours it is log p(i|C).

    Parapar, Bellogín, Castells & Barreiro 2013, doi:10.1016/j.ipm.2013.03.001.
    """

    prior: Literal["uniform", "marginal"] = "uniform"

    def scores(self, learnt: Learnt, train: Train, users: np.ndarray) -> np.ndarray:
        result = np.tile(np.log(learnt["common"]), (len(users), 1))
        for row, (seen, spare, odds) in enumerate(self.neighbourhoods(learnt, train, users)):
            if len(spare):
                met = np.unique(seen.indices)
                alone, together = log_relevance(np.zeros((len(spare), 1), np.float32), spare, np.ones(1), odds)
                result[row] = self.joined(alone + result[row], together, odds)
                parts = log_relevance(seen[:, met].toarray(), spare, learnt["common"][met], odds)
                result[row, met] = self.joined(*parts, odds)
        return result

    def scores_of(self, learnt: Learnt, train: Train, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        result = np.log(learnt["common"])[items]
        for row, (seen, spare, odds) in enumerate(self.neighbourhoods(learnt, train, users)):
            if len(spare):
                own = items[row]
                parts = log_relevance(seen[:, own].toarray(), spare, learnt["common"][own], odds)
                result[row] = self.joined(*parts, odds)
        return result

    def joined(self, alone: np.ndarray, together: np.ndarray, odds: np.ndarray) -> np.ndarray:
        """Return the score of the two parts: a uniform p(i) leaves the marginal in each factor of the product."""
        return together + alone * (odds.shape[1] if self.prior == "uniform" else 1)

    def neighbourhoods(
        self, learnt: Learnt, train: Train, users: np.ndarray
    ) -> Iterator[tuple[sparse.csr_matrix, np.ndarray, np.ndarray]]:
        """Yield, per user, seen and spare of the neighbours, and p(j|v)/p(j|C), neighbours x the user's items."""
        near, seen = self.parts(learnt, train)
        for user in users:
            members = near.indices[near.indptr[user] : near.indptr[user + 1]]
            history = train.matrix.indices[train.matrix.indptr[user] : train.matrix.indptr[user + 1]]
            own, spare = seen[members], learnt["spare"][members]
            yield own, spare, own[:, history].toarray() / learnt["common"][history] + spare[:, None]


def log_relevance(
    seen: np.ndarray, spare: np.ndarray, common: np.ndarray, odds: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the marginal log p(i), and the sum over j of log p(j|i)/p(j|C).

    seen : neighbours x items i. odds : neighbours x j. All items that no neighbour has share the second part, and their
    first is log p(i|C) more than that of a ``common`` of 1.
    """
    joint = (seen + np.outer(spare, common.astype(np.float32))) / np.float32(len(spare))
    alone = joint.sum(axis=0)
    return np.log(alone), np.log((joint / alone).T @ odds).sum(axis=1)
