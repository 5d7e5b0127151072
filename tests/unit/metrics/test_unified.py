"""The harmonic mean, by itself and over the means of a study."""

import numpy as np
import pytest
from scipy import sparse, stats
from truerank.metrics._core.bounds import Extent
from truerank.metrics._core.evaluation import evaluate, summarise
from truerank.metrics._core.listed import Catalogue, TopLists
from truerank.metrics.unified import OF, unified

from tests.support import judged_of

K = np.array([1, 2])
EXTENT = Extent(n_users=4, n_items=4, depth=2, scale=(1, 5))  # of ``listed``


def test_the_harmonic_mean_at_every_cutoff():
    values = {"a": np.array([0.2, 0.5]), "b": np.array([0.4, 1.0]), "c": 0.8}
    expected = [stats.hmean([0.2, 0.4, 0.8]), stats.hmean([0.5, 1, 0.8])]
    assert unified(values, k=K, of=["a", "b", "c"]) == pytest.approx(expected)


def test_zero_if_one_is_zero_and_undefined_if_one_is():
    assert unified({"a": np.array([0, 0.3]), "b": np.array([0.5, np.nan])}, k=K, of=["a", "b"])[0] == 0
    assert np.isnan(unified({"a": np.array([0, 0.3]), "b": np.array([0.5, np.nan])}, k=K, of=["a", "b"])[1])


@pytest.fixture
def listed():
    judged = judged_of({0: (4, {1: 5, 2: 1}), 1: (4, {2: 4})})
    catalogue = Catalogue(sparse.csr_matrix(np.array([[1, 1, 1, 1], [1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]])))
    return TopLists(np.array([[3, 1], [2, 1]]), judged, catalogue)


def test_each_metric_is_divided_by_its_bound(listed):
    """Degrees 4, 1, 2 and 0 of 4 users: novelty in bits is 0, 2, 1, 2, and at most log2 4 = 2."""
    metrics = {name: {"kind": name} for name in (*OF, "unified")}
    values = evaluate(listed.judged, metrics, [2], listed)
    means = {column: mean.value for column, mean in summarise(values, metrics, [2], extent=EXTENT).items()}
    assert means["sibn@2"] == pytest.approx(1.75)
    parts = [0.5, 1.75 / 2, 0.75, 0.5, (0.2 + 0.2 * 0.8) / 2]
    assert [means[f"{name}@2"] for name in ("inter_user", "coverage", "precision")] == [0.5, 0.75, 0.5]
    assert means["unified@2"] == pytest.approx(stats.hmean(parts))
    assert list(means) == [f"{name}@2" for name in metrics]


def test_it_is_absent_where_a_member_is(listed):
    metrics = {name: {"kind": name} for name in ("recall", "sibn")}
    metrics["mine"] = {"kind": "unified", "of": ["recall", "sibn"]}
    assert "mine@2" not in summarise(evaluate(listed.judged, metrics, [2]), metrics, [2])
    found = summarise(evaluate(listed.judged, metrics, [2], listed), metrics, [2], extent=EXTENT)
    assert (found["mine@2"].users, found["mine@2"].undefined) == (None, None)
    assert np.isnan(found["mine@2"].ci_low)
