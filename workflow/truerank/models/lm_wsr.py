"""Weighted sums over neighbourhoods that language models find."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from truerank.models._core.base import ItemWeightModel, Learnt, Train, item_weights
from truerank.models._core.language import Smoothing, background, log_odds, smoothed
from truerank.models._core.neighbours import (
    UserNeighbourModel,
    cosines_at,
    nearest_rows,
    neighbour_bytes,
    saved,
    weights_of,
)
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count, Positive

FACTS = {"uses": ("interactions", "ratings"), "predicts_ratings": False}


@MODELS.register(
    "lm_wsr_user",
    time="sum of squared item degrees + users x neighbours x items per user",
    memory="users x neighbours",
    **FACTS,
)
@dataclass(kw_only=True)
class LmWsrUser(UserNeighbourModel):
    r"""Sum the ratings of the k users whose language models make the user's ratings likeliest, weighted by cosine.

    .. math:: \sum_{v \in V_u} \cos(u, v) \, r_{vi}, \qquad
        V_u \text{ the k users of largest } \sum_{j \in I_u} r_{uj} \log p(j|v)

    p(.|v) is what v rated, smoothed by ``smoothing`` with ``amount``; the cosine takes a missing rating as 0. The
    likelihood selects neighbours and the cosine weights them: likelihoods differ so much that one neighbour would have
    all the weight. Users without a common item are not neighbours; for a user without neighbours all scores are 0.

    Valcarce, Parapar & Barreiro 2016, doi:10.1007/978-3-319-30671-1_45; weights as in the published runs of Valcarce et
    al. 2018, which this gives to four digits on their split of MovieLens 1M.
    """

    neighbours: Count = 100
    smoothing: Smoothing = "jelinek_mercer"
    amount: Positive = 0.9

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        return saved("near", likely_rows(weights_of(train), self.neighbours, self.smoothing, self.amount))


@MODELS.register(
    "lm_wsr_item",
    time="sum of squared user degrees + interactions x neighbours",
    memory="items x neighbours",
    **FACTS,
)
@dataclass(kw_only=True)
class LmWsrItem(ItemWeightModel):
    r"""Sum the user's ratings of the k items whose language models make the candidate's ratings likeliest.

    .. math:: \sum_{j \in J_i} \cos(i, j) \, r_{uj}, \qquad
        J_i \text{ the k items of largest } \sum_{v \in U_i} r_{vi} \log p(v|j)

    As ``lm_wsr_user`` with users and items exchanged: p(.|j) is who rated j, smoothed. A candidate scores 0 if the user
    has none of its neighbours.

    Valcarce, Parapar & Barreiro 2016, doi:10.1007/978-3-319-30671-1_45; weights as in the published runs of Valcarce et
    al. 2018, which this gives to four digits on their split of MovieLens 1M.
    """

    neighbours: Count = 100
    smoothing: Smoothing = "jelinek_mercer"
    amount: Positive = 0.9

    def bytes_needed(self, train: Train) -> int:
        return neighbour_bytes(train.n_items, self.neighbours)

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        near = likely_rows(weights_of(train).T.tocsr(), self.neighbours, self.smoothing, self.amount)
        return item_weights(near.T.tocsr())

    def history(self, learnt: Learnt, train: Train, users: np.ndarray) -> sparse.csr_matrix:
        return train.rated[users]


def likely_rows(counts: sparse.csr_matrix, k: int, smoothing: Smoothing, amount: float) -> sparse.csr_matrix:
    """Return, rows x rows in CSR form, the cosines with the k other rows whose language models make a row likeliest."""
    gain, log_spare = log_odds(*smoothed(counts, smoothing, amount), background(counts))
    return cosines_at(nearest_rows(counts, gain, k, offset=log_spare, floor=-np.inf), counts)
