"""Latent cross: a network whose last layer is multiplied with a vector of the user's context."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from truerank.models._core.base import Learnt, Train
from truerank.models._core.neural.context import context_of
from truerank.models._core.neural.heads import scored
from truerank.models._core.progress import Callback
from truerank.models.ncf import FACTS, PointwiseNetwork
from truerank.models.triplet import DROPOUT, WIDTHS, Dropout, check_sizes
from truerank.registry import MODELS, Count

CONVOLUTION = ("embedder", ["convolution"])


@MODELS.register(
    "lc_nn", **FACTS, only_with={"factors": ("embedder", ["table"]), "l2": ("embedder", ["table"])}
    | dict.fromkeys(("widths", "hidden", "dropout"), CONVOLUTION),
)  # fmt: skip
@dataclass(kw_only=True)
class LCNN(PointwiseNetwork):
    r"""Predict the rating as the product of a hidden vector of user and item and a vector of the user's context.

    .. math:: \hat r_{ui} = \phi_L(\cdots \phi_1([p_u \,;\, q_i]))^\top (C x_u + c) + b

    Everything else is as in ``ncf``; with ``context: false`` the second vector is c, the same for all users. The
    vectors p and q are learnt one by one (``embedder: table``), or come from the convolutional network of ``triplet``
    (``embedder: convolution``, with its ``widths``, ``hidden`` and ``dropout``), which is then learnt point by point
    together with the rest. A step of that costs about a hundred times as much, and it needs ratings: without them it
    memorises the drawn negatives.

    Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, section IV-D, after Beutel et al. 2018,
    doi:10.1145/3159652.3159727. Theirs has the convolutions and a point-wise loss; the sizes, batch, epochs and rate
    that they print, in section IV-E, are of the same network trained pair-wise, ``triplet``. With that rate the
    convolutional network may stop learning and predict a constant: with MovieLens 1M it did in one of three trials
    of 1,500 steps, with 0.001 in none; with liked and not liked of MovieLens 1M it did with 0.001, not with 0.0003.
    Over tables, with that batch, epochs and rate, this model overfits, an RMSE of 0.959 with MovieLens 100K,
    ``holdout``, to 0.946 with the defaults, which are those of ``ncf``.
    """

    head = "lc_nn"
    embedder: Literal["table", "convolution"] = "table"
    widths: list[Count] = WIDTHS  # type: ignore[assignment]  # a list in a config
    hidden: Count = 500
    dropout: list[Dropout] = DROPOUT  # type: ignore[assignment]  # a list in a config

    def __post_init__(self) -> None:
        check_sizes("lc_nn", self.widths, self.dropout)

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        if self.embedder == "table":
            return super().fit(train, rng, callback)
        context = context_of(train, self.context)
        from truerank.models._core.neural.convolution import fit_embedder

        names = ("widths", "hidden", "dropout", "layers", "negatives", "epochs", "batch", "rate")
        settings = {name: getattr(self, name) for name in names}
        return scored(self.head, fit_embedder(self.head, train, context, rng, callback, **settings))
