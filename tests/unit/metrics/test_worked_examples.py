"""The worked examples of the sources, with the figures that they print, or the right ones where these are wrong.

Slides by Nguyen Ngoc Thao after Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742, and Aftab & Ramampiaro 2022,
doi:10.1109/ACCESS.2022.3159646. Table 1 of Krichene & Rendle 2020 is in the files of its metrics.
"""

import math

import numpy as np
import pytest
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics.correlation import pearson, spearman
from truerank.metrics.error import mae, nmae, nrmse, rmse
from truerank.metrics.kendall import kendall, kendall_b
from truerank.metrics.ndcg import ndcg
from truerank.metrics.precision import f1, precision, recall
from truerank.metrics.sdcse import sdcse, sdcse_accuracy

from tests.support import judged_of, rated

EVERYTHING = np.array([math.inf])


def ranked(ratings):
    """One user who judged the whole list."""
    n = len(ratings)
    ratings = np.array(ratings)
    return JudgedRanks(np.zeros(n, int), np.arange(1, n + 1), ratings > 0, np.full(n, n), ratings)


def test_mae_and_rmse():
    predicted = [14, 15, 18, 19, 25, 18, 12, 12, 15, 22]
    actual = [12, 15, 20, 16, 20, 19, 16, 20, 16, 76]
    judged = rated(actual, predicted, scale=(1, 100))
    assert mae(judged) == pytest.approx(8)
    assert nmae(judged) == pytest.approx(8 / 99)
    assert round(rmse(judged)[0], 4) == 17.4356  # sqrt(304); 16.4356 is printed
    assert nrmse(judged) == pytest.approx(math.sqrt(304) / 99)


def test_pearson_and_spearman():
    actual = [43, 42, 40, 36, 33, 31, 30, 29, 27, 16]
    predicted = [12, 6, 17, 7, 29, 50, 27, 28, 20, 2]
    assert round(pearson(rated(actual, predicted))[0], 4) == -0.0702
    assert round(spearman(rated(actual, predicted))[0], 5) == -0.17576


def test_kendall():
    """Ranks are given: a smaller one is better."""
    judged = rated([-1, -2, -3, -4, -5, -6], [-3, -1, -4, -2, -6, -5])
    assert kendall(judged) == pytest.approx(7 / 15)
    assert round(kendall(judged)[0], 2) == 0.47
    assert kendall_b(judged) == pytest.approx(7 / 15)


def test_precision_recall_and_f1():
    signs = "+++-+-+-++--+-------"
    judged = judged_of({0: (20, {place: 5 if sign == "+" else 1 for place, sign in enumerate(signs, start=1)})})
    k = np.array([10])
    assert precision(judged, k=k) == pytest.approx(0.7)
    assert recall(judged, k=k) == pytest.approx(7 / 8)
    assert round(f1(judged, k=k)[0, 0], 1) == 0.8


def test_ndcg():
    judged = ranked([3, 2, 3, 0, 1, 2])
    assert round(ndcg(judged, k=EVERYTHING)[0, 0], 3) == 0.961


def test_question_1_errors():
    judged = rated([3, 6, 3, 6, 7, 5, 4, 5, 7, 5], [4, 7, 6, 5, 7, 3, 5, 7, 4, 3], scale=(1, 10))
    assert mae(judged) == pytest.approx(1.6)
    assert nmae(judged) == pytest.approx(1.6 / 9)
    assert rmse(judged) == pytest.approx(math.sqrt(3.4))
    assert nrmse(judged) == pytest.approx(math.sqrt(3.4) / 9)


def test_question_2_correlations():
    """By hand: centred products 3.9, squares 22.9 and 18.9; of mean ranks 17.25, 79 and 79."""
    judged = rated([3, 6, 3, 6, 7, 5, 4, 5, 7, 5], [4, 7, 6, 5, 7, 3, 5, 7, 4, 3])
    assert pearson(judged) == pytest.approx(3.9 / math.sqrt(22.9 * 18.9))
    assert spearman(judged) == pytest.approx(17.25 / 79)


def test_question_3_kendall():
    """By hand: 11 pairs agree, 4 do not."""
    assert kendall(rated([3, 6, 4, 7, 5, 9], [4, 7, 6, 5, 3, 8])) == pytest.approx(7 / 15)


def test_question_4_at_every_place():
    ratings = {place: 5 if sign == "+" else 1 for place, sign in enumerate("+-++---+-", start=1)}
    judged, k = judged_of({0: (9, ratings)}), np.arange(1, 10)
    hits = np.array([1, 1, 2, 3, 3, 3, 3, 4, 4])
    np.testing.assert_allclose(precision(judged, k=k)[0], hits / k)
    np.testing.assert_allclose(recall(judged, k=k)[0], hits / 4)
    np.testing.assert_allclose(f1(judged, k=k)[0], 2 * hits / (k + 4))


def test_question_5_ndcg_with_the_discount_of_jarvelin():
    judged = ranked([5, 2, 4, 1])
    assert round(ndcg(judged, k=EVERYTHING, jarvelin_base=2)[0, 0], 4) == 0.9314


# Actual and predicted ratings, and 1 - SDCSE; .15 and .35 are printed for the first and the last.
LISTS = [
    ([3, 3, 4, 3, 5], [5, 5, 4, 4, 4], 0.015),
    ([4, 3, 2, 2, 1], [5, 5, 5, 4, 4], 0.296),
    ([5, 5, 4, 4, 4], [5, 3, 2, 1, 1], 0.354),
    ([1, 1, 1, 1, 1], [1, 1, 1, 0, 0], 0.499),
]


@pytest.mark.parametrize(("actual", "predicted", "figure"), LISTS)
def test_the_four_lists_of_aftab_and_ramampiaro(actual, predicted, figure):
    judged = rated(actual, predicted)
    assert round(sdcse_accuracy(judged, k=EVERYTHING)[0, 0], 3) == figure
    assert round(1 - sdcse(judged, k=np.array([5]))[0, 0], 3) == figure
