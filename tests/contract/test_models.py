"""What every recommender promises; a model that is registered is tested here without editing anything.

A model whose defaults are too slow, too large or too small for toy data gets an entry in ``SETTINGS``.
"""

import inspect
from dataclasses import replace

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
    "bpr": {"factors": 8, "epochs": 200},
    "ials": {"factors": 4, "iterations": 15, "regularisation": 0.1},
    "lda": {"topics": 3, "passes": 20, "batch": 8},
    "mf": {"factors": 8, "rate": 0.02, "epochs": 100},
    "plsa": {"topics": 3, "iterations": 50},
    "pure_svd": {"factors": 3},
    "slim": {"l1": 0.1, "l2": 1.0, "tolerance": 1e-7},
    "svd": {"factors": 8, "rate": 0.02, "epochs": 100},
    # Of neighbours that are equally near the first codes are kept, so a neighbourhood that is cut off knows the labels.
    "item_knn": {"neighbours": 200},
    "lm_wsr_item": {"neighbours": 200},
    "nncosngbr_item": {"shrink": 10},
    "nncosngbr_user": {"shrink": 10},
    "neumf": {"factors": 4, "layers": [8, 4], "epochs": 20, "batch": 64, "rate": 0.01, "l2": 0.01},
    "multivae": {"hidden": 16, "latent": 8, "epochs": 60, "batch": 8, "rate": 0.01},
    "ncf": {"factors": 8, "layers": [16], "epochs": 40, "batch": 64, "rate": 0.01, "l2": 0.01, "negatives": 2},
    "lc_nn": {"factors": 8, "layers": [16], "epochs": 40, "batch": 64, "rate": 0.01, "l2": 0.01, "negatives": 2},
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
AROUND_A_MEAN = {"nncosngbr_item", "nncosngbr_user"}
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


LEARNERS = [pytest.param(entry, id=entry.name) for entry in MODELS if not entry.facts.inputs]


def choices(entry):
    """Yield the settings that choose another way than the default: each other word, and each switch turned over."""
    for name, parameter in entry.settings.items():
        form = entry.schema["properties"][name]
        words = [False, True] if form.get("type") == "boolean" else form.get("enum", [])
        yield from ({name: word} for word in words if word != parameter.default)
    yield from VARIANTS.get(entry.name, [])


def cases():
    """Every model that learns, through the registry; what others trained is read in tests/unit/stages."""
    for (entry,) in (learner.values for learner in LEARNERS):
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


@pytest.mark.parametrize(("entry", "chosen"), list(cases()))
class TestModel:
    """What every model promises, with its default settings and with each other choice that it has."""

    def make(self, entry, chosen):
        return entry.make(**SETTINGS.get(entry.name, {}) | chosen)

    # What it says of itself

    def test_it_says_what_it_is(self, entry, chosen):
        assert entry.make.__doc__, "no docstring"
        assert entry.sentence.endswith(".")
        assert set(entry.facts.uses) <= USES
        assert isinstance(entry.facts.predicts_ratings, bool)
        for fact in ("time", "memory"):
            assert isinstance(getattr(entry.facts, fact), str), fact
            assert getattr(entry.facts, fact), fact
        for setting, (other, values) in entry.facts.only_with.items():
            assert setting in entry.settings
            assert all(Validator(entry.schema["properties"][other]).is_valid(value) for value in values)

    def test_it_says_rightly_that_scores_need_only_the_users_own_rows(self, entry, chosen):
        model, train, users = self.make(entry, chosen), noisy_train(), np.arange(10, 20)
        if not model.needs_only_own_history:
            pytest.skip("its scores need other users' rows")
        own = np.isin(train.user, users)
        alone = replace(train, user=train.user[own], item=train.item[own])
        learnt = fitted(model, train)
        np.testing.assert_array_equal(model.scores(learnt, alone, users), model.scores(learnt, train, users))

    def test_its_settings_have_types_and_ranges(self, entry, chosen):
        properties = entry.schema["properties"]
        for name, parameter in entry.settings.items():
            assert {"type", "enum", "anyOf"} & properties[name].keys(), f"setting {name} has no annotation"
            if parameter.default is not inspect.Parameter.empty:
                default = list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
                assert Validator(properties[name]).is_valid(default), name
        parameters = inspect.signature(entry.make).parameters.values()
        assert {p.name for p in parameters if p.kind is p.KEYWORD_ONLY} == set(entry.settings)
        assert all(p.kind is p.KEYWORD_ONLY for p in parameters), "settings are keyword-only"

    def test_it_holds_no_state_besides_its_settings(self, entry, chosen):
        model, train = self.make(entry, chosen), noisy_train()
        before = dict(vars(model))
        all_scores(model, fitted(model, train), train)
        assert vars(model) == before

    # What it learns

    def test_the_same_seed_gives_the_same_arrays(self, entry, chosen):
        train = noisy_train(rating=True)
        one, two = fitted(self.make(entry, chosen), train), fitted(self.make(entry, chosen), train)
        assert list(one) == list(two)
        for name in one:
            assert np.asarray(one[name]).dtype == np.asarray(two[name]).dtype
            np.testing.assert_array_equal(one[name], two[name], err_msg=name)

    def test_global_random_state_is_neither_used_nor_changed(self, entry, chosen):
        train = noisy_train()
        np.random.seed(1)
        one = fitted(self.make(entry, chosen), train)
        np.random.seed(2)
        before = np.random.get_state()[1].copy()
        two = fitted(self.make(entry, chosen), train)
        assert (np.random.get_state()[1] == before).all()
        for name in one:
            np.testing.assert_array_equal(one[name], two[name], err_msg=name)

    def test_training_data_are_left_alone(self, entry, chosen):
        train = noisy_train(rating=True)
        before = train.user.copy(), train.item.copy(), train.rating.copy(), train.matrix.copy()
        model = self.make(entry, chosen)
        all_scores(model, fitted(model, train), train)
        assert (train.user == before[0]).all()
        assert (train.item == before[1]).all()
        assert (train.rating == before[2]).all()
        assert (train.matrix != before[3]).nnz == 0

    def test_threads_change_no_byte(self, entry, chosen):
        """As a job runs it: BLAS on one thread whatever the machine offers, OpenMP on as many as there are."""
        train = noisy_train(300, 200)
        results = []
        for threads in (1, 2):
            with threadpool_limits(limits=threads), single_threaded_blas():
                model = self.make(entry, chosen)
                learnt = fitted(model, train)
                results.append((learnt, all_scores(model, learnt, train)))
        (one, one_scores), (two, two_scores) = results
        for name in one:
            assert np.asarray(one[name]).tobytes() == np.asarray(two[name]).tobytes(), name
        assert one_scores.tobytes() == two_scores.tobytes()

    def test_what_is_saved_is_what_was_trained(self, entry, chosen, tmp_path):
        model, train = self.make(entry, chosen), noisy_train()
        learnt = fitted(model, train)
        write_arrays(tmp_path / "model.npz", learnt)
        loaded = read_arrays(tmp_path / "model.npz")
        assert list(loaded) == list(learnt)
        np.testing.assert_array_equal(
            all_scores(self.make(entry, chosen), loaded, train), all_scores(model, learnt, train)
        )

    # How it scores

    @pytest.mark.parametrize("rating", [False, True], ids=["implicit", "explicit"])
    def test_scores_are_finite_float32_users_by_items(self, entry, chosen, rating):
        """Also for an item that nobody has, a user with one interaction and a user with none, which this data has."""
        train = noisy_train(rating=rating)
        model = self.make(entry, chosen)
        learnt = fitted(model, train)
        for users in (np.arange(train.n_users), np.array([3]), np.array([5, 2, 39])):
            scores = model.scores(learnt, train, users)
            assert isinstance(scores, np.ndarray)
            assert not isinstance(scores, np.matrix)
            assert scores.shape == (len(users), train.n_items)
            assert scores.dtype == np.float32
            assert np.isfinite(scores).all()

    @pytest.mark.parametrize("rating", [False, True], ids=["implicit", "explicit"])
    def test_scores_of_some_items_are_those_of_all(self, entry, chosen, rating):
        """Also for users with one interaction and none, asked for several times, an item that nobody has, and items
        asked for twice or alone."""
        model, train = self.make(entry, chosen), noisy_train(rating=rating)
        learnt = fitted(model, train)
        users = np.array([5, 2, 39, 2, 38])
        items = np.random.default_rng(1).integers(train.n_items, size=(5, 50))
        items[:, :2] = train.n_items - 1
        whole = model.scores(learnt, train, users)
        for wanted in (items, items[:, :1], items[:, 2:3]):
            asked = model.scores_of(learnt, train, users, wanted)
            assert asked.dtype == np.float32
            assert close(np.take_along_axis(whole, wanted, axis=1), asked, BLOCK_TOLERANCE)

    def test_scores_are_in_a_new_array(self, entry, chosen):
        model, train = self.make(entry, chosen), noisy_train()
        learnt = fitted(model, train)
        scores = all_scores(model, learnt, train)
        before = scores.copy()
        assert not any(np.shares_memory(scores, np.asarray(array)) for array in learnt.values())
        scores[:] = np.nan
        np.testing.assert_array_equal(all_scores(model, learnt, train), before)

    def test_scores_do_not_depend_on_how_users_are_cut_into_blocks(self, entry, chosen):
        model, train = self.make(entry, chosen), noisy_train()
        learnt = fitted(model, train)
        together = all_scores(model, learnt, train)
        for size in (1, 7, 39):
            cuts = [np.arange(start, min(start + size, 40)) for start in range(0, 40, size)]
            apart = np.concatenate([model.scores(learnt, train, users) for users in cuts])
            assert close(together, apart, BLOCK_TOLERANCE)
        order = np.random.default_rng(0).permutation(40)
        assert close(together[order], model.scores(learnt, train, order), BLOCK_TOLERANCE)
        twice = model.scores(learnt, train, np.array([4, 4]))
        np.testing.assert_array_equal(twice[0], twice[1])

    def test_lists_have_no_training_item_and_no_item_twice(self, entry, chosen):
        model, train = self.make(entry, chosen), noisy_train()
        users, lists = lists_of(model, fitted(model, train), train)
        assert len(users) == train.n_users
        for user, items in zip(users, lists, strict=True):
            listed = items[items >= 0]
            assert len(set(listed.tolist())) == len(listed)
            assert not np.isin(listed, train.item[train.user == user]).any()
            assert len(listed) == train.n_items - (train.user == user).sum(), "a finite score is always listed"

    @pytest.mark.parametrize(
        ("pairs", "n_users", "n_items"),
        [
            ([(0, 0)], 1, 1),
            ([(0, 0)], 1, 2),
            ([(0, 1)], 3, 4),
            ([(0, 0), (1, 0), (2, 0)], 3, 2),
            ([(0, 0), (0, 1), (0, 2)], 2, 4),
            ([(user, item) for user in range(4) for item in range(5)], 4, 5),
            ([(0, 0), (0, 1), (1, 0), (1, 1)], 2, 3),
        ],
        ids=["one pair", "one user", "mostly empty", "one item", "one history", "everything", "twins"],
    )
    @pytest.mark.parametrize("rating", [None, 3 * np.ones(20), 1 + np.arange(20) % 5], ids=["none", "same", "differ"])
    def test_degenerate_data_give_finite_scores(self, entry, chosen, pairs, n_users, n_items, rating):
        rating = None if rating is None else rating[: len(pairs)].astype(np.float32)
        train = train_of(pairs, n_users, n_items, rating)
        model = self.make(entry, chosen)
        scores = all_scores(model, fitted(model, train), train)
        assert scores.shape == (n_users, n_items)
        assert np.isfinite(scores).all()

    # What it may not depend on

    @pytest.mark.parametrize("rating", [False, True], ids=["implicit", "explicit"])
    def test_relabelling_users_and_items_relabels_the_scores(self, entry, chosen, rating):
        """To rounding where the seed changes no more than that. The draws of other models belong to the codes, so that
        labels are to them what the seed is, and may change the scores as much, not more."""
        train = noisy_train(rating=rating)
        rng = np.random.default_rng(3)
        user_code, item_code = rng.permutation(train.n_users), rng.permutation(train.n_items)
        other = relabelled(train, user_code, item_code)
        model = self.make(entry, chosen)
        before, reseeded = (all_scores(model, fitted(model, train, seed), train) for seed in (7, 8))
        after = all_scores(model, fitted(model, other), other)[user_code][:, item_code]
        if close(before, reseeded, RELABEL_TOLERANCE):
            assert close(before, after, RELABEL_TOLERANCE)
        else:
            assert alike(before, after) > alike(before, reseeded) - SEED_TOLERANCE

    @pytest.mark.parametrize("labels", ["in order", "shuffled"])
    @pytest.mark.parametrize("rating", [False, True], ids=["implicit", "explicit"])
    def test_a_personal_model_puts_the_users_own_block_first(self, entry, chosen, labels, rating):
        """Blocks of users who have blocks of items, two of them held back: these two are the answer.

        A model that predicts ratings cannot know what it was never told of, so it also has what users rate low.
        So has one that adds up what ratings are above a mean.
        """
        disliked = 3 if rating and (entry.facts.predicts_ratings or entry.name in AROUND_A_MEAN) else 0
        train, user_block, item_block = block_train(rating=rating, disliked=disliked)
        if labels == "shuffled":
            rng = np.random.default_rng(4)
            user_code, item_code = rng.permutation(train.n_users), rng.permutation(train.n_items)
            train = relabelled(train, user_code, item_code)
            user_block, item_block = user_block[np.argsort(user_code)], item_block[np.argsort(item_code)]
        model = self.make(entry, chosen)
        users, lists = lists_of(model, fitted(model, train), train)
        own = item_block[lists[:, :2]] == user_block[users][:, None]
        if entry.name in NOT_PERSONAL:
            assert not own.all(), "a model that does not know the user cannot get this right"
        else:
            assert own.all()

    def test_it_learns_from_what_it_says(self, entry, chosen):
        """A model that says it uses nothing gives the same on other data; one that uses no ratings ignores them."""
        model, rated = self.make(entry, chosen), noisy_train(rating=True)
        scores = all_scores(model, fitted(model, rated), rated)
        implicit = noisy_train()
        without = all_scores(model, fitted(model, implicit), implicit)
        assert np.array_equal(scores, without) == ("ratings" not in entry.facts.uses)
        other = noisy_train(seed=2)
        assert np.array_equal(all_scores(model, fitted(model, other), other), without) == (not entry.facts.uses)


def test_sparse_training_data_are_binary():
    train = noisy_train(rating=True)
    assert sparse.issparse(train.matrix)
    assert set(train.matrix.data.tolist()) == {1.0}
    assert (train.degree == train.matrix.sum(axis=0).A1).all()
