"""Sweeps against the slow way: throw rows away, build the rank table again, evaluate, average."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.meta.additive import TERMS_AND_NORM
from truerank.meta.robustness import mean_metrics, random_subsets, robustness, without_popular
from truerank.metrics.evaluation import evaluate, mean_over_users
from truerank.metrics.judged import Judged

KINDS = {**{kind: {"kind": kind} for kind in TERMS_AND_NORM}, "auc": {"kind": "auc"}}
KINDS |= {
    f"{kind}_{gain}": {"kind": kind, "gain": gain}
    for kind in ("ndcg", "ndcg_full")
    for gain in ("binary", "exponential")
}


def systems(rng, n_users=6, n_items=20, n_systems=3):
    """Return test rows of a few users, and the ranks and ratings that several systems' tables have of them."""
    user = np.repeat(np.arange(n_users) * 7, rng.integers(1, 8, n_users))
    ranks = [
        np.concatenate([rng.choice(n_items, (user == u).sum(), replace=False) + 1 for u in np.unique(user)])
        for _ in range(n_systems)
    ]
    return user, ranks, rng.integers(1, 6, len(user)).astype(float), np.full(len(user), n_items)


def judged(user, rank, rating, candidates):
    return Judged(user, rank, rating >= 4, candidates, rating)


@given(st.integers(0, 2**32), st.sampled_from(["zero", "drop"]), st.sampled_from([[1, 3, 5], [2, "all"]]))
def test_means_are_those_of_the_metrics_on_the_rows_left(seed, undefined, cutoffs):
    rng = np.random.default_rng(seed)
    user, ranks, rating, candidates = systems(rng)
    masks = [rng.random(len(user)) < share for share in (1, 0.6, 0.2)]
    tables = [judged(user, rank, rating, candidates) for rank in ranks]
    columns, found = mean_metrics(tables, masks, KINDS, cutoffs, undefined, threads=2)
    for keep, of_subset in zip(masks, found, strict=True):
        for rank, means in zip(ranks, of_subset.T, strict=True):
            rest = evaluate(judged(*(part[keep] for part in (user, rank, rating, candidates))), KINDS, cutoffs)
            assert sorted(columns) == sorted(rest)
            lost = np.full(len(np.unique(user)) - len(np.unique(user[keep])), np.nan)
            expected = [mean_over_users(np.append(rest[column], lost), undefined).value for column in columns]
            np.testing.assert_allclose(means, expected, atol=1e-12)


def test_subsets_have_their_size_and_the_whole_comes_once():
    subsets = list(random_subsets(40, 0.25, 50, np.random.default_rng(0)))
    assert [keep.sum() for keep in subsets] == [10] * 50
    assert len({keep.tobytes() for keep in subsets}) == 50
    assert [keep.all() for keep in random_subsets(40, 1, 50, None)] == [True]


def test_popular_items_go_first():
    degree = np.array([5, 0, 1, 9, 1, 2])
    item = np.array([3, 1, 0, 2, 5])
    assert without_popular(item, degree, 1).all()
    assert without_popular(item, degree, 0.8).tolist() == [False, True, True, True, True]
    assert without_popular(item, degree, 0.4).tolist() == [False, True, False, True, False]


def test_order_that_turns_round_or_is_lost():
    full = np.array([[0.1, 0.2, 0.3]])
    thinned = np.array([[[0.1, 0.2, 0.3]], [[3, 2, 1]], [[0, 0, 0]]])
    np.testing.assert_array_equal(robustness(full, thinned)[:, 0], [1, -1, np.nan])


def test_nobody_left_is_undefined_not_zero():
    user, ranks, rating, candidates = systems(np.random.default_rng(1))
    tables = [judged(user, rank, rating, candidates) for rank in ranks]
    nothing = [np.zeros(len(user), bool)]
    _, dropped = mean_metrics(tables, nothing, KINDS, [5], "drop")
    assert np.isnan(dropped).all()
    _, zero = mean_metrics(tables, nothing, KINDS, [5], "zero")
    assert zero == pytest.approx(0)
