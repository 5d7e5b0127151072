"""What every recommender promises; a model that is registered is tested here without editing anything.

A model whose defaults are too slow, too large or too small for toy data gets an entry in ``SETTINGS``.
"""

import inspect
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from scipy import sparse
from threadpoolctl import threadpool_limits
from truerank.artefacts.files import read_arrays, write_arrays
from truerank.blas import single_threaded_blas
from truerank.config.merging import read_defaults
from truerank.config.validation import Validator
from truerank.provenance import generator
from truerank.ranking.exact import rank_items
from truerank.ranking.order import order_key
from truerank.registry import MODELS

from tests.support import all_scores, block_train, fitted, noisy_train, relabelled, train_of

SETTINGS = {
    "ials": {"factors": 4, "iterations": 15, "regularisation": 0.1},
    "mf": {"factors": 8, "rate": 0.02, "epochs": 100},
    "pure_svd": {"factors": 3},
    "slim": {"l1": 0.1, "l2": 1.0, "tolerance": 1e-7},
    # Of neighbours that are equally near the first codes are kept, so a neighbourhood that is cut off knows the labels.
    "item_knn": {"neighbours": 200},
    "nncosngbr_user": {"shrink": 10},
    "neumf": {"factors": 4, "layers": [8, 4], "epochs": 20, "batch": 64, "rate": 0.01, "l2": 0.01},
    "multivae": {"hidden": 16, "latent": 8, "epochs": 60, "batch": 8, "rate": 0.01},
    "ncf": {"factors": 8, "layers": [16], "epochs": 40, "batch": 64, "rate": 0.01, "l2": 0.01, "negatives": 2},
    "lc_nn": {
        "factors": 8,
        "layers": [16],
        "epochs": 40,
        "batch": 64,
        "rate": 0.01,
        "l2": 0.01,
        "negatives": 2,
        "widths": [16, 32, 32, 16],
        "hidden": 64,
        "dropout": [0, 0, 0, 0],  # of the embedder
    },
    "triplet": {
        "widths": [16, 32, 32, 16],
        "hidden": 64,
        "dropout": [0, 0, 0, 0],
        "liked": 4,
        "epochs": 60,
        "batch": 16,
        "regressor_epochs": 20,
    },
}
VARIANTS = {"item_cf": [{"power": 1, "neighbours": 200}]}  # that are numbers, but change the way: recommender Z
NOT_PERSONAL = {"popularity", "random"}
NETWORKS = {"lc_nn", "multivae", "ncf", "neumf", "triplet"}
AROUND_A_MEAN = {"nncosngbr_item", "nncosngbr_user"}
# The embedder learns whom it has before it from ratings, and slowly; unrated, it learns the drawn negatives by heart.
SLOW = {("lc_nn", "convolution"): {"epochs": 1500, "rate": 0.001}}
FEW = 3  # epochs or passes, enough to see whether threads change a sum
DEGENERATE = {  # (user, item) pairs, users, items; few sizes, as a network is compiled for each
    "one pair": ([(0, 0)], 1, 1),
    "one user": ([(0, 0)], 1, 5),
    "mostly empty": ([(0, 1)], 4, 5),
    "one item": ([(0, 0), (1, 0), (2, 0)], 4, 5),
    "one history": ([(0, 0), (0, 1), (0, 2)], 4, 5),
    "everything": ([(user, item) for user in range(4) for item in range(5)], 4, 5),
    "twins": ([(0, 0), (0, 1), (1, 0), (1, 1)], 4, 5),
}
RATINGS = {"none": None, "same": 3 * np.ones(20), "differ": 1 + np.arange(20) % 5}
USES = {"interactions", "ratings", "timestamps", "users", "items"}  # what a model may say that it learns from

# Products of float32 matrices are summed in an order that depends on the size of the block.
BLOCK_TOLERANCE = 1e-5
# After relabelling, sums over users and items are in another order.
RELABEL_TOLERANCE = 1e-4
SEED_TOLERANCE = 0.2  # of a correlation


def close(one, two, tolerance):
    """Compare relative to the largest score: a difference of a last bit near zero is none."""
    scale = max(np.abs(one).max(), np.abs(two).max(), 1e-30)
    return np.abs(one - two).max() <= tolerance * scale


def alike(one, two):
    """Return the correlation of two models' scores."""
    return np.corrcoef(one.ravel(), two.ravel())[0, 1]


def lists_of(model, learnt, train, depth=100):
    """Return the top lists of all users; the first item that a user does not have serves as the test item."""
    dense = train.matrix.toarray() > 0
    users = np.flatnonzero(~dense.all(axis=1))
    tests = np.argmin(dense[users], axis=1)
    key = order_key(generator(0, "contract"))
    ranking = rank_items(lambda block: model.scores(learnt, train, block), train.matrix, users, tests, key, depth=depth)
    return users, ranking.list_item


LEARNERS = [entry for entry in MODELS if not entry.facts.inputs]


def choices(entry):
    """Yield the settings that choose another way than the default: each other word, and each switch turned over."""
    for name, parameter in entry.settings.items():
        form = entry.schema["properties"][name]
        words = [False, True] if form.get("type") == "boolean" else form.get("enum", [])
        yield from ({name: word} for word in words if word != parameter.default)
    yield from VARIANTS.get(entry.name, [])


def cases():
    """Every model that learns, through the registry; what others trained is read in tests/unit/stages."""
    for entry in LEARNERS:
        yield pytest.param(entry, {}, id=entry.name)
        for chosen in choices(entry):
            label = ", ".join(f"{name} {value}" for name, value in chosen.items())
            yield pytest.param(entry, chosen, id=f"{entry.name}, {label}")


def test_variants_of_the_defaults_are_cases():
    """What workflow/truerank/config/defaults.yaml defines by words, switches or a cut is among the cases."""
    tested = [(case.values[0].name, case.values[1]) for case in cases()]
    for name, definition in read_defaults()["models"].items():
        entry = MODELS.of(definition)
        words = {key: value for key, value in definition.items() if key in entry.settings}
        words = {key: value for key, value in words.items() if isinstance(value, str | bool)}
        words = {key: value for key, value in words.items() if value != entry.settings[key].default}
        for key, value in words.items():
            assert (entry.name, {key: value}) in tested, name


# What it says of itself


def test_it_says_what_it_is():
    for entry in LEARNERS:
        assert entry.make.__doc__, f"{entry.name}: no docstring"
        assert entry.sentence.endswith("."), entry.name
        assert {*entry.facts.uses, *entry.facts.uses_with} <= USES, entry.name
        for setting, values in entry.facts.uses_with.values():
            assert all(Validator(entry.schema["properties"][setting]).is_valid(value) for value in values), entry.name
        assert isinstance(entry.facts.predicts_ratings, bool), entry.name
        for fact in ("time", "memory"):
            assert isinstance(getattr(entry.facts, fact), str), f"{entry.name}: {fact}"
            assert getattr(entry.facts, fact), f"{entry.name}: {fact}"
        for setting, (other, values) in entry.facts.only_with.items():
            assert setting in entry.settings, entry.name
            assert all(Validator(entry.schema["properties"][other]).is_valid(value) for value in values), entry.name


def test_its_settings_have_types_and_ranges():
    for entry in LEARNERS:
        properties = entry.schema["properties"]
        for name, parameter in entry.settings.items():
            assert {"type", "enum", "anyOf"} & properties[name].keys(), f"{entry.name}: {name} has no annotation"
            if parameter.default is not inspect.Parameter.empty:
                default = list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
                assert Validator(properties[name]).is_valid(default), f"{entry.name}: {name}"
        parameters = inspect.signature(entry.make).parameters.values()
        assert {p.name for p in parameters if p.kind is p.KEYWORD_ONLY} == set(entry.settings), entry.name
        assert all(p.kind is p.KEYWORD_ONLY for p in parameters), f"{entry.name}: settings are keyword-only"


# What it does


class Case:
    """A model with some settings, and what it learns from data with and without ratings, for all checks together."""

    def __init__(self, entry, chosen):
        self.entry, self.chosen, self.settings = entry, chosen, SETTINGS.get(entry.name, {}) | chosen
        self.slow = SLOW.get((entry.name, *chosen.values()), {})
        self.model = self.make()
        self.before = dict(vars(self.model))
        self.train = {rated: noisy_train(rating=rated) for rated in (False, True)}
        np.random.seed(1)
        self.learnt = {rated: fitted(self.model, train) for rated, train in self.train.items()}
        self.scores = {rated: all_scores(self.model, self.learnt[rated], self.train[rated]) for rated in (False, True)}

    def make(self, **more):
        return self.entry.make(**self.settings | more)


PROMISES = []


def promise(check):
    """Check this of every case."""
    PROMISES.append(check)
    return check


@pytest.mark.parametrize(("entry", "chosen"), list(cases()))
def test_every_promise_is_kept(entry, chosen, subtests):
    """With default settings and with each other choice that there is; trained once, as training is what takes time."""
    case = Case(entry, chosen)
    for check in PROMISES:
        with subtests.test(check.__name__):
            check(case)


@promise
def scores_are_finite_float32_users_by_items(case):
    """Also for an item that nobody has, a user with one interaction and a user with none, which this data has."""
    for rated, train in case.train.items():
        for users in (np.arange(train.n_users), np.array([3]), np.array([5, 2, 39])):
            scores = case.model.scores(case.learnt[rated], train, users)
            assert isinstance(scores, np.ndarray)
            assert not isinstance(scores, np.matrix)
            assert scores.shape == (len(users), train.n_items)
            assert scores.dtype == np.float32
            assert np.isfinite(scores).all()


@promise
def scores_of_some_items_are_those_of_all(case):
    """Also for users with one interaction and none, asked for several times, an item that nobody has, and items
    asked for twice or alone."""
    users = np.array([5, 2, 39, 2, 38])
    for rated, train in case.train.items():
        items = np.random.default_rng(1).integers(train.n_items, size=(5, 50))
        items[:, :2] = train.n_items - 1
        whole = case.model.scores(case.learnt[rated], train, users)
        for wanted in (items, items[:, :1], items[:, 2:3]):
            asked = case.model.scores_of(case.learnt[rated], train, users, wanted)
            assert asked.dtype == np.float32
            assert close(np.take_along_axis(whole, wanted, axis=1), asked, BLOCK_TOLERANCE)


@promise
def scores_need_only_the_users_own_rows_if_it_says_so(case):
    if case.model.needs_only_own_history:
        train, learnt, users = case.train[False], case.learnt[False], np.arange(10, 20)
        own = np.isin(train.user, users)
        alone = replace(train, user=train.user[own], item=train.item[own])
        np.testing.assert_array_equal(case.model.scores(learnt, alone, users), case.model.scores(learnt, train, users))


@promise
def scores_are_in_a_new_array(case):
    scores = all_scores(case.model, case.learnt[False], case.train[False])
    assert not any(np.shares_memory(scores, np.asarray(array)) for array in case.learnt[False].values())
    scores[:] = np.nan
    np.testing.assert_array_equal(all_scores(case.model, case.learnt[False], case.train[False]), case.scores[False])


@promise
def scores_do_not_depend_on_how_users_are_cut_into_blocks(case):
    model, train, learnt, together = case.model, case.train[False], case.learnt[False], case.scores[False]
    for size in (1, 7, 39):
        cuts = [np.arange(start, min(start + size, 40)) for start in range(0, 40, size)]
        apart = np.concatenate([model.scores(learnt, train, users) for users in cuts])
        assert close(together, apart, BLOCK_TOLERANCE), size
    order = np.random.default_rng(0).permutation(40)
    assert close(together[order], model.scores(learnt, train, order), BLOCK_TOLERANCE)
    twice = model.scores(learnt, train, np.array([4, 4]))
    np.testing.assert_array_equal(twice[0], twice[1])


@promise
def lists_have_no_training_item_and_no_item_twice(case):
    train = case.train[False]
    users, lists = lists_of(case.model, case.learnt[False], train)
    assert len(users) == train.n_users
    for user, items in zip(users, lists, strict=True):
        listed = items[items >= 0]
        assert len(set(listed.tolist())) == len(listed)
        assert not np.isin(listed, train.item[train.user == user]).any()
        assert len(listed) == train.n_items - (train.user == user).sum(), "a finite score is always listed"


@promise
def what_is_saved_is_what_was_trained(case):
    with TemporaryDirectory() as folder:
        write_arrays(Path(folder) / "model.npz", case.learnt[False])
        loaded = read_arrays(Path(folder) / "model.npz")
    assert list(loaded) == list(case.learnt[False])
    np.testing.assert_array_equal(all_scores(case.make(), loaded, case.train[False]), case.scores[False])


@promise
def it_learns_from_what_it_says(case):
    """A model that says it uses nothing gives the same on other data; one that uses no ratings ignores them."""
    facts = case.entry.facts
    chosen = case.entry.defaults | case.settings
    uses = {*facts.uses, *(what for what, (setting, values) in facts.uses_with.items() if chosen[setting] in values)}
    assert np.array_equal(case.scores[True], case.scores[False]) == ("ratings" not in uses)
    other = noisy_train(seed=2)
    assert np.array_equal(all_scores(case.model, fitted(case.model, other), other), case.scores[False]) == (not uses)


@promise
def relabelling_users_and_items_relabels_the_scores(case):
    """To rounding where the seed changes no more than that. The draws of other models belong to the codes, so that
    labels are to them what the seed is, and may change the scores as much, not more."""
    for rated, train in case.train.items():
        rng = np.random.default_rng(3)
        user_code, item_code = rng.permutation(train.n_users), rng.permutation(train.n_items)
        other = relabelled(train, user_code, item_code)
        before, reseeded = case.scores[rated], all_scores(case.model, fitted(case.model, train, seed=8), train)
        after = all_scores(case.model, fitted(case.model, other), other)[user_code][:, item_code]
        if close(before, reseeded, RELABEL_TOLERANCE):
            assert close(before, after, RELABEL_TOLERANCE)
        else:
            assert alike(before, after) > alike(before, reseeded) - SEED_TOLERANCE


@promise
def a_personal_model_puts_the_users_own_block_first(case):
    """Blocks of users who have blocks of items, two of them held back: these two are the answer.

    A model that predicts ratings cannot know what it was never told of, so it also has what users rate low.
    So has one that adds up what ratings are above a mean.
    """
    name, model = case.entry.name, case.make(**case.slow)
    cases = [(True, "shuffled")] if case.slow else product((False, True), ("in order", "shuffled"))
    for rated, labels in cases:
        disliked = 3 if rated and (case.entry.facts.predicts_ratings or name in AROUND_A_MEAN) else 0
        train, user_block, item_block = block_train(rating=rated, disliked=disliked)
        if labels == "shuffled":
            rng = np.random.default_rng(4)
            user_code, item_code = rng.permutation(train.n_users), rng.permutation(train.n_items)
            train = relabelled(train, user_code, item_code)
            user_block, item_block = user_block[np.argsort(user_code)], item_block[np.argsort(item_code)]
        users, lists = lists_of(model, fitted(model, train), train)
        own = item_block[lists[:, :2]] == user_block[users][:, None]
        if name in NOT_PERSONAL:
            assert not own.all(), "a model that does not know the user cannot get this right"
        else:
            assert own.all(), f"{labels}, {'rated' if rated else 'not rated'}"


@promise
def degenerate_data_give_finite_scores(case):
    for (what, (pairs, n_users, n_items)), (how, rating) in product(DEGENERATE.items(), RATINGS.items()):
        rating = None if rating is None else rating[: len(pairs)].astype(np.float32)
        train = train_of(pairs, n_users, n_items, rating)
        scores = all_scores(case.model, fitted(case.model, train), train)
        assert scores.shape == (n_users, n_items), f"{what}, ratings: {how}"
        assert np.isfinite(scores).all(), f"{what}, ratings: {how}"


@promise
def threads_change_no_byte(case):
    """As a job runs it: BLAS on one thread whatever the machine offers, OpenMP on as many as there are.

    Networks with default settings alone: one loop trains them all, and compiling it for another size takes long.
    """
    if case.chosen and case.entry.name in NETWORKS:
        return
    train = noisy_train(300, 200)
    few = {name: FEW for name in ("epochs", "regressor_epochs", "passes") if name in case.entry.settings}
    results = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads), single_threaded_blas():
            model = case.make(**few)
            learnt = fitted(model, train)
            results.append((learnt, all_scores(model, learnt, train)))
    (one, one_scores), (two, two_scores) = results
    for name in one:
        assert np.asarray(one[name]).tobytes() == np.asarray(two[name]).tobytes(), name
    assert one_scores.tobytes() == two_scores.tobytes()


@promise
def it_holds_no_state_besides_its_settings(case):
    assert vars(case.model) == case.before


@promise
def training_data_are_left_alone(case):
    for rated, train in case.train.items():
        fresh = noisy_train(rating=rated)
        assert (train.user == fresh.user).all()
        assert (train.item == fresh.item).all()
        assert (train.context == fresh.context).all()
        assert train.rating is fresh.rating is None or (train.rating == fresh.rating).all()
        assert (train.matrix != fresh.matrix).nnz == 0


@promise
def the_same_seed_gives_the_same_arrays_whatever_the_global_random_state(case):
    """That state is not changed either; nor has any check before changed what was learnt."""
    np.random.seed(2)
    before = np.random.get_state()[1].copy()
    for rated, one in case.learnt.items():
        two = fitted(case.make(), noisy_train(rating=rated))
        assert list(one) == list(two)
        for name in one:
            assert np.asarray(one[name]).dtype == np.asarray(two[name]).dtype
            np.testing.assert_array_equal(one[name], two[name], err_msg=name)
    assert (np.random.get_state()[1] == before).all()


def test_sparse_training_data_are_binary():
    train = noisy_train(rating=True)
    assert sparse.issparse(train.matrix)
    assert set(train.matrix.data.tolist()) == {1.0}
    assert (train.degree == train.matrix.sum(axis=0).A1).all()
