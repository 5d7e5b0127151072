"""Sweeps against the slow way: throw rows away, build the rank table again, evaluate, average."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.meta.compiled.sums import taus
from truerank.meta.groups_of_users import Groups
from truerank.meta.kendall import tau_b
from truerank.meta.robustness import Means, mean_metrics, random_subsets, sweep, without_popular
from truerank.meta.thinned import Thinned
from truerank.meta.thinned_sets import ThinnedSets
from truerank.metrics._core.evaluation import evaluate, mean_over_users
from truerank.metrics._core.judged import JudgedRanks
from truerank.registry import METRICS

KINDS = {entry.name: {"kind": entry.name} for entry in METRICS if entry.facts.additive}
KINDS |= {"rbp_95": {"kind": "rbp", "p": 0.95}, "half_life_3": {"kind": "half_life", "h": 2.0, "neutral": 3.0}}
KINDS |= {"ndcg_jarvelin": {"kind": "ndcg", "jarvelin_base": 2}}
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


def judged(user, rank, rating, candidates, mean_rating, scale=(1, 5)):
    return JudgedRanks(user, rank, rating >= scale[1] - 1, candidates, rating, mean_rating=mean_rating, scale=scale)


def policy(column, undefined):
    """Undefined users are left out where less is better: 0 would be the best value."""
    kind = KINDS[column.rpartition("@")[0]]["kind"]
    return undefined if METRICS[kind].facts.higher_is_better else "drop"


@pytest.mark.slow
@given(
    st.integers(0, 2**32),
    st.sampled_from(["zero", "drop"]),
    st.sampled_from([[1, 3, 5], [2, "all"]]),
    st.sampled_from([0, -3, -10]),
)
def test_means_are_those_of_the_metrics_on_the_rows_left(seed, undefined, cutoffs, shift):
    """On scales below 0 too: gains are counted from the lowest rating of the scale, not of the rows left."""
    rng = np.random.default_rng(seed)
    user, ranks, rating, candidates = systems(rng)
    rating, scale = rating + shift, (1 + shift, 5 + shift)
    mean_rating = np.array([rating[user == u].mean() for u in user])
    masks = [rng.random(len(user)) < share for share in (1, 0.6, 0.2)]
    tables = [judged(user, rank, rating, candidates, mean_rating, scale) for rank in ranks]
    columns, found = mean_metrics(tables, masks, KINDS, cutoffs, undefined, threads=2)
    for keep, of_subset in zip(masks, found, strict=True):
        for rank, means in zip(ranks, of_subset.T, strict=True):
            left = (part[keep] for part in (user, rank, rating, candidates, mean_rating))
            rest = evaluate(judged(*left, scale), KINDS, cutoffs)
            assert sorted(columns) == sorted(rest)
            lost = np.full(len(np.unique(user)) - len(np.unique(user[keep])), np.nan)
            expected = [mean_over_users(np.append(rest[c], lost), policy(c, undefined)).value for c in columns]
            np.testing.assert_allclose(means, expected, atol=1e-12)


def test_metrics_that_do_not_add_up_come_out_beside_the_others(monkeypatch):
    """The slow way, which metrics of a user's own take, gives what the fast way gives."""
    user, ranks, rating, candidates = systems(np.random.default_rng(3))
    tables = [judged(user, rank, rating, candidates, np.full(len(user), 3.0)) for rank in ranks]
    masks = list(random_subsets(len(user), 0.5, 3, np.random.default_rng(4)))
    fast = dict(zip(*transposed(mean_metrics(tables, masks, KINDS, [2, 5])), strict=True))
    for kind in ("recall", "bpref", "infap"):
        entry = METRICS[kind]
        monkeypatch.setitem(METRICS.entries, kind, replace(entry, facts=replace(entry.facts, additive=None)))
    slow = dict(zip(*transposed(mean_metrics(tables, masks, KINDS, [2, 5])), strict=True))
    assert slow.keys() == fast.keys()
    for column, means in fast.items():
        np.testing.assert_allclose(slow[column], means, atol=1e-12, err_msg=column)


def transposed(found):
    columns, means = found
    return columns, means.transpose(1, 0, 2)


def test_threads_change_no_bit():
    user, ranks, rating, candidates = systems(np.random.default_rng(5), n_users=40)
    tables = [judged(user, rank, rating, candidates, np.full(len(user), 3.0)) for rank in ranks]
    masks = list(random_subsets(len(user), 0.7, 150, np.random.default_rng(6)))
    one, three = (mean_metrics(tables, masks, KINDS, [5, 10], threads=n)[1] for n in (1, 3))
    assert one.tobytes() == three.tobytes()


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


def whole_or(means, masks, sets):
    """All users as one block, and the masks that are asked for."""
    return [(means, 0, [masks[0] | True] if sets is None else masks[sets])]


def thinned(seed, undefined="zero", n_users=40, threads=1):
    user, ranks, rating, candidates = systems(np.random.default_rng(seed), n_users)
    tables = [judged(user, rank, rating, candidates, np.full(len(user), 3.0)) for rank in ranks]
    masks = list(random_subsets(len(user), 0.4, 5, np.random.default_rng(seed)))
    means = Means(tables, KINDS, [2, 5], undefined)
    weights = means.groups.resamples(np.random.default_rng(1), 7)
    return tables, masks, means, weights, sweep(lambda sets: whole_or(means, masks, sets), len(masks), weights, threads)


@pytest.mark.parametrize("undefined", ["zero", "drop"])
def test_tau_of_resampled_users_is_that_of_tables_with_these_users_again(undefined):
    tables, masks, means, weights, found = thinned(8, undefined)
    np.testing.assert_array_equal(means.groups.of_user, np.arange(40), "every user is a group")
    values = [
        [evaluate(Thinned(t, keep[t.order]), KINDS, [2, 5]) for t in tables] for keep in [masks[0] | True, *masks]
    ]
    for column in ("ndcg@5", "recovery@all", "rr@2"):
        place = found.columns.index(column)
        for r, weight in enumerate(weights.T.astype(int)):
            again = np.repeat(np.arange(40), weight)
            rows = [[mean_over_users(v[column][again], policy(column, undefined)).value for v in of] for of in values]
            np.testing.assert_allclose(found.resampled[:, r, place], tau_b(rows[0], rows[1:]), atol=1e-6)
        rows = [[mean_over_users(v[column], policy(column, undefined)).value for v in of] for of in values]
        np.testing.assert_allclose(found.tau[:, place], tau_b(rows[0], rows[1:]))


def test_threads_change_no_bit_of_tau():
    one, two = (thinned(9, threads=n)[-1] for n in (1, 2))
    assert one.tau.tobytes() == two.tau.tobytes()
    assert one.resampled.tobytes() == two.resampled.tobytes()


def test_order_that_turns_round_or_is_lost():
    full = np.array([[0.1, 0.2, 0.3]])
    others = np.array([[[0.1, 0.2, 0.3]], [[3, 2, 1]], [[0, 0, 0]], [[0.1, 0.2, 0.2 + 1e-15]]])
    expected = [1, -1, np.nan, 2 / np.sqrt(6)]
    np.testing.assert_allclose(tau_b(full, others)[:, 0], expected)
    found = np.empty((4, 1))
    taus(np.repeat(full[None], 4, axis=0), others, 5e-13, found)
    np.testing.assert_allclose(found[:, 0], expected)


def test_groups_of_users():
    groups = Groups.of(250)
    assert groups.sizes.sum() == 250
    assert set(groups.sizes) == {2, 3}
    assert np.bincount(groups.of_user).tolist() == groups.sizes.tolist()
    weights = groups.resamples(np.random.default_rng(0), 20)
    assert weights.shape == (100, 20)
    assert (weights.sum(axis=0) == 100).all()
    assert len(Groups.of(7).starts) == 7


def test_groups_of_some_users_are_parts_of_those_of_all():
    groups = Groups.of(250)
    for some in (slice(0, 250), slice(0, 7), slice(7, 8), slice(40, 250)):
        own, first = groups.within(some)
        np.testing.assert_array_equal(own.of_user + first, groups.of_user[some])


def test_a_random_set_in_blocks_keeps_as_many_rows_as_it_says_and_every_row_as_often():
    rows, degree = [5, 1, 0, 14], np.ones(3, int)
    sets, labels = ThinnedSets(degree, rows, 1, ("toy",)), [("sparsity", 0.35, sample) for sample in range(2000)]
    masks = [list(sets.masks(labels, block, np.zeros(n, int))) for block, n in enumerate(rows)]
    kept = np.hstack([np.array(of_block).reshape(2000, -1) for of_block in masks])
    assert (kept.sum(axis=1) == 7).all()
    np.testing.assert_allclose(kept.mean(axis=0), 0.35, atol=0.05)
    apart = np.corrcoef(kept.T)[np.triu_indices(20, 1)]
    np.testing.assert_allclose(apart, -1 / 19, atol=0.12)


def test_nobody_left_is_undefined_not_zero():
    user, ranks, rating, candidates = systems(np.random.default_rng(1))
    tables = [judged(user, rank, rating, candidates, np.full(len(user), 3.0)) for rank in ranks]
    nothing = [np.zeros(len(user), bool)]
    _, dropped = mean_metrics(tables, nothing, KINDS, [5], "drop")
    assert np.isnan(dropped).all()
    columns, (zero,) = mean_metrics(tables, nothing, KINDS, [5], "zero")
    for column, means in zip(columns, zero, strict=True):
        np.testing.assert_array_equal(means, 0 if policy(column, "zero") == "zero" else np.nan)
