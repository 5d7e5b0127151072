"""Preference among judged items alone."""

from truerank.metrics._core.additive import FEW_MISSES, Term, additive
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.norms import n_relevant


@additive("bpref", norm=n_relevant, higher_is_better=True, range=(0, 1))
def bpref(judged: JudgedRanks) -> Term:
    r"""Reward each relevant item within k by how few judged non-relevant items rank above it.

    .. math:: \frac{1}{R} \sum_{j : r_j \le k} [j \text{ relevant}]
        \Big( 1 - \frac{\min(n_j, R)}{\min(\bar R, R)} \Big)

    n_j counts the non-relevant test items above j, of which the user has R-bar; where there are none above, the term is
    1. Unjudged items do not matter. A user with no relevant item is undefined: NaN.

    Elsewhere: trec_eval's ``bpref`` of lists of k items. ranx has no cut-off, and gives NaN where R-bar is 0.

    Source: Buckley & Voorhees 2004, doi:10.1145/1008992.1009000; Valcarce et al. 2018,
    doi:10.1145/3240323.3240347, eq. 6.
    """
    return Term(judged.relevant, FEW_MISSES)
