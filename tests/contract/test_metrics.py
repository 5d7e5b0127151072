"""What every metric promises; a metric that is registered is tested here without editing anything."""

import inspect
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.meta.thinned import Thinned
from truerank.metrics._core.bounds import Bound
from truerank.metrics._core.evaluation import evaluate
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.listed import Catalogue, TopLists
from truerank.metrics._core.pooled import COUNT
from truerank.registry import METRICS

from tests.support import CUTOFFS, examples, judged_of, lists, relevant, tables

NEEDS = ("ranks", "predictions", "lists", "values")


def variants(entry):
    """Return the metric with its defaults, with every choice of a setting that has choices, and with some numbers."""
    yield entry, {}
    for name, schema in entry.schema["properties"].items():
        for choice in examples(schema):
            yield entry, {name: choice}


def entries(*needs):
    """Return the metrics that need one of these."""
    return [entry for entry in METRICS if entry.facts.needs in needs]


def every_variant(*needs):
    return [variant for entry in entries(*needs) for variant in variants(entry)]


RANKING, JUDGING, LISTING = every_variant("ranks"), every_variant("ranks", "predictions"), every_variant("lists")


def values_of(entry, judged, settings):
    """Return users x cut-offs, one column without a cut-off; of a metric over all ratings the users' own ratios."""
    if entry.facts.pooled:
        errors, ratings = entry.facts.pooled.sums(judged)
        return (errors / np.where(np.isnan(errors), np.nan, ratings))[:, None]
    if not entry.has_cutoff:
        return entry.make(judged, **settings)[:, None]
    return entry.make(judged, k=CUTOFFS, **settings)


PROMISES = []


def promised_by(*needs):
    """Check this of every metric that needs one of these."""

    def register(check):
        PROMISES.append((needs, check))
        return check

    return register


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.name) for entry in METRICS])
def test_every_promise_is_kept(entry, subtests):
    """On examples; properties follow, each table of which is drawn once for all metrics."""
    for needs, check in PROMISES:
        if entry.facts.needs in needs:
            with subtests.test(check.__name__):
                check(entry)


@promised_by(*NEEDS)
def it_says_what_it_is(entry):
    document = inspect.getdoc(entry.make)
    assert entry.sentence.endswith(".")
    assert ".. math::" in document, "no formula"
    assert "undefined" in document, "does not say when it is undefined"
    assert "\n\nElsewhere: " in document, "does not say how other tools differ"
    assert "\n\nSource: " in document, "names no source"
    assert isinstance(entry.facts.higher_is_better, bool)
    assert entry.facts.needs in NEEDS
    assert entry.facts.per in ("user", "system")
    low, high = entry.facts.range
    assert isinstance(high, Bound) or low < high


@promised_by("ranks")
def it_is_better_on_the_best_list_than_on_the_worst(entry):
    """Guards the test of moves against a metric that never moves."""
    best, worst = judged_of({0: (20, {1: 5, 2: 4, 3: 1})}), judged_of({0: (20, {20: 5, 19: 4, 18: 1})})
    for _, settings in variants(entry):
        gain = values_of(entry, best, settings) - values_of(entry, worst, settings)
        gain = gain if entry.facts.higher_is_better else -gain
        assert (gain >= 0).all(), settings
        assert settings or (gain[0, 1:3] if entry.has_cutoff else gain[0]).all()


@promised_by("ranks")
def a_user_is_undefined_exactly_if_it_says_so(entry):
    without, only = judged_of({5: (9, {2: 1, 3: 3})}), judged_of({5: (2, {1: 5, 2: 4})})
    for judged, words in [(without, r"no\s+relevant\s+item\b"), (only, r"only\s+relevant")]:
        stated = re.search(rf"{words}[^.]*\bundefined", inspect.getdoc(entry.make))
        undefined = np.isnan(values_of(entry, judged, {}))
        assert undefined.all() if stated else not undefined.any(), words


@promised_by("ranks", "predictions")
def no_warning_is_given_on_any_degenerate_user(entry):
    table = {0: (1, {1: 5}), 1: (1, {1: 1}), 2: (5, {5: 1}), 3: (2, {1: 5, 2: 5})}
    with np.errstate(all="raise"):
        for _, settings in variants(entry):
            assert len(values_of(entry, judged_of(table), settings)) == 4, settings


@promised_by("ranks", "predictions")
def the_table_is_left_alone(entry):
    judged = judged_of({0: (9, {1: 5, 4: 2}), 1: (5, {3: 4})})
    names = ("rank", "rating", "relevant", "candidates", "row")
    before = {name: getattr(judged, name).copy() for name in names}
    values_of(entry, judged, {})
    for name in names:
        np.testing.assert_array_equal(getattr(judged, name), before[name], err_msg=name)


@promised_by("ranks")
def without_ratings_all_that_is_relevant_is_alike(entry):
    user, rank, candidates = np.array([0, 0, 1]), np.array([2, 5, 3]), np.array([9, 9, 4])
    implicit = values_of(entry, JudgedRanks(user, rank, np.ones(3, bool), candidates), {})
    ones = {"rating": np.ones(3), "mean_rating": np.zeros(3)}
    explicit = values_of(entry, JudgedRanks(user, rank, np.ones(3, bool), candidates, **ones), {})
    assert not np.isnan(implicit).any()
    np.testing.assert_array_equal(implicit, explicit)


@promised_by("predictions")
def a_user_without_some_prediction_is_undefined_and_changes_nobody_else(entry):
    """Whatever the kernel makes of NaN, ``evaluate`` leaves the user out."""
    table = {1: (9, {1: 5, 2: 3, 7: 4}), 2: (9, {3: 4, 5: 2}), 8: (9, {1: 1, 2: 5, 4: 3})}
    whole, torn = judged_of(table), judged_of(table)
    torn.prediction[torn.row == 1] = [np.nan, 3.0]
    metrics = {"m": {"kind": entry.name}}
    before, after = (evaluate(judged, metrics, [1, 5, "all"], apart=True) for judged in (whole, torn))
    for column, values in after.items():
        assert values[1] == 0 if column.endswith(COUNT) else np.isnan(values[1])
        np.testing.assert_array_equal(values[[0, 2]], before[column][[0, 2]])


@given(table=tables())
def test_one_value_per_user_and_cutoff(table):
    judged = judged_of(table)
    for entry in entries("ranks", "predictions"):
        if entry.has_cutoff:
            assert entry.make(judged, k=CUTOFFS).shape == (len(table), len(CUTOFFS)), entry.name
            assert entry.make(judged, k=CUTOFFS[:1]).shape == (len(table), 1), entry.name
        else:
            assert entry.make(judged).shape == (len(table),), entry.name


@given(table=tables(), shift=st.integers(1, 1000), shuffle=st.integers(0, 9))
def test_codes_of_users_and_the_order_of_rows_do_not_matter(table, shift, shuffle):
    codes = {user: (user * 7919 + shift) % 100_003 for user in table}
    renamed = {codes[user]: ranks for user, ranks in table.items()}
    order = np.argsort(np.argsort([codes[user] for user in sorted(table)]))
    for entry, settings in JUDGING:
        before = values_of(entry, judged_of(table), settings)
        after = values_of(entry, judged_of(renamed, shuffle), settings)
        np.testing.assert_allclose(after[order], before, rtol=1e-12, err_msg=f"{entry.name} {settings}")


@given(table=tables())
def test_a_users_value_does_not_depend_on_other_users(table):
    for entry in entries("ranks", "predictions"):
        together = values_of(entry, judged_of(table), {})
        for row, user in enumerate(sorted(table)):
            alone = values_of(entry, judged_of({user: table[user]}), {})[0]
            np.testing.assert_allclose(alone, together[row], rtol=1e-12, err_msg=entry.name)


@given(table=tables(), data=st.data())
def test_moving_a_relevant_item_up_never_makes_a_metric_worse(table, data):
    """The item changes places with one that is unjudged or not relevant."""
    user = data.draw(st.sampled_from(sorted(table)))
    candidates, ratings = table[user]
    moves = [
        (low, high)
        for low, rating in ratings.items()
        for high in range(1, low)
        if relevant(rating) and not relevant(ratings.get(high))
    ]
    if not moves:
        return
    low, high = data.draw(st.sampled_from(moves))
    moved = {rank: rating for rank, rating in ratings.items() if rank not in (low, high)} | {high: ratings[low]}
    if high in ratings:
        moved[low] = ratings[high]
    for entry, settings in RANKING:
        before = values_of(entry, judged_of(table), settings)
        after = values_of(entry, judged_of(table | {user: (candidates, moved)}), settings)
        gain = after - before if entry.facts.higher_is_better else before - after
        assert (gain[~np.isnan(gain)] >= -1e-12).all(), (entry.name, settings)
        np.testing.assert_array_equal(np.isnan(after), np.isnan(before), err_msg=f"{entry.name} {settings}")


@given(table=tables())
def test_a_user_with_relevant_and_other_candidates_is_always_defined(table):
    n_relevant = [sum(map(relevant, table[user][1].values())) for user in sorted(table)]
    defined = [0 < n < table[user][0] for n, user in zip(n_relevant, sorted(table), strict=True)]
    for entry, settings in RANKING:
        values = values_of(entry, judged_of(table), settings)
        assert not np.isnan(values[defined]).any(), (entry.name, settings)


# Metrics of lists


def list_values(entry, listed, settings):
    """Return the metric at the cut-offs as a two-dimensional array, one row for a whole system."""
    return np.atleast_2d(entry.make(listed, k=CUTOFFS, **settings))


@given(listed=lists())
def test_one_value_per_list_and_cutoff_or_per_system_and_cutoff(listed):
    """Lists are left alone, and nothing warns."""
    item, ratings = listed.item.copy(), listed.catalogue.ratings.copy()
    for entry, settings in LISTING:
        rows = len(listed.item) if entry.facts.per == "user" else 1
        with np.errstate(all="raise"):
            assert list_values(entry, listed, settings).shape == (rows, len(CUTOFFS)), (entry.name, settings)
        np.testing.assert_array_equal(listed.item, item, err_msg=f"{entry.name} {settings}")
        assert (listed.catalogue.ratings != ratings).nnz == 0, (entry.name, settings)


@given(listed=lists(), shuffle=st.integers(0, 9))
def test_codes_of_items_and_the_order_of_users_do_not_matter(listed, shuffle):
    rng = np.random.default_rng(shuffle)
    old = listed.catalogue
    code, order = rng.permutation(old.n_items), rng.permutation(len(listed.item))
    users = rng.permutation(old.n_users)
    back = np.argsort(code)
    catalogue = Catalogue(old.ratings[back][:, users], old.attributes[back])
    judged, place = listed.judged, np.argsort(order)
    moved = JudgedRanks(
        place[judged.row], judged.rank, judged.relevant, judged.candidates[judged.row], judged.rating
    )  # user order[i] is now user i
    renamed = np.where(listed.item >= 0, code[listed.item], -1)[order]
    for entry, settings in LISTING:
        before, after = (list_values(entry, given, settings) for given in (listed, TopLists(renamed, moved, catalogue)))
        expected = before[order] if len(before) == len(order) else before
        np.testing.assert_allclose(after, expected, rtol=1e-9, err_msg=f"{entry.name} {settings}")


@given(listed=lists())
def test_a_longer_list_changes_nothing_above_the_cutoff(listed):
    longer = np.concatenate([listed.item, np.full((len(listed.item), 2), -1, listed.item.dtype)], axis=1)
    k = np.arange(1, listed.depth + 1)
    for entry, settings in LISTING:
        one, other = (
            entry.make(TopLists(item, listed.judged, listed.catalogue), k=k, **settings)
            for item in (listed.item, longer)
        )
        np.testing.assert_array_equal(one, other, err_msg=f"{entry.name} {settings}")


# Metrics of predictions


@given(table=tables(), seed=st.integers(0, 99))
def test_users_who_lost_all_their_judgements_are_undefined(table, seed):
    """As in sweeps of robustness; those who lost nothing keep their value."""
    judged = judged_of(table)
    kept = np.random.default_rng(seed).random(len(judged.users)) < 0.5
    for entry in entries("predictions"):
        left, whole = (values_of(entry, each, {}) for each in (Thinned(judged, kept[judged.row]), judged))
        np.testing.assert_allclose(left[kept], whole[kept], rtol=1e-12, err_msg=entry.name)
        assert np.isnan(left[~kept]).all(), entry.name
