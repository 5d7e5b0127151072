"""One split of a dataset: its training and test rows, and what is known of users and items."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from truerank.artefacts.attributes import read_attributes
from truerank.artefacts.files import is_null, n_rows, read_columns, read_json
from truerank.models._core.base import Train
from truerank.models._core.context import encode
from truerank.provenance import PathLike

Span = tuple[int, int]


class TestRows(NamedTuple):
    """The held-out rows, ascending by user, then item. rating : NaN where there is none."""

    user: np.ndarray
    item: np.ndarray
    rating: np.ndarray


@dataclass(frozen=True)
class Split:
    """The files of a split, read when they are asked for. A span is the first and last code of the users to read.

    test, facts : empty where a stage does not read them.
    """

    train: PathLike
    user_table: PathLike
    item_table: PathLike
    test: PathLike = ""
    facts: PathLike = ""

    @classmethod
    def of(cls, inputs: Any) -> "Split":
        """Return the split whose files a stage reads."""
        return cls(**{name: getattr(inputs, name) for name in cls.__dataclass_fields__ if hasattr(inputs, name)})

    @cached_property
    def n_users(self) -> int:
        return n_rows(self.user_table)

    @cached_property
    def n_items(self) -> int:
        return n_rows(self.item_table)

    @cached_property
    def scale(self) -> tuple[float, float] | None:
        """The lowest and the highest rating, None without ratings."""
        return read_json(self.facts)["rating_scale"]

    @cached_property
    def context(self) -> np.ndarray | None:
        """Users x features, what is known of each besides, None if nothing is."""
        return encode(read_attributes(self.user_table))

    def history(self, span: Span | None = None) -> Train:
        """Return the training rows as recommenders take them, with the size of the whole catalogue."""
        user, item = read_columns(self.train, "user", "item", users=span)
        rating = None if is_null(self.train, "rating") else read_columns(self.train, "rating", users=span)[0]
        return Train(user, item, self.n_users, self.n_items, rating, self.context)

    def tested(self, span: Span | None = None) -> TestRows:
        """Return the test rows."""
        return TestRows(*read_columns(self.test, "user", "item", "rating", users=span))

    def test_users(self) -> np.ndarray:
        return np.unique(read_columns(self.test, "user")[0])

    def tested_items(self) -> np.ndarray:
        """Return the items that anybody has in the test set, ascending."""
        return np.unique(read_columns(self.test, "item")[0])
