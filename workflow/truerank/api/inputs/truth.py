"""What lists are judged by: test rows, training rows and the catalogue, in codes."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from truerank.api.inputs.ids import Ids
from truerank.api.inputs.sources import Columns, Source, names_in, open_source, roles_of
from truerank.datasets._core.declared import ids_in
from truerank.errors import UserError
from truerank.models._core.base import Train
from truerank.ranking.candidates import Rule
from truerank.ranking.positions import Sought

ONE_TO_FIVE = 1, 4, 5  # the lowest rating, the lowest relevant one, the highest


@dataclass
class Truth:
    """Test rows ascending by user and item, whose codes are in the order of ids; training rows of the same users.

    rating, train_rating : None without ratings. relevant_from : the lowest relevant rating, None if every row is
    relevant. n_known : items in test, training and a declared set; those that only lists have follow. declared : a
    number of items, None if it was not given. n_test_items : the first so many items are those of the test. tested :
    whether only these are candidates.
    """

    name: str
    users: Ids
    items: Ids
    user: np.ndarray
    item: np.ndarray
    rating: np.ndarray | None
    train: tuple[np.ndarray, np.ndarray, np.ndarray | None] | None
    relevant_from: float | None
    n_test_items: int
    n_known: int
    declared: int | None
    closed: bool  # whether the catalogue is known: by a number, by ids or by training rows
    notes: list[str] = field(default_factory=list)
    columns: set[str] = field(default_factory=set)  # names that tables have, as far as they were read
    tested: bool = False

    @property
    def n_users(self) -> int:
        return self.users.n

    @property
    def n_items(self) -> int | None:
        """The size of the catalogue, None if nothing tells it."""
        return self.declared if self.declared is not None else self.n_known if self.closed else None

    @cached_property
    def history(self) -> Train:
        """The training rows of test users, none if there is no training data."""
        none = np.empty(0, np.int32)
        user, item, rating = self.train if self.train is not None else (none, none, None)
        return Train(user, item, self.n_users, self.n_known, rating)

    @cached_property
    def n_candidates(self) -> np.ndarray:
        """The number of candidates of each user, besides items that only lists have; the catalogue has to be known."""
        if self.tested:
            return self.n_test_items - np.bincount(
                self.history.user[self.history.item < self.n_test_items], minlength=self.n_users
            )
        assert self.n_items is not None
        return self.n_items - self.history.per_user

    @property
    def scale(self) -> tuple[float, float] | None:
        if self.rating is None:
            return None
        ratings = [self.rating] if self.history.rating is None else [self.rating, self.history.rating]
        return min(float(each.min()) for each in ratings if len(each)), max(
            float(each.max()) for each in ratings if len(each)
        )

    @property
    def sought(self) -> Sought:
        rating = np.zeros(len(self.user)) if self.rating is None else self.rating
        history = self.history
        return Sought(self.n_users, self.n_known, self.user, self.item, rating, history.user, history.item)

    def check_number(self) -> None:
        """Refuse more items than were declared."""
        if self.declared is not None and self.items.n > self.declared:
            raise UserError(
                f"items is {self.declared:,}, but test, training and lists have {self.items.n:,} different items, "
                "expected as many as were declared at most; raise it, or correct the ids"
            )


def read_truth(
    test: Any,
    train: Any = None,
    items: Any = None,
    relevant_from: float | None = None,
    columns: Columns | None = None,
    candidates: Rule = "unseen",
    graded: bool = True,
) -> Truth:
    """Read what lists are judged by. items : a number, ids, or a file of them, one per line.

    candidates : what test items are ranked among; with ``all`` the training rows do no more than name items. graded :
    whether it matters which ratings are relevant.
    """
    users, catalogue = Ids(), Ids()
    source = open_source(test, "test", columns)
    user, item, rating = read_rows(source, columns, users, catalogue, add_users=True)
    if not len(user):
        raise UserError(f"{source.name} has no rows, expected the test items of users; give others")
    user, item = users.sort()[user], catalogue.sort()[item]
    order = np.lexsort((item, user))
    user, item = user[order], item[order]
    rating = None if rating is None else rating[order]
    check_once(source, users, catalogue, user, item)
    n_test_items = catalogue.n
    lowest, note = relevance(source.name, rating, relevant_from) if graded else (None, None)
    trained = None
    if train is not None:
        given = open_source(train, "train", columns)
        trained = once(*read_rows(given, columns, users, catalogue, add_users=False))
        if candidates != "all":
            check_apart(source, given, users, catalogue, (user, item), trained[:2])
    declared = declare(items, catalogue, source.name)
    closed = items is not None or train is not None
    found = Truth(
        *(source.name, users, catalogue, user, item, rating, None if candidates == "all" else trained),
        *(lowest, n_test_items, catalogue.n, declared, closed, [note] if note else []),
        tested=candidates == "tested",
    )
    found.check_number()
    found.columns.update(names_in(source, columns), () if train is None else names_in(given, columns))
    return found


def read_rows(
    source: Source, columns: Columns | None, users: Ids, items: Ids, add_users: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return user codes, item codes and ratings, None if there are none; rows of users not added are left out."""
    roles = {role: name for role, name in roles_of(source, columns).items() if role in ("user", "item", "rating")}
    parts = []
    for batch in source.batches(roles):
        if batch:
            user, item = users.encode(batch["user"], add_users), items.encode(batch["item"])
            known = user >= 0
            rating = batch.get("rating")
            parts.append((user[known], item[known], None if rating is None else rating[known]))
    if not parts:
        return np.empty(0, np.int32), np.empty(0, np.int32), None
    joined = [np.concatenate([part[place] for part in parts]) for place in (0, 1)]
    rating = np.concatenate([part[2] for part in parts]) if "rating" in roles else None
    return joined[0], joined[1], rating


def once(
    user: np.ndarray, item: np.ndarray, rating: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return training rows with each pair once, the last row of those that repeat it: candidates are counted."""
    pair = user.astype(np.int64) * (1 + int(item.max(initial=0))) + item
    last = len(pair) - 1 - np.unique(pair[::-1], return_index=True)[1]
    if len(last) == len(pair):
        return user, item, rating
    last.sort()
    return user[last], item[last], None if rating is None else rating[last]


def check_once(source: Source, users: Ids, items: Ids, user: np.ndarray, item: np.ndarray) -> None:
    """Refuse a pair that is in the test twice."""
    twice = (np.diff(user) == 0) & (np.diff(item) == 0)
    if twice.any():
        row = int(np.argmax(twice))
        own, its = users.name(user[row]), items.name(item[row])
        where = source.locate(str(own), str(its)) if source.locate else source.name
        raise UserError(
            f"{where}: found the item {its!r} twice for the user {own!r}, expected each pair once; delete one"
        )


def check_apart(
    test: Source, train: Source, users: Ids, items: Ids, rows: tuple[np.ndarray, ...], trained: tuple[np.ndarray, ...]
) -> None:
    """Refuse a test row that is in training: it would be no candidate."""
    (user, item), (train_user, train_item) = rows, trained
    pairs, learnt = (np.asarray(u, np.int64) * items.n + i for u, i in ((user, item), (train_user, train_item)))
    both = np.isin(pairs, learnt)
    if both.any():
        row = int(np.argmax(both))
        own, its = users.name(user[row]), items.name(item[row])
        raise UserError(
            f"{test.name} and {train.name} both have the item {its!r} of the user {own!r}, and {both.sum():,} such "
            f"pair(s) in all, expected test items that are not in train; delete them from one of the two"
        )


def relevance(name: str, rating: np.ndarray | None, relevant_from: float | None) -> tuple[float | None, str | None]:
    """Return the lowest relevant rating, and what is to be told about it."""
    if rating is None:
        if relevant_from is not None:
            problem = f"relevant_from is {relevant_from:g}, but {name} has no column of ratings"
            raise UserError(f"{problem}, expected one; name it with columns, or leave relevant_from out")
        return None, None
    low, high = float(rating.min()), float(rating.max())
    if relevant_from is not None:
        if not (rating >= relevant_from).any():
            problem = f"relevant_from is {relevant_from:g}, and the ratings of {name} go from {low:g} to {high:g}"
            raise UserError(f"{problem}, expected some that are relevant; lower it")
        return float(relevant_from), None
    if np.isin(rating, (0, 1)).all():
        return 1.0, None if low == 1 else "Relevant: rated 1, of ratings that are 0 or 1."
    if low >= ONE_TO_FIVE[0] and ONE_TO_FIVE[1] <= high <= ONE_TO_FIVE[2]:
        return 4.0, "Relevant: rated 4 or more, as usual on a scale from 1 to 5; relevant_from sets another limit."
    raise UserError(
        f"the ratings of {name} go from {low:g} to {high:g}, and only a scale from 1 to 5 has a default "
        "threshold; give the lowest relevant rating: relevant_from in Python, --relevant-from in the shell"
    )


def declare(items: Any, catalogue: Ids, name: str) -> int | None:
    """Add declared ids to the catalogue, or return their number."""
    if items is None:
        return None
    if isinstance(items, int | np.integer) and not isinstance(items, bool):
        if items < 1:
            raise UserError(f"items is {items}, expected the number of items, 1 at least; correct it")
        return int(items)
    if isinstance(items, str | os.PathLike):
        ids: Any = pa.array(list(ids_in(str(items))), pa.string())
    else:
        ids = pa.array(pd.Series(list(as_iterable(items))).pipe(lambda own: own if len(own) else own.astype(str)))
    before = catalogue.n
    found = np.zeros(before, bool)
    codes = catalogue.encode(ids)
    found[codes[codes < before]] = True
    if not found.all():
        its = catalogue.name(int(np.argmin(found)))
        raise UserError(
            f"{(~found).sum():,} of {before:,} items of {name} and train, such as {its!r}, are not among the "
            f"{len(ids):,} ids in items, expected all of them; add them, or correct the ids"
        )
    return None


def as_iterable(items: Any) -> Iterable:
    if isinstance(items, Iterable):
        return items
    raise UserError(f"items is {items!r}, expected a number, ids, or a file of ids; give one of these")
