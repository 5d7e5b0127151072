"""Estimators that weight sampled ranks, against the printed formulas solved densely."""

import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import lsq_linear
from truerank.estimators._core.base import solve_positive
from truerank.estimators._core.make import make_estimator
from truerank.estimators._core.problem import Problem

from tests.support import for_each
from tests.unit.estimators.problems import problem_of, problems, skilled


def weights(problem, kind, p=None, **settings):
    p = np.full(problem.n_items, 1 / problem.n_items) if p is None else p
    return make_estimator({"kind": kind, **settings}).weights(problem, p)


@given(problems())
def test_uncorrected_is_the_mean_of_the_metric_in_the_set(problem):
    found = make_estimator({"kind": "uncorrected"}).estimate(problem)
    m = int(problem.seen.negatives[0])
    for row, counts in zip(found, problem.seen.counts, strict=True):
        ranks = np.repeat(np.arange(1, m + 2), counts)
        by_name = dict(zip(problem.columns, row, strict=True))
        assert by_name["recall@3"] == pytest.approx((ranks <= 3).mean())
        assert by_name["ap@10"] == pytest.approx(np.where(ranks <= 10, 1 / ranks, 0).mean())
        assert by_name["ndcg@3"] == pytest.approx(np.where(ranks <= 3, 1 / np.log2(ranks + 1), 0).mean())
        assert by_name["auc@all"] == pytest.approx(1 - (ranks - 1).mean() / m)


def test_rank_estimate_by_hand():
    problem = problem_of(np.array([[1, 2, 4]]), np.int32(3), 11)
    found = dict(zip(problem.columns, weights(problem, "rank_estimate").T, strict=True))
    np.testing.assert_array_equal(found["recall@3"], [1, 0, 0, 0])  # ranks 1, 4, 7, 11
    np.testing.assert_allclose(found["auc@all"], [1, 0.7, 0.4, 0])


@given(problems())
def test_cls_is_the_constrained_least_squares_solution(problem):
    """The same objective as a solver with bounds reaches, and weights that fall to no less than 0."""
    found = weights(problem, "cls")
    assert (np.diff(found, axis=0) <= 1e-12).all()
    assert (found >= -1e-12).all()
    a, lift = problem.chances, np.triu(np.ones((found.shape[0],) * 2))
    for x, b in zip(found.T, problem.exact.T, strict=True):
        best = lsq_linear(a @ lift, b, bounds=(0, np.inf), tol=1e-14).cost
        assert ((a @ x - b) ** 2).sum() / 2 <= best + 1e-9


def test_cls_rises_with_a_metric_that_rises():
    """Recovery is (1 + (1 - auc) (C - 1)) / C for one relevant item, and so are the estimates, but for the bounds."""
    rank, seen = skilled()
    both = {"auc": {"kind": "auc"}, "recovery": {"kind": "recovery"}, "recall": {"kind": "recall"}}
    problem = Problem(300, seen.seen, both, [10])
    found = weights(problem, "cls")
    assert (np.diff(found[:, problem.columns.index("recovery@all")]) >= 0).all()
    assert (np.diff(found[:, problem.columns.index("recall@10")]) <= 0).all()
    estimates = dict(zip(problem.columns, (problem.seen.shares @ found).T, strict=True))
    np.testing.assert_allclose(estimates["recovery@all"], (1 + (1 - estimates["auc@all"]) * 299) / 300, atol=1e-9)
    np.testing.assert_allclose(estimates["recovery@all"].mean(), (rank / 300).mean(), rtol=0.02)
    others = make_estimator({"kind": "bias_variance", "gamma": 0.001}).estimate(problem)
    np.testing.assert_allclose(estimates["recovery@all"], others[:, problem.columns.index("recovery@all")], rtol=0.02)


@for_each("gamma", [1, 0.1, 0.01, 0.001])
@for_each("prior", ["uniform", "fitted"])
def test_bias_variance_is_the_printed_formula(gamma, prior):
    rank, problem = skilled()
    p = np.full(300, 1 / 300)
    if prior == "fitted":
        p = np.bincount(rank, minlength=301)[1:] / len(rank)
    a, d = problem.chances, np.diag(p)
    printed = np.linalg.solve((1 - gamma) * a.T @ d @ a + gamma * np.diag(a.T @ p), a.T @ d @ problem.exact)
    np.testing.assert_allclose(weights(problem, "bias_variance", p, gamma=gamma), printed, rtol=1e-6, atol=1e-9)


def test_bias_variance_with_gamma_zero_has_the_least_bias():
    """Krichene & Rendle 2020, eq. 22: the least-squares solution, which no other weights beat."""
    problem = problem_of(np.array([[1, 2, 4, 4]]), np.int32(3), 11)
    a, b = problem.chances, problem.exact
    found = weights(problem, "bias_variance", gamma=0)
    np.testing.assert_allclose(found, np.linalg.lstsq(a, b)[0], atol=1e-9)
    _, problem = skilled()  # 21 columns that a double cannot tell apart from fewer
    a, b = problem.chances, problem.exact
    least = ((a @ np.linalg.lstsq(a, b)[0] - b) ** 2).mean(axis=0)
    bias = {gamma: ((a @ weights(problem, "bias_variance", gamma=gamma) - b) ** 2).mean(axis=0) for gamma in (0, 0.001)}
    assert (bias[0] <= bias[0.001]).all()
    np.testing.assert_allclose(bias[0], least, rtol=0.02, atol=1e-9)


def test_weights_imply_a_distribution_of_ranks():
    """Li et al. 2024, eq. 28: P(R) is the estimate of recall@R less that of recall@(R - 1), and gives every metric."""
    rank, problem = skilled()
    estimator = make_estimator({"kind": "bias_variance", "gamma": 0.01})
    found = estimator.implied(problem)
    np.testing.assert_allclose(found @ problem.exact, estimator.estimate(problem), rtol=1e-8, atol=1e-12)
    every = Problem(300, problem.seen, {"recall": {"kind": "recall"}}, list(range(1, 301)))
    recall = estimator.estimate(every)
    np.testing.assert_allclose(np.cumsum(found, axis=-1), recall, rtol=1e-6, atol=1e-9)
    shares = np.bincount(rank, minlength=301)[1:] / len(rank)
    assert np.abs(np.cumsum(found.mean(axis=0)) - np.cumsum(shares))[50:].max() < 0.02
    p = np.random.default_rng(1).dirichlet(np.ones(300), size=4)
    np.testing.assert_allclose(estimator.implied(problem, p) @ problem.exact, estimator.estimate(problem, p), rtol=1e-8)


def test_bias_variance_with_gamma_one_is_the_posterior_mean():
    _, problem = skilled()
    a = problem.chances
    expected = (a / a.sum(axis=0)).T @ problem.exact
    np.testing.assert_allclose(weights(problem, "bias_variance", gamma=1), expected, atol=1e-12)


def test_bias_variance_admits_a_prior_that_rules_ranks_out():
    _, problem = skilled()
    p = np.zeros(300)
    p[0] = 1
    found = weights(problem, "bias_variance", p, gamma=0.1)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found[0], problem.exact[0])


def test_multinomial_is_the_printed_formula_one_prior_per_histogram():
    rng = np.random.default_rng(1)
    _, problem = skilled()
    p = rng.dirichlet(np.ones(300), size=4)
    found = make_estimator({"kind": "multinomial", "prior": "mle"}).estimate(problem, p)
    a, n = problem.chances, 4000
    for each, shares, estimate in zip(p, problem.seen.shares, found, strict=True):
        matrix = a.T @ np.diag(each) @ a - a.T @ a / n + np.diag(a.sum(axis=0)) / n
        x = np.linalg.solve(matrix, a.T @ np.diag(each) @ problem.exact)
        np.testing.assert_allclose(estimate, shares @ x, rtol=1e-6)


def test_bias_variance_one_prior_per_histogram():
    rng = np.random.default_rng(1)
    _, problem = skilled()
    p = rng.dirichlet(np.ones(300), size=4)
    p[3] = np.eye(300)[4]
    estimator = make_estimator({"kind": "bias_variance", "gamma": 0.01, "prior": "mle"})
    found = estimator.estimate(problem, p)
    for each, shares, estimate in zip(p, problem.seen.shares, found, strict=True):
        np.testing.assert_allclose(estimate, shares @ estimator.weights(problem, each), rtol=1e-6)


def test_one_prior_for_all_repeats_is_that_prior_for_each():
    rng = np.random.default_rng(1)
    problem = problem_of(rng.integers(1, 21, (2, 3, 500)), np.int32(20), 300)
    p = rng.dirichlet(np.ones(300), size=(2, 1))
    for kind, settings in (("bias_variance", {"gamma": 0.01}), ("multinomial", {"prior": "mle"})):
        estimator = make_estimator({"kind": kind, **settings})
        each = estimator.estimate(problem, np.broadcast_to(p, (2, 3, 300)))
        np.testing.assert_allclose(estimator.estimate(problem, p), each, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_system_that_rounding_made_indefinite_is_solved_too(sign):
    rng = np.random.default_rng(2)
    q, _ = np.linalg.qr(rng.normal(size=(6, 6)))
    kernel = q @ np.diag([3, 2, 1, 1, 0.5, sign * 1e-3]) @ q.T
    kernel, target = (kernel + kernel.T) / 2, rng.normal(size=(6, 2))
    np.testing.assert_allclose(solve_positive(kernel.copy(), target), np.linalg.solve(kernel, target), rtol=1e-8)


@given(problems())
def test_gram_is_the_dense_product(problem):
    p = np.random.default_rng(1).dirichlet(np.ones(problem.n_items))
    for law in ("binomial", "hypergeometric"):
        of_law = type(problem)(problem.n_items, problem.seen, law=law)
        dense = of_law.chances.T @ np.diag(p) @ of_law.chances
        np.testing.assert_allclose(of_law.gram(p), dense, rtol=1e-9, atol=1e-15)


KINDS = [
    {"kind": "uncorrected"},
    {"kind": "rank_estimate"},
    {"kind": "cls"},
    {"kind": "bias_variance", "gamma": 0.01},
    {"kind": "mle"},
    {"kind": "mes"},
    {"kind": "monotone_mle"},
    {"kind": "bias_variance", "gamma": 0.01, "prior": "mle"},
    {"kind": "multinomial", "prior": "mle"},
]
APPROXIMATE = {"uncorrected", "mes", "monotone_mle"}  # even where ranks are exact


def estimates(problem, definition):
    prior = make_estimator({"kind": "mle"}).fit(problem) if "prior" in definition else None
    return dict(zip(problem.columns, make_estimator(definition).estimate(problem, prior).T, strict=True))


@for_each("law", ["binomial", "hypergeometric"])
@for_each("n_items", [1, 5, 8, 9, 10])
@for_each("definition", KINDS)
def test_sets_as_large_as_the_catalogue(definition, n_items, law):
    """Eight negatives of up to ten candidates: all of them are within the catalogue whatever the law."""
    rank = np.array([[1, 1, 2, 3, 3, 3, 1, 2], [1, 4, 9, 9, 2, 1, 1, 3]])
    rank = rank if n_items > 8 else np.minimum(rank, n_items)
    found = estimates(problem_of(rank, np.int32(8), n_items, [3, "all"], law=law), definition)
    np.testing.assert_allclose(found["recall@all"], 1, rtol=1e-6)
    assert np.isfinite(found["recall@3"]).all()


@for_each("definition", [each for each in KINDS if each["kind"] not in APPROXIMATE])
@for_each("negatives", [9, 14])
def test_sets_of_all_items_show_the_metric_itself(definition, negatives):
    """Without replacement nine negatives of ten candidates are all; a rank beyond the mean catalogue is its last."""
    rank = np.array([[1, 1, 2, 5, 9, 9, 10, 10]])
    sampled = np.where(rank == 10, negatives + 1, rank)
    problem = problem_of(sampled, np.int32(negatives), 10, [3, "all"], law="hypergeometric")
    found = estimates(problem, definition)
    np.testing.assert_allclose(found["recall@3"], 3 / 8, atol=1e-9)
    np.testing.assert_allclose(found["auc@all"], 1 - (rank - 1).mean() / 9, atol=1e-9)


def test_the_hypergeometric_law_is_an_option():
    _, problem = skilled()
    other = type(problem)(300, problem.seen, problem.metrics, problem.cutoffs, law="hypergeometric")
    assert not np.allclose(weights(problem, "cls"), weights(other, "cls"))
    np.testing.assert_allclose(other.chances.sum(axis=1), 1, rtol=1e-9)
