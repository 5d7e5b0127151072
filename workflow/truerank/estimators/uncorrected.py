"""The sampled metric without correction."""

import numpy as np

from truerank.estimators._core.base import Weighting
from truerank.estimators._core.problem import Problem
from truerank.registry import ESTIMATORS


@ESTIMATORS.register("uncorrected", takes=("ranks", "weighted ranks"))
class Uncorrected(Weighting):
    """Use the metric within the sampled set as the metric on the catalogue."""

    def weights(self, problem: Problem, prior: np.ndarray) -> np.ndarray:
        return problem.sampled
