"""Pair-wise training: vectors learnt from triplets of a user, a liked and a disliked item, then a rating from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from truerank.errors import UserError
from truerank.models._core.base import Learnt, Train
from truerank.models._core.neural.context import Context, context_of
from truerank.models._core.neural.heads import scored
from truerank.models._core.neural.layers import Widths
from truerank.models._core.neural.tower import TowerModel
from truerank.models._core.progress import Callback, phase
from truerank.registry import MODELS, Count, NonNegative, Positive

Dropout = Annotated[float, {"minimum": 0, "exclusiveMaximum": 1}]
WIDTHS = (150, 500, 500, 256)
DROPOUT = (0.05, 0.5, 0.5, 0.25)


@MODELS.register(
    "triplet",
    uses=("interactions", "ratings", "users"),
    predicts_ratings=True,
    time="epochs x triplets x width^2 + interactions x width, then users x items x width",
    memory="(users + items) x width + interactions",
    only_with={"layers": ("head", ["ncf", "lc_nn"])},
)
@dataclass(kw_only=True)
class Triplet(TowerModel):
    r"""Move users towards the items that they rate high and away from those that they rate low, then fit ratings.

    .. math:: \sum_{(u, i, j)} \big[\, m + \lVert e_u - e_i \rVert^2 - \lVert e_u - e_j \rVert^2 \,\big]_+

    over users u, items i rated ``liked`` or more and j rated ``disliked`` or less, j drawn again in each epoch; e is a
    vector of length 1 from the convolutional network of ``models/_core/neural/embedder.py``, m the ``margin``. Without
    a ``liked`` it is the highest rating of the data, without a ``disliked`` a quarter up the scale: 5 and 2 of 1 to 5.
    An epoch has a triplet for every such i, or ``triplets`` of them. If nobody has such a pair, as without ratings, i
    is an item that the user has and j one that the user does not have, and an epoch has 10,000 triplets if nothing else
    is set.

    Then one layer, ``head``, is fitted to the ratings with e as it is: ``bpr`` weighs the products of the two vectors'
    numbers, ``ncf`` is a network over both and the context, ``lc_nn`` one over both that is multiplied with a vector of
    the context. Without ratings the head separates the user's items from others.

    As with ``ncf``, what is learnt from ratings alone orders the whole catalogue worse than popularity does: with
    MovieLens 100K, ``holdout``, recall@10 is .013 and RMSE 1.04, and .020 and 1.05 with 10,000 triplets in an epoch.
    Without ratings it is no better: the vectors of users stay nearly equal, and rare items come first (MovieLens 1M,
    leave one out: recall@10 0.5 %, popularity 4.1 %). More triplets do not help there: two epochs of all 994,169 and
    one of the regressor, 22 minutes on a shared core, give 0.8 %.

    Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, section IV-E: widths, dropout, rate, batch and epochs are
    theirs; margin 1 is that of Hsieh et al. 2017, doi:10.1145/3038912.3052639, which they cite for the loss. They state
    neither the number of triplets nor how their regressor is trained.
    """

    head: Literal["bpr", "ncf", "lc_nn"] = "bpr"
    context: Context = True
    widths: list[Count] = WIDTHS  # type: ignore[assignment]  # a list in a config
    hidden: Count = 500
    liked: NonNegative = None  # type: ignore[assignment]  # null in a config
    disliked: NonNegative = None  # type: ignore[assignment]  # null in a config
    triplets: Count = None  # type: ignore[assignment]  # null in a config
    margin: Positive = 1.0
    dropout: list[Dropout] = DROPOUT  # type: ignore[assignment]  # a list in a config
    epochs: Count = 10
    batch: Count = 64
    rate: Positive = 0.005
    layers: Widths = (64,)  # type: ignore[assignment]  # a list in a config
    regressor_epochs: Count = 5

    def __post_init__(self) -> None:
        check_sizes("triplet", self.widths, self.dropout)

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        context = context_of(train, self.context)
        from truerank.models._core.neural.pairwise import learn_vectors
        from truerank.models._core.neural.pointwise import fit_head

        names = ("widths", "hidden", "margin", "dropout", "epochs", "batch", "rate")
        settings = {name: getattr(self, name) for name in names} | {"limit": self.triplets} | self.extremes(train)
        steps = self.epochs + self.regressor_epochs
        vectors = learn_vectors(train, context, rng, phase(callback, 0, steps), **settings)
        weights = fit_head(
            self.head,
            train,
            vectors | {"context": context},
            rng,
            phase(callback, self.epochs, steps, curve=False),  # a loss of another kind
            learn_vectors=False,
            layers=self.layers,
            negatives=1,
            epochs=self.regressor_epochs,
            batch=self.batch,
            rate=self.rate,
        )
        return scored(self.head, weights)

    def extremes(self, train: Train) -> dict[str, np.float32]:
        low, high = (0, 0) if train.rating is None else (train.rating.min(), train.rating.max())
        liked = high if self.liked is None else self.liked
        low = max(low, 1) if low >= 0 and high > 1 else low  # half stars begin at 0.5, and 2 of 5 are few there too
        disliked = low + (high - low) / 4 if self.disliked is None else self.disliked
        return {"liked": np.float32(liked), "disliked": np.float32(disliked)}


def check_sizes(kind: str, widths: Sequence[int], dropout: Sequence[float]) -> None:
    """Refuse lists of another length than the convolutional embedder has layers."""
    for name, given, needed in (("widths", widths, WIDTHS), ("dropout", dropout, DROPOUT)):
        if len(given) != len(needed):
            raise UserError(f"{name} of a {kind} model is {given}, expected {len(needed)} numbers; correct it")
