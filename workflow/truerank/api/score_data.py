"""Training and test rows of an informed evaluation, as codes, and the ids that their owner knows them by."""

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from truerank.api.inputs.ids import Ids
from truerank.api.inputs.sources import Source, open_source, text_or_numbers
from truerank.api.inputs.truth import as_iterable, check_apart, check_once, read_rows
from truerank.artefacts.split import TestRows
from truerank.datasets._core.declared import ids_in
from truerank.errors import UserError
from truerank.models._core.base import Train

Rows = tuple[np.ndarray, np.ndarray, np.ndarray | None]  # users, items and ratings, None if there are none


class OwnIds(Ids):
    """Ids as codes, and as their owner wrote them first: a scorer is asked by these.

    In files of text ids have no type: there they are integers if all are, else texts.
    """

    def __init__(self) -> None:
        super().__init__()
        self.written: list[Any] = []
        self.typed = True

    def encode(self, column: pa.Array | pa.ChunkedArray | np.ndarray, add: bool = True) -> np.ndarray:
        codes = super().encode(column, add)
        if len(self.written) < self.n:
            found, first = np.unique(codes, return_index=True)
            first = first[found >= len(self.written)]
            self.written += column.take(pa.array(first)).to_pylist() if self.typed else [None] * len(first)
        return codes

    def arrange(self, order: np.ndarray) -> np.ndarray:
        self.written = [self.written[old] for old in order]
        return super().arrange(order)

    def owned(self) -> np.ndarray:
        """Return the ids by code, as their owner wrote them."""
        found = [plain if own is None else own for own, plain in zip(self.written, self.values(), strict=True)]
        whole = all(type(each) is int for each in found)
        return np.array(found, np.int64 if whole else object)


@dataclass(frozen=True)
class Coded:
    """Rows as codes, and the ids that the codes stand for."""

    history: Train
    test: TestRows
    users: OwnIds
    items: OwnIds


def coded(train: Any, test: Any, items: Any = None) -> Coded:
    """Return training and test rows as codes; ids are numbered in their order, or in that of the ids in ``items``."""
    users, catalogue = OwnIds(), OwnIds()
    declared = None if items is None or is_number(items) else declare(items, catalogue)
    tested, held_out = rows_of(test, "test", users, catalogue)
    learnt_from, trained = rows_of(train, "train", users, catalogue)
    check_catalogue(items, declared, catalogue)
    new_user = users.sort()
    new_item = catalogue.sort() if declared is None else catalogue.arrange(declared)
    user, item = new_user[held_out[0]], new_item[held_out[1]]
    order = np.lexsort((item, user))
    user, item = user[order], item[order]
    learnt = new_user[trained[0]], new_item[trained[1]]
    check_once(tested, users, catalogue, user, item)
    check_apart(tested, learnt_from, users, catalogue, (user, item), learnt)
    code = learnt[0].astype(np.int64) * catalogue.n + learnt[1]
    _, once = np.unique(code, return_index=True)
    rating = None if trained[2] is None else trained[2][once]
    history = Train(learnt[0][once], learnt[1][once], users.n, catalogue.n, rating)
    rated = np.full(len(order), np.nan) if held_out[2] is None else held_out[2][order]
    return Coded(history, TestRows(user, item, rated), users, catalogue)


def rows_of(given: Any, name: str, users: OwnIds, items: OwnIds) -> tuple[Source, Rows]:
    """Read users, items and ratings as codes; there have to be some."""
    users.typed = items.typed = not isinstance(given, str | os.PathLike)
    source = open_source(given, name)
    found = read_rows(source, None, users, items, add_users=True)
    if not len(found[0]):
        raise UserError(f"{source.name} has no rows, expected users and items; give some")
    return source, found


def is_number(items: Any) -> bool:
    return isinstance(items, int | np.integer)


def declare(items: Any, catalogue: OwnIds) -> np.ndarray:
    """Number the items of a declared catalogue, and return their codes in its order; an id twice counts once."""
    catalogue.typed = not isinstance(items, str | os.PathLike)
    ids: Any = text_or_numbers(list(as_iterable(items) if catalogue.typed else ids_in(str(items))))
    if not len(ids):
        raise UserError("items is empty, expected the ids of the catalogue; give them, or leave it out")
    codes = catalogue.encode(ids)
    return codes[np.sort(np.unique(codes, return_index=True)[1])]


def check_catalogue(items: Any, declared: np.ndarray | None, catalogue: OwnIds) -> None:
    """Refuse items of the rows that the declared catalogue does not have."""
    if is_number(items) and items != catalogue.n:
        raise UserError(
            f"items is {items:,}, and train and test have {catalogue.n:,}; a scorer is asked by id, give the ids"
        )
    if declared is not None and catalogue.n > len(declared):
        lacking = catalogue.n - len(declared)
        raise UserError(
            f"items lacks {catalogue.written[len(declared)]!r}, which train or test has, and {lacking:,} in all, "
            "expected every item; add it"
        )
