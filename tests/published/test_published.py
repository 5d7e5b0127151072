"""Figures that papers print, on the very splits that they used.

The data may not be redistributed: these tests run where the folders ``ml-1m-leave-one-out`` and ``ml-1m-holdout`` are,
in ``$TRUERANK_SHARED_DATA`` or in ``shared/data`` beside the repository.
"""

import os
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from truerank.metrics._core.evaluation import evaluate, mean_over_users
from truerank.metrics._core.judged import JudgedRanks
from truerank.models._core.base import Train
from truerank.models.ease import Ease
from truerank.models.ials import Ials
from truerank.models.item_cf import ItemCF
from truerank.models.popularity import Popularity
from truerank.provenance import generator
from truerank.ranking.exact import rank_items
from truerank.ranking.order import order_key

from tests.support import ROOT

FOLDER = Path(os.environ.get("TRUERANK_SHARED_DATA", ROOT.parent / "shared" / "data"))
SEED = 20180102
METRICS = {
    "recall": {"kind": "recall"},
    "ndcg": {"kind": "ndcg", "gain": "binary"},
    "ap": {"kind": "ap"},
    "auc": {"kind": "auc"},
}

pytestmark = [
    pytest.mark.skipif(
        not (FOLDER / "ml-1m-leave-one-out").is_dir() or not (FOLDER / "ml-1m-holdout").is_dir(),
        reason="the published splits of MovieLens 1M are not here; TRUERANK_SHARED_DATA names the folder that has them",
    ),
    pytest.mark.slow,
]


@cache
def read_split(name):
    """Return training data and the test rows with codes from 0, in the order that ranking takes."""
    train, test = (pd.read_csv(FOLDER / name / f"{part}.csv.gz") for part in ("train", "test"))
    users, items = (np.unique(np.concatenate([train[key], test[key]])) for key in ("user", "item"))
    for table in (train, test):
        table["user"] = np.searchsorted(users, table["user"])
        table["item"] = np.searchsorted(items, table["item"])
    train, test = train.sort_values(["user", "item"]), test.sort_values(["user", "item"])
    history = Train(train["user"].to_numpy(), train["item"].to_numpy(), len(users), len(items))
    return SimpleNamespace(
        name=name,
        train=history,
        user=test["user"].to_numpy(),
        item=test["item"].to_numpy(),
        rating=test["rating"].to_numpy(),
    )


RANKED = {}


def ranked(split, model):
    """Return the exact ranks of the split's test items; each model is trained once for all tests of this folder."""
    place = split.name, repr(model)
    if place not in RANKED:
        learnt = model.fit(split.train, generator(SEED, "train_model", type(model).__name__))
        key = order_key(generator(SEED, "rank_items"))
        scores = lambda users: model.scores(learnt, split.train, users)  # noqa: E731
        RANKED[place] = rank_items(scores, split.train.matrix, split.user, split.item, key, threads=2)
    return RANKED[place]


def candidates_of(split):
    return (split.train.n_items - np.diff(split.train.matrix.indptr))[split.user]


def percentages(split, ranking):
    """Return the means in per cent with every test item relevant."""
    everything = np.ones(len(split.user), bool)
    judged = JudgedRanks(split.user, 1 + ranking.above + ranking.before, everything, candidates_of(split))
    columns = evaluate(judged, METRICS, [10, "all"])
    return {name: 100 * mean_over_users(values).value for name, values in columns.items()}


@pytest.fixture(scope="module")
def leave_one_out():
    return read_split("ml-1m-leave-one-out")


@pytest.fixture(scope="module")
def holdout():
    return read_split("ml-1m-holdout")


COLUMNS = ("recall@10", "ndcg@10", "ap@all", "auc@all")


def test_the_splits_are_those_that_the_papers_describe(leave_one_out, holdout):
    assert (leave_one_out.train.n_users, leave_one_out.train.n_items) == (6040, 3706)
    assert (len(leave_one_out.train.user), len(leave_one_out.user)) == (994_169, 6040)
    assert (len(holdout.train.user), len(holdout.user)) == (802_553, 197_656)


def test_recommender_y_of_krichene_and_rendle_table_3(leave_one_out):
    found = percentages(leave_one_out, ranked(leave_one_out, ItemCF(power=3)))
    assert [round(found[name], 2) for name in COLUMNS] == [8.84, 4.59, 4.32, 85.33]


def test_recommender_z_of_krichene_and_rendle_table_3(leave_one_out):
    """Most of its scores tie at 0, so figures move with the order of ties; the expectation of auc does not."""
    ranking = ranked(leave_one_out, ItemCF(power=1, neighbours=10))
    found = percentages(leave_one_out, ranking)
    assert found["recall@10"] == pytest.approx(9.42, abs=0.005)
    assert found["ndcg@10"] == pytest.approx(4.79, abs=0.005)
    assert found["ap@all"] == pytest.approx(4.44, abs=0.02)
    assert found["auc@all"] == pytest.approx(74.8, abs=0.75)
    expected = 1 - (ranking.above + ranking.tied / 2) / (candidates_of(leave_one_out) - 1)
    assert round(100 * expected.mean(), 2) == 74.80


def test_recommender_x_of_krichene_and_rendle_table_3(leave_one_out):
    """Within 0.3: the paper's start is not known."""
    found = percentages(leave_one_out, ranked(leave_one_out, Ials()))
    assert [found[name] for name in COLUMNS] == pytest.approx([7.60, 3.76, 3.75, 89.13], abs=0.3)


def test_ease_as_measured_before(leave_one_out):
    found = percentages(leave_one_out, ranked(leave_one_out, Ease(l2=200)))
    assert [round(found[name], 2) for name in ("recall@10", "ndcg@10")] == [11.16, 5.48]


def test_popularity_as_measured_before(leave_one_out):
    found = percentages(leave_one_out, ranked(leave_one_out, Popularity()))
    assert found["recall@10"] == pytest.approx(4.14, abs=0.02)  # some scores tie at the cut-off


def test_popularity_of_valcarce_et_al(holdout):
    """Relevant from 4, k = 100, users without a relevant item counted as zero."""
    ranking = ranked(holdout, Popularity())
    judged = JudgedRanks(holdout.user, 1 + ranking.above + ranking.before, holdout.rating >= 4, candidates_of(holdout))
    columns = evaluate(judged, {"precision": {"kind": "precision"}, "recall": {"kind": "recall"}}, [100])
    means = {name: mean_over_users(values, "zero").value for name, values in columns.items()}
    assert round(means["precision@100"], 4) == 0.0621
    assert round(means["recall@100"], 4) == 0.3535
