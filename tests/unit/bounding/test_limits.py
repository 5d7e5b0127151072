"""Limits from printed figures and from users with several ranks."""

import numpy as np
import pytest
from scipy import stats
from truerank.bounding.limits import (
    Figure,
    bounded_mean_interval,
    counts_printed_as,
    is_possible,
    limits_of_figures,
    limits_of_ranks,
    limits_of_users,
    share_interval,
)
from truerank.provenance import generator

from tests.support import for_each

RANKS = np.arange(1, 102)


def hits(k, printed, half=0.0005):
    return Figure(f"hr@{k}", (k >= RANKS).astype(float), printed, half, counted=True)


def ndcg(k, printed, half=0.005):
    return Figure(f"ndcg@{k}", (k >= RANKS) / np.log2(RANKS + 1), printed, half, counted=False)


@for_each(("count", "n"), [(0, 10), (3, 10), (10, 10), (684, 1000)])
def test_a_share_has_the_interval_of_clopper_and_pearson(count, n):
    exact = stats.binomtest(count, n).proportion_ci(0.98, method="exact")
    np.testing.assert_allclose(share_interval(count, count, n, 0.02), exact)


def test_a_rounded_share_has_all_counts_that_are_printed_so():
    assert counts_printed_as(hits(10, 0.684), 6040) == (4129, 4134)
    assert counts_printed_as(hits(10, 0.55, 0.005), 10) == (6, 5)
    assert counts_printed_as(hits(10, 1.0), 10) == (10, 10)


@for_each("law", [(0.02, 0.98), (0.5, 0.5)])
def test_the_interval_of_a_mean_holds(law):
    """Values 0, and 1/log2(2..11): at least 95 % of 2,000 samples."""
    values = np.append(0, 1 / np.log2(np.arange(2, 12)))
    chances = np.append(law[1], np.full(10, law[0] / 10))
    means = generator(1, "means", *law).multinomial(300, chances, 2000) @ values / 300
    held = [low <= chances @ values <= high for low, high in (bounded_mean_interval(x, x, 300, 0.05) for x in means)]
    assert np.mean(held) >= 0.95


def test_the_interval_of_a_mean_at_its_ends():
    low, high = bounded_mean_interval(0.0, 0.0, 100, 0.05)
    assert low == 0
    assert high == pytest.approx(1 - (0.025) ** (1 / 100), rel=1e-6)  # where (1 - mu)^n is alpha / 2
    assert bounded_mean_interval(1.0, 1.0, 100, 0.05) == (pytest.approx(1 - high), 1)


def test_more_figures_share_the_error_and_more_digits_narrow():
    one = limits_of_figures([hits(10, 0.684)], 6040, 0.95)
    two = limits_of_figures([hits(10, 0.684), ndcg(10, 0.41)], 6040, 0.95)
    coarse = limits_of_figures([hits(10, 0.68, 0.005)], 6040, 0.95)
    assert two.low[0] < one.low[0] < 0.684 < one.high[0] < two.high[0]
    assert coarse.low[0] < one.low[0]


def test_a_figure_that_rises_with_the_rank_is_turned():
    (low,), (high,) = (
        getattr(limits_of_figures([Figure("recovery", RANKS / 101.0, 0.2, 0.005, False)], 500, 0.95), name)
        for name in ("low", "high")
    )
    assert -0.3 < low < -0.2 < high < -0.1


def test_figures_that_no_ranks_have_together():
    assert is_possible([hits(1, 0.2), hits(10, 0.5), ndcg(10, 0.35)])
    assert not is_possible([hits(1, 0.2), hits(10, 0.5), ndcg(10, 0.9)])
    assert not is_possible([hits(1, 0.4), ndcg(10, 0.3)])


def test_the_band_of_users_is_no_narrower_at_the_head():
    counts = np.array([30, 20, 10, 40])
    ranks, users = limits_of_ranks(counts, 0.95), limits_of_users(counts / 100, 100, 0.95)
    np.testing.assert_array_equal(ranks.functions, users.functions)
    assert (users.high - users.low)[0] > (ranks.high - ranks.low)[0]
