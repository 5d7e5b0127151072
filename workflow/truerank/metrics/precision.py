"""Metrics that count relevant items above a cut-off."""

import numpy as np

from truerank.metrics._core.additive import FIRST, Term, additive
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.norms import any_relevant, mean_of_places_and_relevant, n_places, n_relevant


@additive("precision", norm=n_places, higher_is_better=True, range=(0, 1))
def precision(judged: JudgedRanks) -> np.ndarray:
    r"""Count the relevant items among the first k places, per place.

    .. math:: \frac{1}{k} \sum_{j : r_j \le k} [j \text{ relevant}]

    Without a cut-off k is the number of candidates. A user with no relevant item is undefined: NaN.

    Elsewhere: the same in trec_eval (``P``), ranx and RecBole, where RecBole treats every test item as relevant.
    scikit-learn's ``precision_score`` judges a classification, not a list.

    Source: Valcarce et al. 2018, doi:10.1145/3240323.3240347, eq. 1.
    """
    return judged.relevant


@additive("recall", norm=n_relevant, higher_is_better=True, range=(0, 1))
def recall(judged: JudgedRanks) -> np.ndarray:
    r"""Count the relevant items among the first k places, per relevant item; the hit ratio if one is held out.

    .. math:: \frac{1}{R} \sum_{j : r_j \le k} [j \text{ relevant}]

    A user with no relevant item is undefined: NaN.

    Elsewhere: the same in trec_eval, ranx and RecBole. Some papers use this name for ``hit``.

    Source: Valcarce et al. 2018, doi:10.1145/3240323.3240347, eq. 2.
    """
    return judged.relevant


@additive("f1", norm=mean_of_places_and_relevant, higher_is_better=True, range=(0, 1))
def f1(judged: JudgedRanks) -> np.ndarray:
    r"""Take the harmonic mean of precision and recall at k; 0 where both are 0.

    .. math:: \frac{2 P R}{P + R} = \frac{1}{(k + R) / 2} \sum_{j : r_j \le k} [j \text{ relevant}]

    A user with no relevant item is undefined: NaN.

    Elsewhere: the same in ranx. trec_eval's ``set_F`` has no cut-off. The mean over users of F1 is not the F1 of the
    means, which some papers print.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    return judged.relevant


@additive("hit", norm=any_relevant, higher_is_better=True, range=(0, 1))
def hit(judged: JudgedRanks) -> Term:
    r"""Return whether a relevant item is among the first k places; equals recall if one item is held out.

    .. math:: [\min \{ r_j : j \text{ relevant} \} \le k]

    A user with no relevant item is undefined: NaN.

    Elsewhere: the same as trec_eval's ``success``, ranx's ``hit_rate`` and RecBole's ``Hit``.

    Source: Deshpande & Karypis 2004, doi:10.1145/963770.963776, whose hit rate has one item held out.
    """
    return Term(judged.relevant, FIRST)
