"""Estimators that fit P(R): EM against a loop over instances, MES against a general solver, and what all promise."""

from dataclasses import replace

import cvxpy
import numpy as np
import pytest
from hypothesis import given, settings
from truerank.estimators._core import mixture as mixtures
from truerank.estimators._core.histogram import histogram
from truerank.estimators._core.make import make_estimator
from truerank.estimators._core.problem import Problem
from truerank.provenance import generator
from truerank.registry import ESTIMATORS
from truerank.sampling._core.law import rank_pmf
from truerank.sampling.adaptive import adaptive

from tests.unit.estimators.problems import problem_of, problems, skilled

FITTING = ["mle", "mes", "monotone_mle", "adaptive_mle"]


def fit(problem, kind, **settings):
    return make_estimator({"kind": kind, **settings}).fit(problem)


def em_by_instance(sets, n_items, iterations):
    """EM as the paper prints it: a posterior per instance. sets : (negatives, rank) per instance, None for all."""
    p = np.full(n_items, 1 / n_items)
    for _ in range(iterations):
        posteriors = []
        for negatives, rank in sets:
            known = np.arange(1, n_items + 1) == min(rank, n_items)
            law = known if negatives is None else rank_pmf(rank, np.arange(1, n_items + 1), n_items, negatives)
            joint = p * law
            posteriors.append(joint / joint.sum())
        p = np.mean(posteriors, axis=0)
    return p


@given(problems())
@settings(max_examples=25)
def test_mle_is_em_by_instance(problem):
    found = fit(problem, "mle", iterations=7)
    m = int(problem.seen.negatives[0])
    for p, counts in zip(found, problem.seen.counts, strict=True):
        sets = [(m, rank) for rank in np.repeat(np.arange(1, m + 2), counts)]
        np.testing.assert_allclose(p, em_by_instance(sets, problem.n_items, 7), rtol=1e-9, atol=1e-15)


def test_adaptive_mle_is_em_by_instance():
    rng = generator(4, "adaptive")
    exact = np.minimum((60 * rng.random(80) ** 3).astype(int) + 1, 60)
    sample = adaptive(exact[None], np.full(80, 60), rng, start=5, limit=40, repeats=2)
    found = fit(problem_of(sample.rank[0], sample.negatives[0], 60), "adaptive_mle", iterations=9)
    for p, rank, negatives in zip(found, sample.rank[0], sample.negatives[0], strict=True):
        sets = list(zip(negatives, rank, strict=True))
        np.testing.assert_allclose(p, em_by_instance(sets, 60, 9), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("kind", ["adaptive_mle", "monotone_mle"])
def test_exact_ranks_of_small_users_count_as_such(kind):
    """Some sets are all candidates of their user; one of them has more than the mean, with a rank beyond it."""
    rng = generator(5, "small users")
    candidates = np.append(rng.integers(8, 60, 79), 90)
    exact = np.append(1 + (rng.random(79) ** 2 * candidates[:79]).astype(int), 85)
    sample = adaptive(exact[None], candidates, rng, start=5, limit=100, repeats=2)
    n_items = round(candidates.mean())
    seen = histogram(sample.rank[0], sample.negatives[0], sample.exact[0])
    assert seen.exact.any()
    assert seen.counts[:, seen.exact].sum() == sample.exact.sum()
    found = fit(Problem(n_items, seen), kind, iterations=9)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-9)
    if kind == "adaptive_mle":
        rows = zip(found, sample.rank[0], sample.negatives[0], sample.exact[0], strict=True)
        for p, rank, negatives, known in rows:
            sets = [(None if whole else m, r) for m, r, whole in zip(negatives, rank, known, strict=True)]
            np.testing.assert_allclose(p, em_by_instance(sets, n_items, 9), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("law", ["binomial", "hypergeometric"])
def test_with_sets_of_everything_the_fit_is_the_histogram_of_exact_ranks(law):
    rank = np.array([[1, 1, 2, 5, 9, 9, 9, 10]])
    seen = histogram(rank, np.full(rank.shape, 9), np.full(rank.shape, True))
    found = fit(Problem(10, seen, law=law), "adaptive_mle", law=law)
    np.testing.assert_allclose(found[0], np.bincount(rank[0], minlength=11)[1:] / 8, atol=1e-12)


def test_a_set_larger_than_the_mean_catalogue_has_a_hypergeometric_law_too():
    seen = histogram(np.array([[1, 3, 12]]), np.array([[4, 11, 11]]))
    problem = Problem(10, seen, law="hypergeometric")
    assert np.isfinite(problem.chances).all()
    np.testing.assert_array_equal(problem.chances[:, problem.seen.exact], np.eye(10)[:, [2, 9]])


@pytest.mark.parametrize("law", ["binomial", "hypergeometric"])
def test_blocks_of_the_law_leave_out_only_what_is_negligible(law, monkeypatch):
    """Put together again they are the dense law, but for chances below 1e-25."""
    monkeypatch.setattr(mixtures, "CELLS_PER_BLOCK", 4000)
    rng = generator(6, "blocks")
    negatives = rng.choice([0, 9, 150, 380], 300)
    rank = 1 + (rng.random(300) * np.where(negatives, negatives + 1, 420)).astype(int)
    problem = Problem(400, histogram(rank[None], negatives[None], negatives[None] == 0), law=law)
    whole = np.zeros_like(problem.chances)
    for components, pieces in mixtures.law_blocks(problem):
        for outcomes, chances in pieces:
            whole[components, outcomes] = chances
    np.testing.assert_array_equal(whole[whole > 0], problem.chances[whole > 0])
    assert problem.chances[whole == 0].max() < 1e-25
    assert (whole == 0).mean() > 0.2


def entropy_objective(p, a, shares, eta):
    entropy = -np.where(p > 0, p * np.log(np.maximum(p, 1e-300)), 0).sum()
    return eta / len(shares) * entropy - (shares * (a.T @ p - shares) ** 2).sum()


def best_by_cvxpy(a, shares, eta):
    """The value of the same program where a general convex solver ends, taken back onto the simplex."""
    p = cvxpy.Variable(len(a))
    misfit = cvxpy.sum_squares(cvxpy.multiply(np.sqrt(shares), a.T @ p - shares))
    goal = cvxpy.Maximize(eta / len(shares) * cvxpy.sum(cvxpy.entr(p)) - misfit)
    cvxpy.Problem(goal, [cvxpy.sum(p) == 1]).solve(solver=cvxpy.CLARABEL)
    clipped = np.maximum(p.value, 0)
    return entropy_objective(clipped / clipped.sum(), a, shares, eta)


@pytest.mark.parametrize("eta", [0.01, 1.0])
@given(problem=problems(most_items=12, most_negatives=5))
@settings(max_examples=15)
def test_mes_reaches_the_optimum_of_a_general_solver(problem, eta):
    """To 1e-6 in the objective, on either side."""
    found = fit(problem, "mes", eta=eta)
    for p, shares in zip(found, problem.seen.shares, strict=True):
        ours = entropy_objective(p, problem.chances, shares, eta)
        assert ours == pytest.approx(best_by_cvxpy(problem.chances, shares, eta), abs=1e-6)


@given(problems())
@settings(max_examples=25)
def test_mes_satisfies_the_conditions_of_the_optimum(problem):
    """P is proportional to exp(A mu) and mu is 2 p (p - A'P) / t: the gradient of the dual vanishes."""
    t = 0.01 / len(problem.seen.rank)
    for p, shares in zip(fit(problem, "mes"), problem.seen.shares, strict=True):
        mu = 2 * shares * (shares - problem.chances.T @ p) / t
        score = problem.chances @ mu
        expected = np.exp(score - score.max())
        np.testing.assert_allclose(p, expected / expected.sum(), rtol=1e-4, atol=1e-9)


@pytest.mark.parametrize("kind", FITTING)
def test_fits_are_distributions_and_rows_do_not_touch_each_other(kind):
    _, problem = skilled()
    together = fit(problem, kind)
    np.testing.assert_allclose(together.sum(axis=1), 1, rtol=1e-6)
    assert (together >= 0).all()
    alone = type(problem)(300, replace(problem.seen, counts=problem.seen.counts[2]))
    np.testing.assert_allclose(fit(alone, kind), together[2], rtol=1e-5, atol=1e-9)


def test_monotone_mle_never_rises_and_is_more_likely_with_more_steps():
    _, problem = skilled()

    def likelihood(p):
        return (problem.seen.counts * np.log(p @ problem.chances)).sum()

    few, many = (fit(problem, "monotone_mle", iterations=n) for n in (5, 200))
    assert (np.diff(many, axis=1) <= 1e-15).all()
    assert likelihood(many) > likelihood(few)
    assert likelihood(fit(problem, "mle", iterations=200)) > likelihood(many), "the constraint costs likelihood"


def test_without_any_skill_uniform_ranks_are_found_uniform():
    problem = problem_of(np.tile(np.arange(1, 12), 50)[None], np.int32(10), 200)
    np.testing.assert_allclose(fit(problem, "monotone_mle")[0, :180], 1 / 200, rtol=0.05)


@pytest.mark.parametrize(
    "definition",
    [{"kind": "mle"}, {"kind": "mes"}, {"kind": "monotone_mle"}, {"kind": "bias_variance", "gamma": 0.01}],
    ids=lambda definition: definition["kind"],
)
def test_corrections_come_nearer_than_no_correction(definition):
    rank, problem = skilled(negatives=50)
    place = problem.columns.index("recall@10")
    exact = (rank <= 10).mean()
    found = make_estimator(definition).estimate(problem)[:, place].mean()
    plain = make_estimator({"kind": "uncorrected"}).estimate(problem)[:, place].mean()
    assert abs(found - exact) < 0.25 * abs(plain - exact)


def test_histogram_of_one_set_size_and_of_many():
    rank = np.array([[1, 2, 2], [3, 3, 1]])
    fixed = histogram(rank, np.int32(2))
    np.testing.assert_array_equal(fixed.counts, [[1, 2, 0], [1, 0, 2]])
    sized = histogram(rank, np.array([[4, 2, 2], [2, 2, 4]]))
    np.testing.assert_array_equal(np.column_stack([sized.negatives, sized.rank]), [[2, 2], [2, 3], [4, 1]])
    np.testing.assert_array_equal(sized.counts, [[2, 0, 1], [0, 2, 1]])
    assert sized.n_instances == 3


@pytest.mark.parametrize("rank", [[0, 1], [1, 4]])
def test_ranks_outside_the_set_are_refused(rank):
    with pytest.raises(ValueError, match="expected 1 to 3"):
        histogram(rank, 2)


def test_every_kind_says_what_it_takes():
    for entry in ESTIMATORS:
        assert set(entry.facts.takes) <= {"ranks", "sized ranks", "weighted ranks", "informed"}
        assert entry.sentence.endswith(".")
        assert set(entry.schema["required"]) <= {"prior"}
