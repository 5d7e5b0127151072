"""How far down the first relevant item is."""

from truerank.metrics._core.additive import FIRST, Term, additive
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.norms import any_relevant


@additive("rr", norm=any_relevant, higher_is_better=True, range=(0, 1))
def rr(judged: JudgedRanks) -> Term:
    r"""Take the reciprocal of the first relevant rank, 0 if it is greater than k.

    .. math:: 1 / \min \{ r_j : j \text{ relevant}, r_j \le k \}

    A user with no relevant item is undefined: NaN.

    Elsewhere: the same in ranx (``mrr``) and RecBole (``MRR``); trec_eval's ``recip_rank`` has no cut-off.

    Source: Valcarce et al. 2018, doi:10.1145/3240323.3240347, eq. 5.
    """
    return Term(judged.relevant / judged.rank, FIRST)
