"""Ratios over all ratings: contributions of users against the bootstrap, the jackknife, and simulated samples."""

import numpy as np
import pandas as pd
import pytest
from truerank.core.measured import Users, measured
from truerank.core.significance import compare_all
from truerank.meta.robustness import Means, mean_metrics, random_subsets, sweep
from truerank.metrics._core.evaluation import evaluate, join, mean_over_users, summarise
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.pooled import COUNT
from truerank.registry import METRICS

NAMES = ("mae_micro", "rmse_micro", "nmae_micro", "nrmse_micro")
DEFINED = {name: {"kind": name} for name in NAMES}
PARTS = {name: METRICS[name].facts.pooled for name in NAMES[:2]}


def sample(rng, n_users, level=1.0):
    """Draw users' sums of absolute and squared errors, and numbers of ratings as MovieLens has them.

    Those who rate more have larger errors, so the means over users and over ratings differ.
    """
    ratings = rng.geometric(0.06, n_users).clip(max=100).astype(float)
    own = level * rng.gamma(4, 0.25, n_users) * (1 + 0.1 * np.log(ratings))
    return rng.gamma(2 * ratings, own / 2), rng.gamma(ratings, 1.2 * own**2), ratings


def table_of(rng, n_users=40, bias=0.5, judged=None):
    """Return a rank table of users with 1 to 9 ratings; of the same rows as ``judged`` if that is given."""
    if judged is None:
        user = np.repeat(np.arange(n_users), rng.integers(1, 10, n_users))
        rating = rng.integers(1, 6, len(user)).astype(float)
    else:
        back = np.argsort(judged.order)
        user, rating = judged.row[back], judged.rating[back]
    predicted = np.clip(rating + rng.normal(bias, 1, len(user)), 1, 5)
    rank = np.concatenate([np.arange(1, n + 1) for n in np.bincount(user)])
    return JudgedRanks(user, rank, rating >= 4, np.full(len(user), 50), rating, predicted, scale=(1, 5))


def test_intervals_hold_the_ratio_of_all_users():
    """Nominal 95 %: in 500 samples of 120 users 93 to 97.5 % are within three standard errors of .95 or wider."""
    rng = np.random.default_rng(3)
    absolute, squared, ratings = sample(rng, 300_000)
    true = {"mae_micro": absolute.sum() / ratings.sum(), "rmse_micro": np.sqrt(squared.sum() / ratings.sum())}
    held = dict.fromkeys(true, 0)
    of_users = 0
    for _ in range(500):
        absolute, squared, ratings = sample(rng, 120)
        for name, sums in (("mae_micro", absolute), ("rmse_micro", squared)):
            mean = mean_over_users(PARTS[name].contributions(sums, ratings), "drop", 0)
            held[name] += mean.ci_low <= true[name] <= mean.ci_high
        users = mean_over_users(absolute / ratings, "drop", 0)
        of_users += users.ci_low <= true["mae_micro"] <= users.ci_high
    assert all(0.92 <= n / 500 <= 0.98 for n in held.values()), held
    assert of_users / 500 < 0.9, "the mean of users' means is another quantity"


def test_the_spread_is_that_of_the_bootstrap():
    rng = np.random.default_rng(5)
    absolute, squared, ratings = sample(rng, 400)
    again = rng.integers(400, size=(3000, 400))
    for name, sums in (("mae_micro", absolute), ("rmse_micro", squared)):
        found = PARTS[name].contributions(sums, ratings)
        assert found.mean() == pytest.approx(PARTS[name].value(sums.sum(), ratings.sum()), rel=1e-12)
        resampled = PARTS[name].value(sums[again].sum(axis=1), ratings[again].sum(axis=1))
        assert found.std() / np.sqrt(400) == pytest.approx(resampled.std(), rel=0.06)
        np.testing.assert_allclose(PARTS[name].errors_of(found, ratings), sums, rtol=1e-9)


def test_sums_of_parts_of_the_users_join_to_the_same_bytes():
    judged = table_of(np.random.default_rng(1))
    judged.prediction[judged.row == 7] = np.nan
    whole, apart = evaluate(judged, DEFINED, ["all"]), evaluate(judged, DEFINED, ["all"], apart=True)
    assert set(apart) == {f"{name}@all{end}" for name in NAMES for end in ("", COUNT)}
    joined = join(apart, DEFINED)
    assert joined.keys() == whole.keys()
    for column, values in whole.items():
        assert joined[column].tobytes() == values.tobytes()
        assert np.flatnonzero(np.isnan(values)).tolist() == [7]
    rows = judged.row != 7
    means = summarise(whole, DEFINED, ["all"])
    expected = np.abs(judged.prediction - judged.rating)[rows].mean()
    assert means["mae_micro@all"].value == pytest.approx(expected)
    assert (means["mae_micro@all"].users, means["mae_micro@all"].undefined) == (39, 1)


def test_degenerate_samples():
    for parts in PARTS.values():
        with np.errstate(all="raise"):
            assert parts.contributions(np.array([6.0]), np.array([3.0])) == pytest.approx(parts.value(6.0, 3.0))
            assert parts.contributions(np.zeros(3), np.array([1.0, 2, 3])).tolist() == [0, 0, 0]
            assert np.isnan(parts.contributions(np.full(2, np.nan), np.zeros(2))).all()


def exchanged_p(one, other, draws, rng):
    """The test written out: exchange both models' errors of some users, form the two ratios anew."""
    signs = rng.random((draws, len(one))) < 0.5
    a, b = (np.where(signs, x, y).sum(axis=1) for x, y in ((one, other), (other, one)))
    return lambda value: (np.abs(value(a) - value(b)) >= abs(value(one.sum()) - value(other.sum())) - 1e-12).mean()


@pytest.mark.parametrize("name", PARTS)
def test_p_is_that_of_exchanging_both_models_errors(name):
    rng = np.random.default_rng(8)
    ratings = np.append(rng.geometric(0.06, 60), [900, 1500]).astype(float)  # two users have most ratings
    sums = [rng.gamma(ratings, level) for level in (1.0, 1.15)]
    rows = [
        pd.DataFrame({"model": model, "user": np.arange(62), f"{name}@all": PARTS[name].contributions(own, ratings)})
        for model, own in zip("ab", sums, strict=True)
    ]
    users, tables = measured(pd.concat(rows), DEFINED, "zero", pd.Series(ratings))
    pairs, _ = compare_all(Users.of(tables, users), 20_000, np.random.default_rng(1))
    total = ratings.sum()
    expected = exchanged_p(*sums, 20_000, np.random.default_rng(2))(lambda own: PARTS[name].value(own, total))
    assert pairs["p_value"][0] == pytest.approx(expected, abs=0.012)
    difference = PARTS[name].value(sums[0].sum(), total) - PARTS[name].value(sums[1].sum(), total)
    assert pairs["difference"][0] == pytest.approx(difference)
    assert pairs["ci_low"][0] < difference < pairs["ci_high"][0]


def test_sweeps_form_the_ratio_of_what_is_left():
    rng = np.random.default_rng(2)
    first = table_of(rng)
    tables = [first, table_of(rng, bias=0.2, judged=first), table_of(rng, bias=-0.4, judged=first)]
    masks = list(random_subsets(len(first.order), 0.4, 4, rng))
    columns, found = mean_metrics(tables, masks, DEFINED, ["all"])
    for keep, of_mask in zip(masks, found, strict=True):
        for table, values in zip(tables, of_mask.T, strict=True):
            error = (table.prediction - table.rating)[keep[table.order]]
            absolute, root = np.abs(error).mean(), np.sqrt((error**2).mean())
            expected = {"mae": absolute, "rmse": root, "nmae": absolute / 4, "nrmse": root / 4}
            for column, value in zip(columns, values, strict=True):
                assert value == pytest.approx(expected[column.removesuffix("_micro@all")])
    means = Means(tables, DEFINED, ["all"])
    weights = means.groups.resamples(np.random.default_rng(1), 5)
    assert sweep(
        lambda sets: [(means, 0, [masks[0] | True] if sets is None else masks[sets])], 4, weights
    ).resampled.shape == (4, 5, 4)
    again = means.resampled(means.sums(masks[0] | True), weights)
    error = np.abs(first.prediction - first.rating)
    weight = weights[:, 0][first.row]
    assert again[0, columns.index("mae_micro@all"), 0] == pytest.approx((error * weight).sum() / weight.sum())
