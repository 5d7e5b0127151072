"""Informed samples: what they cost, what is certain, what models share, and what the estimator makes of them."""

import numpy as np
import pytest
from truerank.errors import UserError
from truerank.estimators._core.informed_problem import InformedProblem
from truerank.estimators.informed import Informed
from truerank.informed.ahead import Ahead, line_up
from truerank.provenance import generator
from truerank.sampling.informed import informed

N_USERS, N_ITEMS = 600, 250
RECALL = {"recall": {"kind": "recall"}, "rr": {"kind": "rr"}, "auc": {"kind": "auc"}}


def models(proxy="popular", n_users=N_USERS):
    """Two models of quality and taste, and a proxy that knows the quality, nothing, or its opposite."""
    rng = np.random.default_rng(4)
    quality = 1.5 * rng.normal(size=N_ITEMS)
    taste = quality + rng.normal(size=(n_users, N_ITEMS))
    own = np.argmax(taste + rng.gumbel(size=taste.shape), axis=1)
    known = {"popular": quality, "none": rng.random(taste.shape), "reversed": -quality}[proxy]
    line = line_up(np.broadcast_to(known, taste.shape), np.arange(N_ITEMS), own, np.ones(taste.shape, bool))
    noisy = [taste + noise * rng.normal(size=taste.shape) for noise in (0.5, 2)]
    return [line.ahead(scores > np.take_along_axis(scores, own[:, None], axis=1)) for scores in noisy]


def curve(ahead, k=10):
    return np.array([(ahead.rank <= place).mean() for place in range(1, k + 1)])


def fitted(sample):
    return Informed().fit(InformedProblem(sample))


def test_exact_samples_are_the_exact_ranks_with_fewer_scores():
    given = models()
    sample = informed(given, generator(1), k=10, exact=True, repeats=7)
    assert sample.scores.shape == (2, 1)
    law = fitted(sample)
    for model, ahead in enumerate(given):
        assert np.cumsum(law[model, 0])[:10] == pytest.approx(curve(ahead), abs=1e-12)
        assert 1.1 * curve(ahead)[-1] < sample.scores[model, 0] / (ahead.n + 1).sum() < 0.8
    assert law.sum(axis=-1) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("proxy", "budget", "followed"),
    [("popular", 60, True), ("none", 60, False), ("reversed", 60, False), ("popular", 40, False)],
)
def test_a_budget_is_kept_and_estimates_come_near(proxy, budget, followed):
    given = models(proxy)
    sample = informed(given, generator(1), k=10, budget=budget, repeats=3)
    assert (sample.followed == followed).all()
    assert (sample.scores <= budget * N_USERS).all()
    assert (sample.scores > 0.97 * budget * N_USERS).all()
    found = np.cumsum(fitted(sample)[..., :10], axis=-1)
    exact = np.stack([curve(ahead) for ahead in given])[:, None]
    assert np.abs(found / exact - 1).mean() < (0.06 if followed else 0.25)
    assert len({tuple(each) for each in found.reshape(-1, 10)}) == 6  # repeats differ


def test_counts_stay_within_what_there_is_and_decided_ranks_are_certain():
    given = models()
    sample = informed(given, generator(1), k=5, budget=50, repeats=2)
    for at in np.ndindex(sample.scores.shape):
        seen = sample.seen(*at)
        assert (seen.hits <= seen.draws).all()
        assert (seen.draws <= seen.size).all()
        assert np.array_equal(seen.size.sum(axis=1), sample.n)
        rank = given[at[0]].rank
        assert (rank > seen.hits.sum(axis=1)).all()
        sure = ~seen.undecided & (rank <= 5)
        assert np.array_equal(1 + seen.hits.sum(axis=1)[sure], rank[sure])


@pytest.mark.slow
def test_an_audit_takes_the_bias_away():
    given = models(n_users=300)
    wrong = informed(given, generator(1), k=5, budget=60, audit=0.5, repeats=30)
    assert (wrong.audited > 0).any(axis=-1).all()
    assert (wrong.scores <= 1.05 * 60 * 300).all()
    found = np.cumsum(fitted(wrong)[..., :5], axis=-1)
    exact = np.stack([curve(ahead, 5) for ahead in given])
    error = found.mean(axis=1) - exact
    assert (np.abs(error) < 4.5 * found.std(axis=1) / np.sqrt(30) + 1e-9).all()


def test_the_estimator_leaves_out_what_lies_beyond_k():
    sample = informed(models(), generator(1), k=5, budget=60, repeats=1)
    problem = InformedProblem(sample, RECALL, [1, 5, 10, "all"])
    assert problem.columns == ["recall@1", "recall@5", "rr@1", "rr@5"]
    assert problem.exact.shape == (6, 4)
    assert problem.exact[:, 3].tolist() == [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 0]


def test_the_same_seed_gives_the_same_and_more_places_than_candidates_are_refused():
    one, other = (informed(models(), generator(3), budget=60, repeats=2) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(vars(one).values(), vars(other).values(), strict=True))
    few = Ahead(np.zeros((3, 1), np.uint8), np.array([4, 7, 8]), np.ones(3, np.int64))
    with pytest.raises(UserError, match="k is 6, and some user has 5 candidates"):
        informed([few], generator(1), k=6)
    assert fitted(informed([few], generator(1), k=3, budget=2))[0, 0] == pytest.approx([1, 0, 0, 0], abs=1e-3)
