"""The sampled metric as it is."""

from truerank.estimators._core.base import Weighting
from truerank.registry import ESTIMATORS


@ESTIMATORS.register("uncorrected", takes=("ranks",))
class Uncorrected(Weighting):
    """Take the metric within the sampled set for the metric on the catalogue."""

    def weights(self, problem, prior):
        return problem.sampled
