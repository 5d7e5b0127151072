"""Implicit alternating least squares, fitted by the library implicit."""

from dataclasses import dataclass

import numpy as np

from truerank.models._core.base import FactorModel, Learnt, Train
from truerank.models._core.progress import Callback
from truerank.registry import MODELS, Count, NonNegative, Positive


@MODELS.register(
    "ials",
    uses=("interactions",),
    predicts_ratings=False,
    time="iterations x (interactions x factors^2 + (users + items) x factors^3)",
    memory="(users + items) x factors",
)
@dataclass(kw_only=True)
class Ials(FactorModel):
    r"""Factorise observations towards 1 and everything towards 0.

    .. math:: \sum_{(u,i) \in H} (\hat y_{ui} - 1)^2 + \alpha \sum_{u,i} \hat y_{ui}^2 + \lambda \lVert V \rVert_F^2

    ``unobserved`` is alpha, ``regularisation`` lambda. Dividing by alpha and letting y = (1 + alpha) y-hat gives the
    form that implicit solves: confidence (1 + alpha) / alpha on observations, penalty lambda (1 + alpha) / alpha. The
    scale does not change a ranking. The loss told is that form's, over the sum of all confidences. The defaults are
    recommender X of Krichene & Rendle 2020.

    Hu, Koren & Volinsky 2008, doi:10.1109/ICDM.2008.22.
    """

    factors: Count = 16
    regularisation: NonNegative = 10.0
    unobserved: Positive = 0.2
    iterations: Count = 30

    def fit(self, train: Train, rng: np.random.Generator, callback: Callback | None = None) -> Learnt:
        from implicit.cpu.als import AlternatingLeastSquares

        weight = (1 + self.unobserved) / self.unobserved
        model = AlternatingLeastSquares(
            factors=self.factors,
            regularization=self.regularisation * weight,
            alpha=1.0,
            iterations=self.iterations,
            num_threads=self.threads,
            calculate_training_loss=True,
            random_state=int(rng.integers(2**31)),
        )

        def after_step(step: int, _: float, loss: float) -> None:
            if callback is not None:
                callback(step + 1, self.iterations, loss)

        model.fit(train.matrix * np.float32(weight), show_progress=False, callback=after_step)
        return {"users": model.user_factors, "items": model.item_factors}
