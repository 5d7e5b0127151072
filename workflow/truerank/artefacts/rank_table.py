"""Exact ranks of test items under one model, and its top lists."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from truerank.artefacts.files import is_null, largest, read_columns, read_parts, write_table
from truerank.artefacts.split import Span
from truerank.metrics._core.judged import JudgedRanks, Scale
from truerank.metrics._core.listed import list_array
from truerank.metrics._core.relevance import judged_by
from truerank.models._core.base import Train
from truerank.provenance import PathLike
from truerank.registry import Definition


class Columns:
    """Arrays of one length, an attribute each."""

    def write(self, path: PathLike) -> None:
        write_table(path, vars(self))


@dataclass(frozen=True)
class RankTable(Columns):
    """One row per test item: ``above`` candidates score higher, and of ``tied`` others ``before`` are put ahead.

    rating, prediction : NaN where there is none.
    """

    user: np.ndarray
    item: np.ndarray
    rating: np.ndarray
    score: np.ndarray
    above: np.ndarray
    tied: np.ndarray
    candidates: np.ndarray
    before: np.ndarray
    prediction: np.ndarray

    def judgements(self, history: Train, scale: Scale | None) -> "Judgements":
        """Return what metrics are computed from; ratings, or predictions, that are all missing are None."""
        known = {name: getattr(self, name) for name in ("rating", "prediction")}
        known = {name: None if np.isnan(values).all() else values for name, values in known.items()}
        rank = rank_of(self.above, self.before)
        return judgements(self.user, rank, self.candidates, **known, history=history, scale=scale)


@dataclass(frozen=True)
class Lists(Columns):
    """The best items of every user with a test item, one row per place."""

    user: np.ndarray
    position: np.ndarray
    item: np.ndarray
    score: np.ndarray


@dataclass(frozen=True)
class Judgements:
    """The test items of users with their ranks and ratings, before any rule says which are relevant.

    rating, prediction : None where there are none. mean_rating : per row, of all that its user rated.
    """

    user: np.ndarray
    rank: np.ndarray
    candidates: np.ndarray
    rating: np.ndarray | None
    prediction: np.ndarray | None
    mean_rating: np.ndarray | None
    scale: Scale | None

    def by(self, rule: Definition) -> JudgedRanks:
        """Return them judged by a rule of relevance."""
        return judged_by(rule, **{name: getattr(self, name) for name in self.__dataclass_fields__})


def judgements(
    user: np.ndarray,
    rank: np.ndarray,
    candidates: np.ndarray,
    rating: np.ndarray | None,
    prediction: np.ndarray | None,
    history: Train,
    scale: Scale | None,
) -> Judgements:
    """Return judgements with the mean rating of every user, over test and training rows."""
    if rating is None:
        return Judgements(user, rank, candidates, None, None, None, None)
    mean = mean_ratings(user, rating, history)
    return Judgements(user, rank, candidates, rating, prediction, mean, scale)


def mean_ratings(user: np.ndarray, rating: np.ndarray, history: Train) -> np.ndarray:
    """Return the mean rating of the user of every row; memory is that of the users from the first to the last."""
    first, last = (user.min(), user.max()) if len(user) else (0, -1)
    user, n = user - first, last - first + 1
    total, count = np.bincount(user, rating, n), np.bincount(user, minlength=n)
    if history.rating is not None:
        own = (history.user >= first) & (history.user <= last)
        total += np.bincount(history.user[own] - first, history.rating[own], n)
        count += np.bincount(history.user[own] - first, minlength=n)
    return (total / np.maximum(count, 1))[user]


def rank_of(above: np.ndarray, before: np.ndarray) -> np.ndarray:
    return 1 + above + before


def read_ranks(path: PathLike, *names: str, span: Span | None = None) -> dict[str, np.ndarray]:
    """Read the ranks of a rank table, and other columns of it."""
    above, before, *others = read_columns(path, "above", "before", *names, users=span)
    return {"rank": rank_of(above, before)} | dict(zip(names, others, strict=True))


def read_judgements(path: PathLike, history: Train, scale: Scale | None, span: Span | None = None) -> Judgements:
    """Read a rank table as judgements. history : training rows, of the users of the ``span`` at least."""
    table: dict[str, Any] = read_ranks(path, "user", "candidates", "rating", "prediction", span=span)
    for name in ("rating", "prediction"):
        if is_null(path, name):
            table[name] = None
    return judgements(**table, history=history, scale=scale)


def read_lists(path: PathLike, user: np.ndarray, span: Span | None = None) -> np.ndarray:
    """Read lists as users x depth items, one row per user of ``user``."""
    listed, position, item = read_columns(path, "user", "position", "item", users=span)
    return list_array(np.unique(user), listed, position, item, largest(path, "position"))


def same_lists(paths: Mapping[str, PathLike]) -> set[frozenset[str]]:
    """Return the pairs of models, of those whose lists are in ``paths``, that list the same items for every user."""
    content: dict[str, list[str]] = {}
    for model, path in paths.items():
        digests = {name: hashlib.sha256() for name in ("user", "position", "item")}
        for part in read_parts([path], list(digests)):
            for name, digest in digests.items():
                digest.update(part[name].to_numpy().tobytes())
        content.setdefault("".join(digest.hexdigest() for digest in digests.values()), []).append(model)
    return {frozenset(pair) for models in content.values() for pair in combinations(models, 2)}
