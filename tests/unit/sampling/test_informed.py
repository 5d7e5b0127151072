"""Informed samples: what they cost, what is certain, what models share, and what the estimator makes of them."""

import hashlib

import numpy as np
import pytest
from truerank.artefacts.array_parts import write_array_parts
from truerank.artefacts.counted_samples import read_samples
from truerank.artefacts.files import write_arrays
from truerank.core.informed_bounds import informed_bounds
from truerank.core.sampling import searched
from truerank.errors import UserError
from truerank.estimators._core.informed_problem import InformedProblem
from truerank.estimators.informed import Informed
from truerank.informed.ahead import Ahead, LinedUp, line_up
from truerank.provenance import generator
from truerank.sampling._core.informed_sample import InformedSamples
from truerank.sampling._core.sample import PER_INSTANCE
from truerank.sampling.informed import informed
from truerank.stages.sample_ranks import read_lined_up

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


def sampled(given, seed=1, **settings):
    return InformedSamples.whole(informed(LinedUp.of(given), generator(seed), **settings))


def fitted(samples):
    return Informed().fit(InformedProblem(samples))


def arrays(samples, *names):
    """Return arrays of all models and repeats, in their order."""
    return [next(samples.read(at, *names)) for at in np.ndindex(samples.about["scores"].shape)]


def test_exact_samples_are_the_exact_ranks_with_fewer_scores():
    given = models()
    sample = sampled(given, k=10, exact=True, repeats=7)
    assert sample.about["scores"].shape == (2, 1)
    law = fitted(sample)
    for model, ahead in enumerate(given):
        assert np.cumsum(law[model, 0])[:10] == pytest.approx(curve(ahead), abs=1e-12)
        assert 1.1 * curve(ahead)[-1] < sample.about["scores"][model, 0] / (ahead.n + 1).sum() < 0.8
    assert law.sum(axis=-1) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("proxy", "budget", "followed"),
    [("popular", 60, True), ("none", 60, False), ("reversed", 60, False), ("popular", 40, False)],
)
def test_a_budget_is_kept_and_estimates_come_near(proxy, budget, followed):
    given = models(proxy)
    sample = sampled(given, k=10, budget=budget, repeats=3)
    assert (sample.about["followed"] == followed).all()
    assert (sample.about["scores"] <= budget * N_USERS).all()
    assert (sample.about["scores"] > 0.97 * budget * N_USERS).all()
    found = np.cumsum(fitted(sample)[..., :10], axis=-1)
    exact = np.stack([curve(ahead) for ahead in given])[:, None]
    assert np.abs(found / exact - 1).mean() < (0.06 if followed else 0.25)
    assert len({tuple(each) for each in found.reshape(-1, 10)}) == 6  # repeats differ


def test_counts_stay_within_what_there_is_and_decided_ranks_are_certain():
    given = models()
    sample = sampled(given, k=5, budget=50, repeats=2)
    for at in np.ndindex(sample.about["scores"].shape):
        (seen,) = sample.seen(at)
        assert (seen.hits <= seen.draws).all()
        assert (seen.draws <= seen.size).all()
        assert np.array_equal(seen.size.sum(axis=1), given[at[0]].n)
        rank = given[at[0]].rank
        assert (rank > seen.hits.sum(axis=1)).all()
        sure = ~seen.undecided & (rank <= 5)
        assert np.array_equal(1 + seen.hits.sum(axis=1)[sure], rank[sure])


@pytest.mark.slow
def test_an_audit_takes_the_bias_away():
    given = models(n_users=300)
    wrong = sampled(given, k=5, budget=60, audit=0.5, repeats=30)
    assert all((audited > 0).any() for (audited,) in arrays(wrong, "audited"))
    assert (wrong.about["scores"] <= 1.05 * 60 * 300).all()
    found = np.cumsum(fitted(wrong)[..., :5], axis=-1)
    exact = np.stack([curve(ahead, 5) for ahead in given])
    error = found.mean(axis=1) - exact
    assert (np.abs(error) < 4.5 * found.std(axis=1) / np.sqrt(30) + 1e-9).all()


def test_the_estimator_leaves_out_what_lies_beyond_k():
    sample = sampled(models(), k=5, budget=60, repeats=1)
    problem = InformedProblem(sample, RECALL, [1, 5, 10, "all"])
    assert problem.columns == ["recall@1", "recall@5", "rr@1", "rr@5"]
    assert problem.exact.shape == (6, 4)
    assert problem.exact[:, 3].tolist() == [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 0]


def test_the_same_seed_gives_the_same_and_more_places_than_candidates_are_refused():
    one, other = (sampled(models(), 3, budget=60, repeats=2) for _ in range(2))
    names = ("hits", "draws", "audited", "chance")
    for own, others in zip(arrays(one, *names), arrays(other, *names), strict=True):
        assert all(map(np.array_equal, own, others))
    few = Ahead(np.zeros((3, 1), np.uint8), np.array([4, 7, 8]), np.ones(3, np.int64))
    with pytest.raises(UserError, match="k is 6, and some user has 5 candidates"):
        sampled([few], k=6)
    assert fitted(sampled([few], k=3, budget=2))[0, 0] == pytest.approx([1, 0, 0, 0], abs=1e-3)


DIGESTS = [  # of what was seen when all instances were in memory at once
    pytest.param("popular", {"k": 10, "budget": 60, "repeats": 2}, "3623199cb69d842e", marks=pytest.mark.slow),
    pytest.param(
        "popular", {"k": 5, "budget": 60, "audit": 0.3, "repeats": 2}, "b22a254524b4d738", marks=pytest.mark.slow
    ),
    ("none", {"k": 10, "budget": 60, "audit": 0.3, "repeats": 2}, "9e76d265b1f8cc14"),
    ("popular", {"k": 10, "exact": True}, "2a9d20590cb4cfd8"),
]


@pytest.mark.parametrize(("proxy", "settings", "digest"), DIGESTS)
def test_instances_come_some_at_a_time_and_change_nothing(tmp_path, monkeypatch, proxy, settings, digest):
    """In three shards, one of them empty, by about 40 instances at a time in samples, 50 in estimates and bounds."""
    given = models(proxy)
    shards = [tmp_path / f"{number}.npz" for number in range(3)]
    for path, rows in zip(shards, [slice(0, 202), slice(202, 202), slice(202, 600)], strict=True):
        bits = np.stack([ahead.bits[rows] for ahead in given])
        write_arrays(path, {"bits": bits, "n": given[0].n[rows], "own_rank": given[0].own_rank[rows]})
    found = []
    for cells, size in ((1 << 25, 1 << 16), (40 * (N_ITEMS + 2 * 38), 50)):
        monkeypatch.setattr("truerank.sampling.informed.CELLS_AT_A_TIME", cells)
        monkeypatch.setattr("truerank.artefacts.counted_samples.INSTANCES_PER_BLOCK", size)
        monkeypatch.setattr("truerank.informed.posterior.MOST_FITTED", 300)
        path = tmp_path / f"{cells}.npz"
        parts = searched(read_lined_up(shards), {"kind": "informed", **settings}, ["a", "b"], ("d", "s", "i"), 1)
        write_array_parts(path, parts, PER_INSTANCE)
        samples = read_samples(path)
        bounds = informed_bounds(samples, 1, [("recall", {"kind": "recall"}, 1), ("rr", {"kind": "rr"}, 5)], 0.95)
        found.append((path.read_bytes(), fitted(samples), bounds))
    (one, law, ends), (other, law_by_parts, ends_by_parts) = found
    assert one == other
    assert np.allclose(law, law_by_parts, rtol=1e-5, atol=1e-9)
    assert np.allclose(ends, ends_by_parts, rtol=1e-12)
    parts = list(informed(LinedUp.of(given), generator(1), **settings))
    seen = {name: np.concatenate([vars(part)[name] for part in parts], axis=2) for name in ("hits", "draws", "audited")}
    seen = vars(parts[-1]) | seen
    names = ("hits", "draws", "head", "followed", "audited", "scores")
    whole = b"".join(np.ascontiguousarray(seen[name]).astype("<i8").tobytes() for name in names)
    assert hashlib.sha256(whole).hexdigest()[:16] == digest
