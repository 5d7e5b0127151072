"""Hold rows out of a table of interactions."""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from truerank.errors import UserError
from truerank.meta.leakage import leakage
from truerank.provenance import generator
from truerank.registry import SPLITS, Definition
from truerank.splits._core.rows import NO_TIME, Cut, Rows

COLUMNS = ["user", "item", "rating", "timestamp"]


class Parts(NamedTuple):
    """The rows of both parts, user, item, rating and timestamp, sorted by user, then item; and what the split did."""

    train: pa.Table
    test: pa.Table
    facts: dict[str, Any]


def hold_out(interactions: pa.Table, definition: Definition, names: tuple[str, str], seed: int, place: str) -> Parts:
    """Cut interactions into training and test rows.

    definition : of the split. names : dataset and split. place : where the rows come from, for messages.

    No test pair is in training and every test user is. Items of the test that nobody has in training stay.
    """
    table = interactions.sort_by([("user", "ascending"), ("item", "ascending")])
    rows = split_rows(table)
    cut = SPLITS.make(definition)(rows, generator(seed, "split_interactions", *names))
    check(rows, cut, place, f"splits.{names[1]}")
    table = table.select(COLUMNS)
    train, test = (table.filter(pa.array(chosen)) for chosen in (~cut.test & ~cut.dropped, cut.test))
    about = {"dataset": names[0], "split": names[1], "kind": SPLITS.of(definition).name}
    found = {"settings": SPLITS.settings(definition)} | counts(rows, cut) | {"leakage": leakage_of(rows, cut)}
    return Parts(train, test, about | found)


def split_rows(table: pa.Table) -> Rows:
    part = table["part"].to_numpy() == "test" if "part" in table.column_names else None
    user, item = table["user"].to_numpy(), table["item"].to_numpy()
    return Rows(user, item, table["timestamp"].fill_null(NO_TIME).to_numpy(), part)


def check(rows: Rows, cut: Cut, place: str, key: str) -> None:
    """Hold every split to the rules that the later stages rely on."""
    if (np.diff(rows.user) == 0)[np.diff(rows.item) == 0].any():
        raise UserError(f"{place} has a pair of user and item twice, expected one row; make the dataset again")
    if not cut.test.any():
        raise UserError(f"{key} leaves no test rows of the {len(rows):,} in {place}: {cut.why_none}")
    if not np.isin(rows.user[cut.test], rows.user[~cut.test & ~cut.dropped]).all():
        raise UserError(
            f"{key} puts users into the test set who are not in the training set; choose another kind of split"
        )


def leakage_of(rows: Rows, cut: Cut) -> dict[str, float | None] | None:
    """Return how much of training is later than the test, None where times are not known on both sides."""
    known = rows.timestamp != NO_TIME
    parts = (~cut.test & ~cut.dropped & known, cut.test & known)
    if not all(part.any() for part in parts):
        return None
    found = leakage(*(column[part] for part in parts for column in (rows.user, rows.timestamp)))
    return {name: None if np.isnan(share) else share for name, share in found._asdict().items()}


def counts(rows: Rows, cut: Cut) -> dict[str, int]:
    """Return what the split did, and what it left as it was but a reader should know."""
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
