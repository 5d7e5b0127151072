"""Training as a stage: memory is checked first, the loss curve is written."""

import numpy as np
import pandas as pd
import pytest
from truerank.artefacts.files import write_table
from truerank.errors import UserError
from truerank.models._core.base import Recommender
from truerank.stages import train_model as stage

from tests.support import noisy_train, run_stage


class Learner(Recommender):
    def __init__(self, losses, needed=0):
        self.losses, self.needed = losses, needed

    def bytes_needed(self, train):
        return self.needed

    def fit(self, train, rng, tell):
        for step, loss in enumerate(self.losses, 1):
            tell(step, len(self.losses), loss)
        return {"nothing": np.zeros(1)}


@pytest.fixture
def trained(tmp_path, monkeypatch):
    train = noisy_train()
    rows = {"user": train.user, "item": train.item, "rating": np.full(len(train.user), np.nan, np.float32)}
    write_table(tmp_path / "train.parquet", rows)
    for name, n in (("user_table", train.n_users), ("item_table", train.n_items)):
        write_table(tmp_path / f"{name}.parquet", {"code": np.arange(n), "id": np.arange(n).astype(str)})

    def run(model):
        monkeypatch.setattr(stage.MODELS, "make", lambda definition: model)
        inputs = {name: tmp_path / f"{name}.parquet" for name in ("train", "user_table", "item_table")} | {"tuning": []}
        outputs = {"model": tmp_path / "model.npz", "training": tmp_path / "training.parquet"}
        run_stage(stage.train_model, inputs, outputs, model={"kind": "own"}, seed=1)
        return pd.read_parquet(tmp_path / "training.parquet")

    return run


def test_the_curve_has_a_row_per_step(trained):
    curve = trained(Learner([3.0, 2.0]))
    assert curve.columns.tolist() == ["step", "loss", "seconds"]
    assert curve["step"].tolist() == [1, 2]
    assert curve["loss"].tolist() == [3.0, 2.0]
    assert (curve["seconds"] >= 0).all()


def test_the_curve_of_a_model_without_a_loss_is_empty(trained):
    curve = trained(Learner([None]))
    assert len(curve) == 0
    assert [str(kind) for kind in curve.dtypes] == ["int64", "float64", "float64"]


def test_a_model_that_needs_too_much_memory_is_refused_before_it_starts(trained, tmp_path):
    with pytest.raises(
        UserError, match=r"^model 'mine' \(own\) needs about 1000000\.00 GB of memory for 40 users and 30"
    ):
        trained(Learner([1.0], needed=10**15))
    assert not (tmp_path / "model.npz").exists()
    assert not (tmp_path / "training.parquet").exists()
