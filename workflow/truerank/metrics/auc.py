"""The whole ranking, all places alike."""

from truerank.metrics._core.additive import HITS_ABOVE, Term, additive
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.norms import n_pairs


@additive("auc", norm=n_pairs, cutoff=False, higher_is_better=True, range=(0, 1))
def auc(judged: JudgedRanks) -> list[Term]:
    r"""Return the probability that a relevant item ranks above one that is not relevant, over all candidates.

    .. math:: \frac{C - \frac{R - 1}{2} - \frac{1}{R} \sum_{j \text{ relevant}} r_j}{C - R}
        = \frac{1}{R (C - R)} \sum_{j \text{ relevant}} (C - r_j - h_j)

    C is the user's number of candidates, h_j the number of relevant items above j; unjudged ones count as not relevant.
    A user with no relevant item, or with only relevant items, is undefined: NaN.

    Elsewhere: scikit-learn's ``roc_auc_score`` counts a tie one half, which is ours with ``ties: random`` in
    expectation. RecBole's ``AUC`` pools the scores of all users; its ``GAUC`` is per user, weighted by R.

    Source: Krichene & Rendle 2020, doi:10.1145/3394486.3403226, eq. 2; C reproduces their figures, the number of all
    items does not.
    """
    below = judged.candidates[judged.row] - judged.rank
    return [Term(judged.relevant * below), Term(-1.0 * judged.relevant, HITS_ABOVE)]
