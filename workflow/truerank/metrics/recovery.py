"""How far down the relevant items are, as a share of the way."""

import numpy as np

from truerank.metrics._core.additive import additive
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.norms import n_relevant


@additive("recovery", norm=n_relevant, cutoff=False, higher_is_better=False, range=(0, 1))
def recovery(judged: JudgedRanks) -> np.ndarray:
    r"""Average the ranks of relevant items, each as a share of the user's candidates.

    .. math:: \frac{1}{R} \sum_{j \text{ relevant}} \frac{r_j}{C}

    A user with no relevant item is undefined: NaN.

    Elsewhere: none of trec_eval, ranx, RecBole and scikit-learn has it.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    return judged.relevant * judged.rank / judged.candidates[judged.row]
