"""What the split stage writes, counts and refuses."""

import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from truerank import spill
from truerank.artefacts import interactions
from truerank.artefacts.files import write_json, write_table
from truerank.errors import UserError
from truerank.provenance import generator
from truerank.stages.split_interactions import split_interactions

from tests.support import run_stage

NAMES = ["user", "item", "rating", "timestamp"]
TYPES = [pa.int32(), pa.int32(), pa.float32(), pa.int64()]
# user 0 has three rows, user 1 two, user 2 one; item 3 is only ever the latest
ROWS = [(0, 0, 5, 10), (0, 1, 4, 20), (0, 3, 3, 90), (1, 0, 2, 30), (1, 2, 1, 40), (2, 1, 5, 50)]


@pytest.fixture
def split(tmp_path):
    def run(settings, rows=ROWS, part=None, seed=1, shuffle=False):
        table = pa.table(
            [pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), TYPES, strict=True)], NAMES
        )
        frame = table.to_pandas(types_mapper=pd.ArrowDtype)
        if part:
            frame["part"] = part
        write_table(tmp_path / "interactions.parquet", frame.iloc[::-1] if shuffle else frame)
        run.paths = [tmp_path / "out" / name for name in ("train.parquet", "test.parquet", "summary.json")]
        outputs = dict(zip(("train", "test", "split_facts"), run.paths, strict=True))
        inputs = {"interactions": tmp_path / "interactions.parquet", "facts": tmp_path / "facts.json"}
        write_json(inputs["facts"], {"rating_scale": [1, 5]})
        rules = {"split": settings, "seed": seed, "relevance": {"threshold": 1}, "relevance_key": "relevance"}
        run_stage(split_interactions, inputs, outputs, ("data", "mine"), split_rows="mine", **rules)
        train, test = (pq.read_table(path) for path in run.paths[:2])
        return train, test, json.loads(run.paths[2].read_text())

    return run


def rows_of(table):
    return list(zip(*table.to_pydict().values(), strict=True))


def test_last_rows_are_held_out_and_everything_is_counted(split):
    train, test, summary = split({"kind": "leave_last_out"})
    assert train.schema.names == test.schema.names == NAMES
    assert train.schema.types == test.schema.types == TYPES
    assert rows_of(test) == [ROWS[2], ROWS[4]]
    assert rows_of(train) == [ROWS[0], ROWS[1], ROWS[3], ROWS[5]]
    assert summary == {
        "dataset": "data",
        "split": "mine",
        "kind": "leave_last_out",
        "settings": {},
        "train_rows": 4,
        "test_rows": 2,
        "train_users": 3,
        "test_users": 2,
        "users_for_training_only": 1,
        "users_with_one_interaction": 1,
        "cold_test_items": 2,
        "cold_test_users_dropped": 0,
        "cold_test_rows_dropped": 0,
        # the one row of user 2, at 50, is later than the test row of user 1, at 40, and nothing else is
        "leakage": {
            "later_than_a_test_row": 1 / 4,
            "later_on_average": 1 / 5,
            "later_than_median": 0,
            "own_later": 0,
        },
    }


def test_cold_users_are_dropped_and_counted(split):
    train, test, summary = split({"kind": "global_time", "after": 25})
    assert rows_of(test) == [ROWS[2]]
    assert rows_of(train) == ROWS[:2]
    assert summary["cold_test_users_dropped"] == 2
    assert summary["cold_test_rows_dropped"] == 3


def test_given_parts_are_kept(split):
    _, test, _ = split({"kind": "given"}, part=["train", "test", "train", "train", "train", "train"])
    assert rows_of(test) == [ROWS[1]]


def test_missing_values_and_large_times_survive(split):
    rows = [(0, 0, None, 1_700_000_000_000_000_001), (0, 1, 2.5, None)]
    train, test, _ = split({"kind": "leave_last_out"}, rows)
    assert rows_of(test) == [rows[0]]
    assert rows_of(train) == [rows[1]]


def test_same_bytes_again_in_any_order_and_other_rows_with_another_seed(split):
    rows = [(user, item, 1, item) for user in range(20) for item in range(10)]
    outputs = []
    for options in ({}, {}, {"shuffle": True}, {"seed": 2}):
        split({"kind": "user_fraction", "test": 0.3}, rows, **options)
        outputs.append([path.read_bytes() for path in split.paths])
    assert outputs[0] == outputs[1] == outputs[2]
    assert outputs[0][1] != outputs[3][1]


@pytest.mark.parametrize(
    ("settings", "rows", "part", "told"),
    [
        (
            {"kind": "user_fraction", "test": 0.2},
            ROWS[3:4] + ROWS[5:],
            None,
            "splits.mine leaves no test rows of the 2 .*: each of the 2 users has one row, which stays in training",
        ),
        ({"kind": "leave_last_out"}, ROWS[3:4] + ROWS[5:], None, "each of the 2 users has one row"),
        (
            {"kind": "user_fraction", "test": 0.1},
            ROWS,
            None,
            "splits.mine leaves no test rows of the 6 .*: no user has more than 3 rows, and 0.1 of these rounds to 0",
        ),
        (
            {"kind": "user_fraction", "test": 0.5, "min_interactions": 4},
            ROWS,
            None,
            "no user has more than 3 rows, and min_interactions is 4; lower it",
        ),
        (
            {"kind": "global_time", "after": 99},
            ROWS,
            None,
            "splits.mine leaves no test rows of the 6 .*: no row is later than 99 and the last is of",
        ),
        (
            {"kind": "global_time", "after": 5},
            [(0, 1, 1, 3), (1, 1, 1, 8), (2, 1, 1, 9)],
            None,
            "the 2 rows later than 5 are of 2 users without an earlier row, who cannot be recommended to",
        ),
        ({"kind": "given"}, ROWS, None, "given needs a dataset in two parts"),
        ({"kind": "given"}, ROWS, ["train"] * 5 + ["test"], "users into the test set who are not in the training set"),
        ({"kind": "leave_last_out"}, [*ROWS, ROWS[0]], None, "has a pair of user and item twice"),
        ({"kind": "leave_lsat_out"}, ROWS, None, "did you mean 'leave_last_out'"),
    ],
)
def test_bad_splits_are_refused_and_write_nothing(split, settings, rows, part, told):
    with pytest.raises(UserError, match=told):
        split(settings, rows, part)
    assert not any(Path(path).exists() for path in split.paths)


@pytest.mark.parametrize(
    "settings",
    [
        {"kind": "user_fraction", "test": 0.3},
        {"kind": "leave_last_out", "last": 2},
        {"kind": "global_time", "quantile": 0.6},
        {"kind": "global_time", "after": 60},
        {"kind": "given"},
    ],
    ids=lambda settings: "_".join(map(str, settings.values())),
)
@pytest.mark.parametrize("per_block", [1, 5, 40])
def test_blocks_of_users_change_no_byte(split, settings, per_block, monkeypatch):
    """Users of one row and of many, times that are missing and equal, and parts of a few times each."""
    rng = generator(3, "blocks")
    pairs = sorted({(int(10 * rng.random() ** 2), int(rng.integers(12))) for _ in range(80)})
    rows = [(*pair, None, None if rng.random() < 0.1 else int(rng.integers(100))) for pair in pairs]
    held = [item % 3 == 0 and any(own == user and other % 3 for own, other in pairs) for user, item in pairs]
    part = ["test" if own else "train" for own in held]
    split(settings, rows, part)
    whole = [path.read_bytes() for path in split.paths]
    monkeypatch.setattr(interactions, "ROWS_PER_BLOCK", per_block)
    monkeypatch.setattr(spill, "ROWS_PER_PART", 7)
    monkeypatch.setattr(spill, "ROWS_AT_A_TIME", 2)
    split(settings, rows, part)
    assert [path.read_bytes() for path in split.paths] == whole


def test_blocks_have_no_test_row_for_a_reason_of_all_rows(split, monkeypatch):
    monkeypatch.setattr(interactions, "ROWS_PER_BLOCK", 1)
    rows = [(user, 0, 5, 10) for user in range(9)]
    with pytest.raises(UserError, match=r"no test rows of the 9 in .*: each of the 9 users has one row"):
        split({"kind": "leave_last_out"}, rows)
    assert not split.paths[0].exists()
