"""Expected sampled metrics: Krichene & Rendle 2020, Tables 1 and 2, eq. 19, and the limit of one negative."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.metrics._core.single import metric_of_rank
from truerank.provenance import generator
from truerank.sampling._core.expected import expected_ap, expected_metric
from truerank.sampling._core.law import rank_law
from truerank.sampling.uniform import uniform

from tests.support import TOY_FIGURES, TOY_RANKS

METRICS = {name: {"kind": name} for name in ("recall", "ndcg", "ap", "auc")}
# Their Table 2: m = 99 of 10,000, mean and standard deviation over 1,000 repeats.
TABLE_2 = {
    "A": {"auc@all": (0.990, 0.004), "ap@all": (0.630, 0.129), "ndcg@all": (0.724, 0.097), "recall@10": (1.0, 0.0)},
    "B": {"auc@all": (0.555, 0.014), "ap@all": (0.336, 0.073), "ndcg@all": (0.444, 0.054), "recall@10": (0.4, 0.0)},
    "C": {"auc@all": (0.843, 0.014), "ap@all": (0.325, 0.050), "ndcg@all": (0.460, 0.039), "recall@10": (0.567, 0.092)},
}


def matrix(columns):
    return np.column_stack(list(columns.values()))


@pytest.mark.parametrize("recommender", TOY_RANKS)
def test_table_1(recommender):
    found = metric_of_rank(METRICS, [10, "all"], np.array(TOY_RANKS[recommender]), 10_000)
    for name, printed in TOY_FIGURES[recommender].items():
        column = name if "@" in name else f"{name}@all"
        assert round(found[column].mean(), 3) == printed


@pytest.mark.parametrize("recommender", TABLE_2)
def test_table_2_in_expectation(recommender):
    """A mean of 1,000 repeats strays by sd / 31; four of these, and the printed rounding."""
    values = metric_of_rank(METRICS, [10, "all"], np.arange(1, 101), 100)
    found = expected_metric(np.array(TOY_RANKS[recommender]), 10_000, 99, matrix(values)).mean(axis=0)
    for name, (mean, sd) in TABLE_2[recommender].items():
        assert found[list(values).index(name)] == pytest.approx(mean, abs=4 * sd / np.sqrt(1000) + 0.0005)


@pytest.mark.parametrize("recommender", TABLE_2)
def test_table_2_by_simulation(recommender):
    """Means and standard deviations of 1,000 repeats of ours against 1,000 of theirs."""
    rank = np.array(TOY_RANKS[recommender])
    sample = uniform(rank[None], np.full(5, 10_000), generator(1, "table 2"), negatives=99, replace=True, repeats=1000)
    values = metric_of_rank(METRICS, [10, "all"], np.arange(1, 101), 100)
    for name, (mean, sd) in TABLE_2[recommender].items():
        found = values[name][sample.rank[0] - 1].mean(axis=1)
        assert found.mean() == pytest.approx(mean, abs=6 * sd / np.sqrt(1000) + 0.0005)
        assert found.std() == pytest.approx(sd, rel=0.15, abs=0.0006)


@given(st.integers(3, 500), st.integers(1, 200), st.data())
def test_ap_in_closed_form(candidates, negatives, data):
    rank = np.array(data.draw(st.lists(st.integers(1, candidates), min_size=1, max_size=5)))
    by_sum = expected_metric(rank, candidates, negatives, 1 / np.arange(1.0, negatives + 2)[:, None])[:, 0]
    np.testing.assert_allclose(expected_ap(rank, candidates, negatives), by_sum, rtol=1e-8)


@pytest.mark.parametrize("replace", [True, False])
@given(st.integers(1, 300), st.data())
def test_the_sum_over_few_ranks_is_that_over_all(replace, negatives, data):
    candidates = np.array([negatives + 1, negatives + 20, 1000])
    rank = np.array([data.draw(st.integers(1, int(c))) for c in candidates])
    cutoffs = [data.draw(st.integers(1, 60)), "all"]
    values = matrix(metric_of_rank(METRICS, cutoffs, np.arange(1, negatives + 2), negatives + 1))
    over_all = rank_law(rank, candidates, negatives, replace) @ values
    found = expected_metric(rank, candidates, negatives, values, replace)
    np.testing.assert_allclose(found, over_all, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("replace", [True, False])
def test_with_one_negative_every_metric_is_linear_in_auc(replace):
    candidates, rank = 50, np.arange(1, 51)
    values = matrix(metric_of_rank(METRICS, [1, 2, "all"], np.array([1, 2]), 2))
    found = expected_metric(rank, candidates, 1, values, replace)
    auc = (candidates - rank) / (candidates - 1)
    for column, (first, second) in zip(found.T, values.T, strict=True):
        np.testing.assert_allclose(column, second + auc * (first - second), atol=1e-12)
