"""Latent Dirichlet allocation: by online variational Bayes of scikit-learn, or by expectation maximisation."""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from scipy import sparse

from truerank.models._core.base import FactorModel, Learnt, Train
from truerank.models._core.neighbours import weights_of
from truerank.models._core.progress import Callback
from truerank.models.plsa import maximise
from truerank.registry import MODELS, Count

Prior = Annotated[float, {"exclusiveMinimum": 0, "maximum": 1}]  # what scikit-learn admits


@MODELS.register(
    "lda",
    uses=("interactions",),
    uses_with={"ratings": ("ratings", [True])},
    predicts_ratings=False,
    only_with={
        **dict.fromkeys(("passes", "batch", "updates"), ("method", ["online"])),
        "iterations": ("method", ["em"]),
    },
    time="passes x interactions x topics x updates, or iterations x interactions x topics",
    memory="(users + items) x topics",
)
@dataclass(kw_only=True)
class LDA(FactorModel):
    r"""Mix topics, each a distribution over items, by shares that have a Dirichlet prior: the score is E[P(i|u)].

    .. math:: P(i|u) = \sum_z \phi_{zi} \theta_{uz}, \qquad \theta_u \sim \mathrm{Dir}(\alpha), \;
        \phi_z \sim \mathrm{Dir}(\eta)

    With ``ratings`` an item counts as often as its rating says. ``user_prior`` is alpha, ``item_prior`` eta, 1 / topics
    if not given. ``method: online`` is variational Bayes in ``passes`` over the users in batches of ``batch``, each
    user's shares updated at most ``updates`` times. ``method: em`` is ``plsa`` with the priors added to all counts,
    which is the most probable model under priors larger by 1: faster, and better for ratings. A user without
    interactions has the shares of the prior.

    Blei, Ng & Jordan 2003; Hoffman, Blei & Bach 2010, whose batches scikit-learn follows; Asuncion et al. 2009,
    arXiv:1205.2662, for ``em``.
    """

    topics: Count = 50
    passes: Count = 5
    batch: Count = 256
    updates: Count = 20
    user_prior: Prior = None  # type: ignore[assignment]  # null in a config
    item_prior: Prior = None  # type: ignore[assignment]  # null in a config
    ratings: bool = False
    method: Literal["online", "em"] = "online"
    iterations: Count = 100

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        matrix = weights_of(train).astype(np.float32) if self.ratings else train.matrix
        if self.method == "em":
            priors = [1 / self.topics if prior is None else prior for prior in (self.user_prior, self.item_prior)]
            users, items = maximise(matrix, self.topics, self.iterations, rng, callback, *priors)
            return {"users": users, "items": items}
        return self.online(matrix, train.n_users, rng, callback)

    def online(
        self, matrix: sparse.csr_matrix, n_users: int, rng: np.random.Generator, callback: Callback | None
    ) -> Learnt:
        from sklearn.decomposition import LatentDirichletAllocation

        model = LatentDirichletAllocation(
            n_components=self.topics,
            doc_topic_prior=self.user_prior,
            topic_word_prior=self.item_prior,
            learning_method="online",
            batch_size=self.batch,
            max_doc_update_iter=self.updates,
            total_samples=n_users,
            random_state=int(rng.integers(2**31)),
            n_jobs=1,
        )
        for number in range(self.passes):
            model.partial_fit(matrix)
            if callback is not None:
                callback(number + 1, self.passes)
        items = model.components_ / model.components_.sum(axis=1, keepdims=True)
        users = model.transform(matrix)
        return {"users": users.astype(np.float32), "items": np.ascontiguousarray(items.T, np.float32)}
