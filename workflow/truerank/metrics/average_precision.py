"""Average precision, with the two denominators in use."""

from truerank.metrics._core.additive import PRECISION, Term, additive
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.norms import n_relevant, n_relevant_within


@additive("ap", norm=n_relevant, higher_is_better=True, range=(0, 1))
def ap(judged: JudgedRanks) -> Term:
    r"""Average the precision at the ranks of relevant items within k, over all R relevant items.

    .. math:: \frac{1}{R} \sum_{j : r_j \le k} [j \text{ relevant}] \frac{\mathrm{hits}(r_j)}{r_j}

    A user with no relevant item is undefined: NaN.

    Elsewhere: the same in trec_eval (``map_cut``; ``map`` for the whole list) and ranx. RecBole's ``MAP`` is
    ``ap_min``. scikit-learn's ``average_precision_score`` takes tied scores as one block.

    Source: Valcarce et al. 2018, doi:10.1145/3240323.3240347, eq. 3.
    """
    return Term(judged.relevant, PRECISION)


@additive("ap_min", norm=n_relevant_within, higher_is_better=True, range=(0, 1))
def ap_min(judged: JudgedRanks) -> Term:
    r"""Average the precision at the ranks of relevant items within k, over the smaller of R and k.

    .. math:: \frac{1}{\min(R, k)} \sum_{j : r_j \le k} [j \text{ relevant}] \frac{\mathrm{hits}(r_j)}{r_j}

    A user with no relevant item is undefined: NaN.

    Elsewhere: RecBole's ``MAP``. trec_eval and ranx divide by R: ``ap``.

    Source: Krichene & Rendle 2020, doi:10.1145/3394486.3403226, eq. 3.
    """
    return Term(judged.relevant, PRECISION)
