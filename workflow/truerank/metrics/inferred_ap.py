"""Average precision inferred from incomplete judgements."""

from truerank.metrics._core.additive import INFERRED, Term, additive
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.norms import n_relevant


@additive("infap", norm=n_relevant, higher_is_better=True, range=(0, 1))
def infap(judged: JudgedRanks) -> list[Term]:
    r"""Average the expected precision at the ranks of relevant items within k, if unjudged items are like judged ones.

    .. math:: \frac{1}{R} \sum_{j : r_j \le k} [j \text{ relevant}] \Big( \frac{1}{r_j} + \frac{r_j - 1}{r_j}
        \frac{p_j + \varepsilon}{p_j + n_j + 2 \varepsilon} \Big)

    p_j and n_j count the relevant and the non-relevant test items above j; epsilon is 0.00001. A user with no relevant
    item is undefined: NaN.

    Elsewhere: trec_eval's ``infAP`` is this only if all unjudged items of the list are in the qrels with -1; if they
    are missing, it treats them as non-relevant, and equals ``ap`` up to epsilon. No other tool has it.

    Source: Yilmaz & Aslam 2006, doi:10.1145/1183614.1183633; Valcarce et al. 2018, doi:10.1145/3240323.3240347, eq. 7.
    """
    at_its_own_rank = judged.relevant / judged.rank
    return [Term(at_its_own_rank), Term(judged.relevant * (1 - 1 / judged.rank), INFERRED)]
