"""The metric at an estimate of the rank."""

from truerank.estimators.base import Weighting
from truerank.registry import ESTIMATORS


@ESTIMATORS.register("rank_estimate", takes=("ranks",))
class RankEstimate(Weighting):
    r"""Scale the sampled rank up to the catalogue and take the metric there.

    .. math:: x_r = F\Big(\Big\lfloor 1 + \frac{(C - 1)(r - 1)}{m} \Big\rfloor\Big)

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, eq. 20.
    """

    def weights(self, problem, prior):
        above = (problem.n_items - 1) * (problem.seen.rank - 1) // problem.seen.negatives
        return problem.exact[above]
