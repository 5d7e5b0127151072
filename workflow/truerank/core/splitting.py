"""Hold rows out of a table of interactions."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from truerank.errors import UserError
from truerank.meta.leakage import LeakageCounts
from truerank.moments import Moments
from truerank.provenance import generator
from truerank.registry import SPLITS, Definition
from truerank.splits._core.rows import NO_TIME, Cut, Rows

COLUMNS = ["user", "item", "rating", "timestamp"]
COUNTED = ["train_rows", "test_rows", "train_users", "test_users", "users_for_training_only"]
COUNTED += ["users_with_one_interaction", "cold_test_items", "cold_test_users_dropped", "cold_test_rows_dropped"]


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
    cutting = Cutting(definition, names, seed, place)
    parts = cutting.cut(interactions.sort_by([("user", "ascending"), ("item", "ascending")]))
    return Parts(*parts, cutting.facts())


class Cutting:
    """One split, of users who come in blocks; of one block, if the split is not ``by_user``.

    moments : returns the times of all blocks. edges : where to cut times, if they are too many for memory.
    """

    def __init__(
        self,
        definition: Definition,
        names: tuple[str, str],
        seed: int,
        place: str,
        moments: Callable[[], Moments] | None = None,
        edges: np.ndarray | None = None,
    ) -> None:
        self.definition, self.names, self.place, self.moments = definition, names, place, moments
        self.split, self.rng = SPLITS.make(definition), generator(seed, "split_interactions", *names)
        self.counts, self.why_none = dict.fromkeys(COUNTED, 0), ""
        self.trained_items, self.tested_items = np.zeros((2, 0), bool)
        self.leakage = LeakageCounts(edges)

    def cut(self, table: pa.Table) -> tuple[pa.Table, pa.Table]:
        """Return the training and the test rows of some users, who come after those before. table : sorted."""
        rows = split_rows(table, self.moments)
        cut = self.split(rows, self.rng)
        check(rows, cut, self.place, f"splits.{self.names[1]}")
        self.why_none = cut.why_none
        training = ~cut.test & ~cut.dropped
        for name, n in counts(rows, cut, training).items():
            self.counts[name] += n
        self.trained_items = marked(self.trained_items, rows.item[training])
        self.tested_items = marked(self.tested_items, rows.item[cut.test])
        known = rows.timestamp != NO_TIME
        timed = training & known, cut.test & known
        self.leakage.add(*(column[part] for part in timed for column in (rows.user, rows.timestamp)))
        table = table.select(COLUMNS)
        return table.filter(pa.array(training)), table.filter(pa.array(cut.test))

    @property
    def is_empty(self) -> bool:
        """Whether there is no test row so far."""
        return not self.counts["test_rows"]

    def facts(self) -> dict[str, Any]:
        """Return what the split did, after all blocks."""
        if self.is_empty:
            n = self.counts["train_rows"] + self.counts["cold_test_rows_dropped"]
            raise UserError(f"splits.{self.names[1]} leaves no test rows of the {n:,} in {self.place}: {self.why_none}")
        self.counts["cold_test_items"] = int(marked(self.tested_items, np.flatnonzero(self.trained_items)).sum())
        self.counts["cold_test_items"] -= int(self.trained_items.sum())
        about = {"dataset": self.names[0], "split": self.names[1], "kind": SPLITS.of(self.definition).name}
        return about | {"settings": SPLITS.settings(self.definition)} | self.counts | {"leakage": self.shares_later()}

    def shares_later(self) -> dict[str, float | None] | None:
        """Return how much of training is later than the test, None where times are not known on both sides."""
        if not len(self.leakage.train) or not len(self.leakage.test):
            return None
        found = self.leakage.shares
        return {name: None if np.isnan(share) else share for name, share in found._asdict().items()}


def split_rows(table: pa.Table, moments: Callable[[], Moments] | None = None) -> Rows:
    """Return rows as splits take them, users numbered from the first of these."""
    part = table["part"].to_numpy() == "test" if "part" in table.column_names else None
    user, item = table["user"].to_numpy(), table["item"].to_numpy()
    timestamp = table["timestamp"].fill_null(NO_TIME).to_numpy()
    return Rows(user - user[:1], item, timestamp, part, moments)


def check(rows: Rows, cut: Cut, place: str, key: str) -> None:
    """Hold every split to the rules that the later stages rely on."""
    if (np.diff(rows.user) == 0)[np.diff(rows.item) == 0].any():
        raise UserError(f"{place} has a pair of user and item twice, expected one row; make the dataset again")
    if not np.isin(rows.user[cut.test], rows.user[~cut.test & ~cut.dropped]).all():
        raise UserError(
            f"{key} puts users into the test set who are not in the training set; choose another kind of split"
        )


def marked(flags: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return flags, as many as needed, with those of some codes set."""
    found = np.zeros(max(len(flags), int(codes.max(initial=-1)) + 1), bool)
    found[: len(flags)] = flags
    found[codes] = True
    return found


def counts(rows: Rows, cut: Cut, training: np.ndarray) -> dict[str, int]:
    """Return what the split did with some users, and what it left as it was but a reader should know."""
    test_users, training_users = np.unique(rows.user[cut.test]), np.unique(rows.user[training])
    return {
        "train_rows": int(training.sum()),
        "test_rows": int(cut.test.sum()),
        "train_users": len(training_users),
        "test_users": len(test_users),
        "users_for_training_only": len(np.setdiff1d(training_users, test_users)),
        "users_with_one_interaction": int((rows.per_user == 1).sum()),
        "cold_test_users_dropped": len(np.unique(rows.user[cut.dropped])),
        "cold_test_rows_dropped": int(cut.dropped.sum()),
    }
