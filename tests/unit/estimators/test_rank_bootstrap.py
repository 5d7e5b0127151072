"""Intervals from resampled ranks: against Clopper and Pearson, and by simulation where the plain bootstrap fails."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats
from truerank.estimators._core.histogram import histogram
from truerank.estimators._core.make import make_estimator
from truerank.estimators._core.problem import Problem
from truerank.estimators._core.rank_bootstrap import bootstrap_interval, estimates_and_span, resampled
from truerank.provenance import generator

from tests.support import for_each

NEGATIVES, ITEMS, SAMPLES = 10, 60, 400
LAWS = {
    "one rank": np.eye(NEGATIVES + 1)[0],
    "hits are rare": np.array([0.02] + [0.98 / NEGATIVES] * NEGATIVES),
    "misses are rare": np.array([0.98] + [0] * (NEGATIVES - 1) + [0.02]),
    "falling": 0.7 ** np.arange(NEGATIVES + 1) / (0.7 ** np.arange(NEGATIVES + 1)).sum(),
}
LINEAR = [{"kind": "uncorrected"}, {"kind": "rank_estimate"}, {"kind": "bias_variance", "gamma": 0.01}]


def estimated(definition, counts):
    """Return the estimate of ndcg@3 for each row, and the span of one rank more."""
    problem = Problem(ITEMS, counts, {"ndcg": {"kind": "ndcg"}}, [3])
    estimator = make_estimator(definition)
    prior = estimator.fit(problem) if hasattr(estimator, "fit") else None
    values, (least, most) = estimates_and_span(estimator, prior, problem)
    return values[:, 0], least[0], most[0]


def law_histogram(law):
    """Return a histogram of many ranks that has the shares of the law."""
    ranks = np.repeat(np.arange(1, NEGATIVES + 2), np.round(law * 1e5).astype(int))
    return histogram(ranks[None], NEGATIVES)


@pytest.mark.slow
@pytest.mark.parametrize("definition", [*LINEAR, {"kind": "mle"}], ids=lambda definition: definition["kind"])
def test_intervals_cover_the_estimate_of_endless_ranks(definition):
    """95 % or more of so many samples, less three standard errors; where 2 % are hits it is 0 % of the plain bootstrap
    of one rank and 62 % of 50. A fit to two ranks is no mean of two values, and may do a little worse. As it takes
    a hundred times as long, there are fewer of it."""
    linear = definition in LINEAR
    n_samples, n_resamples = (SAMPLES, 200) if linear else (SAMPLES // 2, 100)
    for law, n_ranks in product(LAWS, (1, 2, 10, 50)):
        truth = estimated(definition, law_histogram(LAWS[law]))[0][0]
        rng = generator(1, "cover", definition["kind"], n_ranks, law)
        samples = []
        for _ in range(n_samples):
            seen = histogram(1 + rng.choice(NEGATIVES + 1, n_ranks, p=LAWS[law]), NEGATIVES)
            samples.append(resampled(seen, n_resamples, rng))
        values = []
        for few in np.split(np.array([of_sample.counts for of_sample, _ in samples]), 50):
            together = replace(samples[0][0], counts=few.reshape(-1, NEGATIVES + 1))
            of_few, least, most = estimated(definition, together)
            values += list(of_few.reshape(len(few), -1))
        covered = 0
        for (_, unseen), of_sample in zip(samples, values, strict=True):
            low, high = bootstrap_interval(of_sample, unseen, least, most, 0.95)
            assert low <= of_sample[0] <= high, (law, n_ranks)
            covered += low - 1e-9 <= truth <= high + 1e-9
        assert covered / n_samples > (0.95 if linear else 0.89) - 3 * np.sqrt(0.05 * 0.95 / SAMPLES), (law, n_ranks)


@for_each(("hits", "n_ranks"), [(0, 1), (1, 1), (2, 2), (0, 50), (3, 50), (25, 50), (400, 400)])
@for_each("confidence", [0.5, 0.95, 0.99])
def test_of_hits_the_ends_are_those_of_clopper_and_pearson(hits, n_ranks, confidence):
    seen = histogram(np.repeat([1, 9], [hits, n_ranks - hits]), NEGATIVES)
    counts, unseen = resampled(seen, 20_000, generator(2))
    values, least, most = estimated({"kind": "rank_estimate"}, counts)
    assert (least, most) == (0, 1)
    exact = stats.binomtest(hits, n_ranks).proportion_ci(confidence, method="exact")
    np.testing.assert_allclose(bootstrap_interval(values, unseen, least, most, confidence), exact, atol=0.02)


def test_rows_are_resampled_ranks():
    seen = histogram(np.repeat([1, 4], [30, 10]), NEGATIVES)
    counts, unseen = resampled(seen, 4000, generator(3))
    np.testing.assert_array_equal(counts.counts[0], seen.counts)
    np.testing.assert_allclose(counts.counts.sum(axis=1), 40)
    assert not counts.counts[:, seen.counts == 0].any()
    assert counts.shares[1:, 0].mean() == pytest.approx(0.75, abs=0.006)
    assert counts.shares[1:, 0].std() == pytest.approx(np.sqrt(0.75 * 0.25 / 41), rel=0.05)
    assert unseen.mean() == pytest.approx(1 / 41, rel=0.1)
