"""Cut a dataset into training and test rows."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from truerank.artefacts.files import readable, write_json, write_table
from truerank.errors import UserError
from truerank.provenance import generator
from truerank.registry import SPLITS
from truerank.splits._core.rows import NO_TIME, Rows

COLUMNS = ["user", "item", "rating", "timestamp"]


def split_interactions(interactions, settings, dataset, split, seed, train, test, summary):
    """Write the training rows, the test rows and the counts of a split.

    settings : the split's entry in the config: ``kind`` and the settings of that kind
    train, test : Parquet tables user, item, rating, timestamp, sorted by user, then item

    No test pair is in training and every test user is. Items of the test that nobody has in training stay.
    """
    with readable(interactions):
        table = pq.read_table(interactions).sort_by([("user", "ascending"), ("item", "ascending")])
    kind = SPLITS.of(settings)
    rows = split_rows(table)
    cut = SPLITS.make(settings)(rows, generator(seed, "split_interactions", dataset, split))
    check(rows, cut, interactions, f"splits.{split}")
    table = table.select(COLUMNS)
    for path, chosen in ((train, ~cut.test & ~cut.dropped), (test, cut.test)):
        write_table(path, table.filter(pa.array(chosen)))
    names = {"dataset": dataset, "split": split, "kind": kind.name, "settings": SPLITS.settings(settings)}
    write_json(summary, names | counts(rows, cut))


def split_rows(table):
    part = table["part"].to_numpy() == "test" if "part" in table.column_names else None
    user, item = table["user"].to_numpy(), table["item"].to_numpy()
    return Rows(user, item, table["timestamp"].fill_null(NO_TIME).to_numpy(), part)


def check(rows, cut, path, key):
    """Hold every split to the rules that the later stages rely on."""
    if (np.diff(rows.user) == 0)[np.diff(rows.item) == 0].any():
        raise UserError(f"{path} has a pair of user and item twice, expected one row; make the dataset again")
    if not cut.test.any():
        raise UserError(f"{key} leaves no test rows of the {len(rows):,} in {path}: {cut.why_none}")
    if not np.isin(rows.user[cut.test], rows.user[~cut.test & ~cut.dropped]).all():
        raise UserError(f"{key} puts users into the test who are not in training; choose another kind of split")


def counts(rows, cut):
    """What the split did, and what it left as it was but a reader should know."""
    training = ~cut.test & ~cut.dropped
    test_users, training_users = np.unique(rows.user[cut.test]), np.unique(rows.user[training])
    return {
        "train_rows": int(training.sum()),
        "test_rows": int(cut.test.sum()),
        "train_users": len(training_users),
        "test_users": len(test_users),
        "users_for_training_only": len(np.setdiff1d(training_users, test_users)),
        "users_with_one_interaction": int((rows.per_user == 1).sum()),
        "cold_test_items": len(np.setdiff1d(rows.item[cut.test], rows.item[training])),
        "cold_test_users_dropped": len(np.unique(rows.user[cut.dropped])),
        "cold_test_rows_dropped": int(cut.dropped.sum()),
    }
