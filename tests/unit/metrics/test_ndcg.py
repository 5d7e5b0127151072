"""Discounted gain against the list and the best list, both written out."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from truerank.errors import UserError
from truerank.meta.thinned import Thinned
from truerank.metrics._core.bounds import Extent
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics.ndcg import best, dcg, ndcg, ndcg_full

from tests.support import CUTOFFS, TOY_FIGURES, assert_matches, first, judged_of, relevant, tables, toy

GAINS = {
    "linear": lambda rating: rating,
    "binary": lambda rating: int(relevant(rating)),
    "exponential": lambda rating: 2**rating - 1,
}


def slow_dcg(ranked, gain):
    return sum(
        GAINS[gain](rating) / math.log2(place + 1) for place, rating in enumerate(ranked, start=1) if rating is not None
    )


def slow(full, gain):
    def oracle(ranked, k):
        judged = [rating for rating in ranked if rating is not None]
        best = sorted(judged, key=GAINS[gain], reverse=True)
        ideal = slow_dcg(best if full else first(best, k), gain)
        return slow_dcg(first(ranked, k), gain) / ideal if ideal else None

    return oracle


@pytest.mark.parametrize("gain", GAINS)
@pytest.mark.parametrize(("metric", "full"), [(ndcg, False), (ndcg_full, True)])
@given(table=tables())
def test_the_list_over_the_best_list(metric, full, gain, table):
    assert_matches(metric(judged_of(table), k=CUTOFFS, gain=gain), slow(full, gain), table)


@given(tables())
def test_the_gain_is_linear_if_not_said(table):
    for metric in (ndcg, ndcg_full):
        np.testing.assert_array_equal(
            metric(judged_of(table), k=CUTOFFS), metric(judged_of(table), k=CUTOFFS, gain="linear")
        )


@pytest.mark.parametrize("recommender", TOY_FIGURES)
@pytest.mark.parametrize("metric", [ndcg, ndcg_full])
def test_table_1_of_krichene_and_rendle(recommender, metric):
    value = metric(toy(recommender), k=np.array([math.inf]), gain="binary").mean()
    assert round(value, 3) == TOY_FIGURES[recommender]["ndcg"]


def test_no_order_beats_the_ideal():
    """The ideal is the best of all orders of the judged items: try them all."""
    ratings = [5, 3, 4, 1]
    k = np.array([1, 2, 3, math.inf])
    values = [ndcg(judged_of({0: (4, dict(enumerate(order, start=1)))}), k=k)[0] for order in permutations(ratings)]
    assert np.max(values, axis=0).tolist() == [1, 1, 1, 1]


def test_judged_but_not_relevant_counts_with_graded_gains_only():
    judged = judged_of({0: (5, {2: 3})})
    k = np.array([1, 5])
    np.testing.assert_allclose(ndcg(judged, k=k), [[0, 1 / math.log2(3)]])
    np.testing.assert_allclose(ndcg(judged, k=k, gain="exponential"), [[0, 1 / math.log2(3)]])
    assert np.isnan(ndcg(judged, k=k, gain="binary")).all()


def test_an_ideal_of_zero_is_undefined():
    judged = JudgedRanks(np.array([4]), np.array([1]), np.array([False]), np.array([9]), np.array([0.0]))
    for gain in GAINS:
        assert np.isnan(ndcg(judged, k=CUTOFFS, gain=gain)).all()
        assert np.isnan(ndcg_full(judged, k=CUTOFFS, gain=gain)).all()


def test_with_more_judged_items_than_places_the_full_ideal_is_out_of_reach():
    judged = judged_of({0: (9, {1: 5, 2: 5, 3: 5})})
    assert ndcg(judged, k=np.array([1, 2, 3])).tolist() == [[1, 1, 1]]
    full = ndcg_full(judged, k=np.array([1, 2, 3]))[0]
    assert full[0] < full[1] < full[2] == 1


def test_without_ratings_every_gain_is_binary():
    judged = JudgedRanks(np.array([1, 1]), np.array([2, 5]), np.array([True, True]), np.array([9, 9]))
    values = [ndcg(judged, k=CUTOFFS, gain=gain) for gain in GAINS]
    np.testing.assert_allclose(values[0], values[1])
    np.testing.assert_allclose(values[0], values[2])


def on_scale(rating, scale, rank=None):
    """Return one user's ratings in order of rank."""
    n = len(rating)
    rank = np.arange(1, n + 1) if rank is None else np.array(rank)
    return JudgedRanks(np.zeros(n, int), rank, np.ones(n, bool), np.full(n, 9), np.array(rating), scale=scale)


@pytest.mark.parametrize("metric", [ndcg, ndcg_full])
@pytest.mark.parametrize("gain", ["linear", "exponential"])
@given(table=tables())
def test_a_scale_below_0_gives_the_gains_of_one_that_starts_at_0(metric, gain, table):
    judged = judged_of(table)
    rows = judged.users[judged.row], judged.rank, judged.relevant, judged.candidates[judged.row]
    below, above = (JudgedRanks(*rows, judged.rating + low - 1, scale=(low, low + 4)) for low in (-10, 0))
    np.testing.assert_array_equal(metric(below, k=CUTOFFS, gain=gain), metric(above, k=CUTOFFS, gain=gain))


def test_jester_by_hand():
    """Ratings -10, 10 and 0 at ranks 1, 2 and 3 gain 0, 20 and 10, or 0, 2^20 - 1 and 2^10 - 1."""
    judged, k = on_scale([-10, 10, 0], (-10, 10)), np.array([math.inf])
    for gain, (high, middle) in {"linear": (20, 10), "exponential": (2**20 - 1, 2**10 - 1)}.items():
        expected = (high / math.log2(3) + middle / 2) / (high + middle / math.log2(3))
        assert ndcg(judged, k=k, gain=gain).item() == pytest.approx(expected, rel=1e-14)


def test_the_shift_is_of_the_scale_whichever_rows_are_left():
    full = on_scale([-10, 10, 0], None)
    left = Thinned(full, np.array([False, True, True]))
    k = np.array([math.inf])
    assert ndcg(left, k=k) == ndcg(on_scale([10, 0], (-10, 10), rank=[2, 3]), k=k)
    assert ndcg(left, k=k) != ndcg(on_scale([10, 0], (0, 10), rank=[2, 3]), k=k)


def test_no_gain_is_below_0_where_32_bits_round_a_rating_to_below_the_scale():
    lowest = float(np.float32(-9.8))
    assert lowest < -9.8
    assert ndcg(on_scale([lowest, 5.0], (-9.8, 9.8), rank=[1, 5]), k=np.array([1])).item() == 0


def test_exponential_gain_of_ratings_in_thousands_is_refused():
    assert ndcg(on_scale([100.0, 3], (0, 100)), k=CUTOFFS, gain="exponential")[0, -1] == 1
    for scale in ((0, 5000), (-600, 600)):
        judged = on_scale([3.0, 4], scale)
        with pytest.raises(UserError, match=f"found a scale from {scale[0]} to {scale[1]}; use `gain: linear`"):
            ndcg(judged, k=CUTOFFS, gain="exponential")
        assert ndcg(judged, k=CUTOFFS).shape == (1, len(CUTOFFS))


@pytest.mark.parametrize("gain", GAINS)
@given(table=tables())
def test_dcg_is_the_gain_along_the_list(gain, table):
    assert_matches(
        dcg(judged_of(table), k=CUTOFFS, gain=gain), lambda ranked, k: slow_dcg(first(ranked, k), gain), table
    )


@pytest.mark.parametrize("base", [None, 2, 3.5])
@pytest.mark.parametrize("gain", GAINS)
def test_a_list_of_the_highest_ratings_reaches_the_upper_bound_of_dcg(gain, base):
    judged, extent = judged_of({1: (12, dict.fromkeys(range(1, 13), 5))}), Extent(9, 12, 100, (1, 5))
    reached = dcg(judged, k=CUTOFFS, gain=gain, jarvelin_base=base)[0]
    np.testing.assert_allclose(best(extent, CUTOFFS, gain, base), reached, rtol=1e-12)
