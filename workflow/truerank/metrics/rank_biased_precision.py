"""Precision as seen by a user who may stop at every place."""

import numpy as np

from truerank.metrics._core.additive import additive
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.norms import any_relevant
from truerank.registry import Share


@additive("rbp", norm=any_relevant, higher_is_better=True, range=(0, 1))
def rbp(judged: JudgedRanks, *, p: Share = 0.8) -> np.ndarray:
    r"""Return the expected relevant items per viewed place, if a user continues to the next with probability p.

    .. math:: (1 - p) \sum_{j : r_j \le k} [j \text{ relevant}]\, p^{r_j - 1}

    Even the best list stays below 1 if the user has few relevant items. A user with no relevant item is undefined: NaN.

    Elsewhere: the same in ranx (``rbp.80``), without a cut-off. trec_eval, RecBole and scikit-learn have none.

    Source: Moffat & Zobel 2008, doi:10.1145/1416950.1416952; Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    return (1 - p) * judged.relevant * p ** (judged.rank - 1.0)
