"""Training and ranking from files to files."""

import numpy as np
import pandas as pd
import pytest
from truerank.artefacts.files import read_arrays, read_table, write_arrays, write_table
from truerank.artefacts.split import Split
from truerank.errors import UserError
from truerank.models.popularity import Popularity
from truerank.provenance import generator
from truerank.ranking.order import order_key
from truerank.stages.rank_shard import rank_shard
from truerank.stages.train_model import train_model

from tests.ranked import Case, python_hash
from tests.support import run_stage

TRAIN = [(0, 0), (0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (3, 5)]
TEST = {(0, 2): 5, (0, 6): 1, (1, 1): 4, (2, 5): 3}
N_USERS, N_ITEMS, SEED = 5, 8, 99


class Files:
    """A split of five users and eight items in a folder: an item that nobody has, and a user with nothing at all."""

    def __init__(self, folder, rated=True):
        self.folder = folder
        pairs = np.array(sorted(TRAIN), np.int32)
        rating = np.full(len(pairs), 3 if rated else np.nan, np.float32)
        write_table(folder / "train", pd.DataFrame({"user": pairs[:, 0], "item": pairs[:, 1], "rating": rating}))
        pairs = np.array(sorted(TEST), np.int32)
        rating = np.array([TEST[pair] if rated else np.nan for pair in sorted(TEST)], np.float32)
        write_table(folder / "test", pd.DataFrame({"user": pairs[:, 0], "item": pairs[:, 1], "rating": rating}))
        for name, n in (("users", N_USERS), ("items", N_ITEMS)):
            write_table(
                folder / name, pd.DataFrame({"code": np.arange(n, dtype=np.int32), "id": [str(i) for i in range(n)]})
            )

    def __getitem__(self, name):
        return self.folder / name

    @property
    def split(self):
        return {"train": self["train"], "test": self["test"], "user_table": self["users"], "item_table": self["items"]}

    def train(self, definition, names=("toy", "holdout", "mine"), seed=SEED):
        outputs = {name: self[name] for name in ("model", "training")}
        run_stage(train_model, self.split | {"tuning": []}, outputs, names, model=definition, seed=seed)
        return read_arrays(self["model"])

    def rank(self, definition, ties="random", names=("toy", "holdout", "mine"), seed=SEED, threads=1, depth=100):
        settings = {"model": definition, "ties": ties, "depth": depth, "seed": seed, "shards": 1}
        settings["candidates"] = "unseen"
        outputs = {"rank_shards": self["ranks"], "list_shards": self["lists"]}
        run_stage(rank_shard, self.split | {"model": self["model"]}, outputs, (*names, "0"), threads, **settings)
        return read_table(self["ranks"]), read_table(self["lists"])


@pytest.fixture
def files(tmp_path):
    return Files(tmp_path)


def test_lists_are_as_long_as_asked(files):
    files.train({"kind": "popularity"})
    ranks, whole = files.rank({"kind": "popularity"})
    same_ranks, short = files.rank({"kind": "popularity"}, depth=2)
    pd.testing.assert_frame_equal(ranks, same_ranks)
    pd.testing.assert_frame_equal(short, whole[whole["position"] <= 2].reset_index(drop=True))


@pytest.mark.parametrize("ties", ["random", "optimistic", "pessimistic"])
def test_ranks_and_lists_of_popularity_by_sorting(files, ties):
    files.train({"kind": "popularity"})
    ranks, lists = files.rank({"kind": "popularity"}, ties)
    degree = np.bincount([item for _, item in TRAIN], minlength=N_ITEMS).astype(float)
    mask = np.zeros((N_USERS, N_ITEMS), bool)
    mask[tuple(np.array(TRAIN).T)] = True
    case = Case(np.tile(degree, (N_USERS, 1)), mask, TEST)
    key = int(order_key(generator(SEED, "rank_items", "toy", "holdout")))
    for row in ranks.itertuples():
        order = case.order(row.user, ties, key)
        assert row.above + row.before == order.index(row.item)
        assert row.candidates == len(order) == N_ITEMS - mask[row.user].sum()
        assert row.score == degree[row.item]
    for user, listed in lists.groupby("user"):
        assert listed["item"].tolist() == case.order(user, ties, key)
        assert listed["position"].tolist() == list(range(1, len(listed) + 1))
        assert (listed["score"] == degree[listed["item"]]).all()


def test_tables_have_the_columns_of_the_design_and_small_types(files):
    files.train({"kind": "popularity"})
    ranks, lists = files.rank({"kind": "popularity"})
    assert {"user", "item", "rating", "score", "above", "tied", "candidates"} <= set(ranks)
    assert list(lists) == ["user", "position", "item", "score"]
    for table in (ranks, lists):
        assert set(table.dtypes.astype(str)) <= {"int32", "float32"}
    assert list(zip(ranks["user"], ranks["item"], strict=True)) == sorted(TEST)


def test_an_item_that_nobody_has_in_training_is_ranked(files):
    files.train({"kind": "popularity"})
    ranks, _ = files.rank({"kind": "popularity"}, "pessimistic")
    row = ranks[(ranks["user"] == 0) & (ranks["item"] == 6)].iloc[0]
    assert row["above"] == 2
    assert row["tied"] == 3
    assert row["before"] == 3


def test_a_model_that_yields_nan_is_named_and_leaves_earlier_tables(files):
    files.train({"kind": "popularity"})
    files.rank({"kind": "popularity"})
    before = files["ranks"].read_bytes(), files["lists"].read_bytes()
    write_arrays(files["model"], {"degree": np.full(N_ITEMS, np.nan, np.float32)})
    with pytest.raises(UserError) as caught:
        files.rank({"kind": "popularity"}, names=("toy", "holdout", "most liked"))
    assert str(caught.value) == (
        "model 'most liked' (popularity) cannot be ranked on toy/holdout: the model gives user code 0 a score that is "
        "not a finite number; change its settings or leave it out of the config's select"
    )
    assert (files["ranks"].read_bytes(), files["lists"].read_bytes()) == before


def test_threads_change_no_byte(files, monkeypatch):

    files.train({"kind": "ials", "factors": 2})
    files.rank({"kind": "ials", "factors": 2})
    before = files["ranks"].read_bytes(), files["lists"].read_bytes()
    files.rank({"kind": "ials", "factors": 2}, threads=3)
    assert (files["ranks"].read_bytes(), files["lists"].read_bytes()) == before


def test_the_order_of_ties_is_the_same_for_all_models_and_changes_with_split_and_seed(files):
    files.train({"kind": "popularity"})
    write_arrays(files["model"], {"degree": np.zeros(N_ITEMS, np.float32)})
    _, one = files.rank({"kind": "popularity"}, names=("toy", "holdout", "a"))
    _, same = files.rank({"kind": "popularity"}, names=("toy", "holdout", "b"))
    pd.testing.assert_frame_equal(one, same)
    for names, seed in ((("toy", "other", "a"), SEED), (("other", "holdout", "a"), SEED), (("toy", "holdout", "a"), 1)):
        _, other = files.rank({"kind": "popularity"}, names=names, seed=seed)
        assert one["item"].tolist() != other["item"].tolist()
    key = int(order_key(generator(SEED, "rank_items", "toy", "holdout")))
    candidates = sorted(set(range(N_ITEMS)) - {0, 1}, key=lambda item: python_hash(key, 0, item))
    assert one[one["user"] == 0]["item"].tolist() == candidates


def test_training_draws_from_a_generator_of_its_own(files):
    definition = {"kind": "ials", "factors": 2}
    one = files.train(definition)["users"]
    assert (files.train(definition)["users"] == one).all()
    for names, seed in ((("toy", "holdout", "other"), SEED), (("toy", "holdout", "mine"), 1)):
        assert (files.train(definition, names, seed)["users"] != one).any()


def test_training_rows_are_read_with_the_whole_catalogue(files, tmp_path):
    train = Split(files["train"], files["users"], files["items"]).history()
    assert (train.n_users, train.n_items) == (N_USERS, N_ITEMS)
    assert train.rating.tolist() == [3] * len(TRAIN)
    (tmp_path / "implicit").mkdir()
    implicit = Files(tmp_path / "implicit", rated=False)
    assert Split(implicit["train"], implicit["users"], implicit["items"]).history().rating is None


@pytest.mark.parametrize("ties", ["random", "optimistic", "pessimistic"])
def test_test_rows_without_ratings_are_ranked(tmp_path, ties):
    files = Files(tmp_path, rated=False)
    files.train({"kind": "popularity"})
    ranks, _ = files.rank({"kind": "popularity"}, ties)
    assert ranks["rating"].isna().all()
    assert (ranks["before"] <= ranks["tied"]).all()


def test_settings_reach_the_model(files, monkeypatch):
    seen = {}

    class Curious(Popularity):
        def __init__(self, **settings):
            seen.update(settings)

    from truerank.registry import MODELS

    monkeypatch.setitem(MODELS.entries, "popularity", MODELS["popularity"].__class__("popularity", Curious, {}, ()))
    files.train({"kind": "popularity", "l2": 3, "power": 2})
    assert seen == {"l2": 3, "power": 2}


def test_an_unknown_kind_is_a_users_error(files):
    with pytest.raises(UserError, match="did you mean 'ease'"):
        files.train({"kind": "eas"})
    assert not files["model"].exists()


@pytest.mark.parametrize("kind", ["linear", "isotonic"])
def test_a_calibrated_model_predicts_ratings_on_their_scale(files, kind):
    train = read_table(files["train"])
    train["rating"] = np.float32([1, 2, 5, 4, 3, 5, 2])
    write_table(files["train"], train)
    plain = files.train({"kind": "popularity"})
    bare, lists = files.rank({"kind": "popularity"})
    assert bare["prediction"].isna().all()
    learnt = files.train({"kind": "popularity", "calibration": kind})
    assert learnt.keys() - plain.keys() == {"calibration_score", "calibration_rating"}
    ranks, same_lists = files.rank({"kind": "popularity", "calibration": kind})
    assert list(ranks)[-1] == "prediction"
    assert ranks["prediction"].between(1, 5).all()
    assert ranks.sort_values("score")["prediction"].is_monotonic_increasing
    pd.testing.assert_frame_equal(ranks.drop(columns="prediction"), bare.drop(columns="prediction"))
    pd.testing.assert_frame_equal(lists, same_lists)


def test_a_calibration_without_ratings_to_learn_from_predicts_nothing(tmp_path):
    files = Files(tmp_path, rated=False)
    assert list(files.train({"kind": "popularity", "calibration": "linear"})) == ["degree"]
    ranks, _ = files.rank({"kind": "popularity", "calibration": "linear"})
    assert ranks["prediction"].isna().all()
