"""Relevant test items as instances: sampling treats each (user, test item) on its own. Some are in memory at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from truerank.artefacts.files import is_null, read_parts
from truerank.artefacts.rank_table import rank_of
from truerank.metrics._core.relevance import is_relevant
from truerank.provenance import PathLike
from truerank.registry import Definition

INSTANCES_PER_BLOCK = 1 << 16  # samplers draw for a block with a stream of its own, so another number is other samples
ROWS_AT_A_TIME = 1 << 16
COLUMNS = ["user", "item", "rating", "above", "before", "candidates"]
Rows = dict[str, np.ndarray]


@dataclass(frozen=True)
class ExactRanks:
    """The exact ranks of all instances. rank : models x instances. user, item, candidates : per instance.

    tests_above : models x instances, how many other test items of the user rank before. tests : how many there are.
    """

    user: np.ndarray
    item: np.ndarray
    rank: np.ndarray
    candidates: np.ndarray
    tests_above: np.ndarray
    tests: np.ndarray

    def without_test_items(self) -> "ExactRanks":
        """Return the ranks among candidates without the user's other test items."""
        rank, candidates = self.rank - self.tests_above, self.candidates - self.tests
        none_above, no_tests = np.zeros_like(self.tests_above), np.zeros_like(self.tests)
        return ExactRanks(self.user, self.item, rank, candidates, none_above, no_tests)

    def part(self, rows: slice) -> "ExactRanks":
        """Return some of the instances."""
        return ExactRanks(**{name: array[..., rows] for name, array in vars(self).items()})


def read_exact_ranks(paths: Sequence[PathLike], relevance: Definition) -> ExactRanks:
    """Read the ranks of all relevant test items under all models. See ``read_some_ranks``."""
    return joined(list(read_users(paths, relevance)))


def read_some_ranks(paths: Sequence[PathLike], relevance: Definition) -> Iterator[ExactRanks]:
    """Read the ranks of relevant test items, ``INSTANCES_PER_BLOCK`` at a time, the last ones fewer.

    The rank tables of all models have the same rows, users ascending. A model that recommends items besides the
    catalogue has more candidates than others, which rank these items last. The largest number holds for all.
    """
    held: list[ExactRanks] = []
    for users in read_users(paths, relevance):
        held.append(users)
        while sum(len(part.user) for part in held) >= INSTANCES_PER_BLOCK:
            whole = joined(held)
            yield whole.part(slice(0, INSTANCES_PER_BLOCK))
            held = [whole.part(slice(INSTANCES_PER_BLOCK, None))]
    if any(len(part.user) for part in held):
        yield joined(held)


def read_users(paths: Sequence[PathLike], relevance: Definition) -> Iterator[ExactRanks]:
    """Read the relevant test items of some users at a time, who have all their test items there."""
    rated = not is_null(paths[-1], "rating")
    held: list[Rows] | None = None
    for tables in zip(*(read_parts([path], COLUMNS, ROWS_AT_A_TIME) for path in paths), strict=True):
        rows = [{name: table[name].to_numpy() for name in COLUMNS} for table in tables]
        if held is not None:
            rows = [
                {name: np.concatenate([before[name], own[name]]) for name in COLUMNS}
                for before, own in zip(held, rows, strict=True)
            ]
        user = rows[-1]["user"]
        end = int(np.searchsorted(user, user[-1])) if len(user) else 0  # the last user may have more rows
        yield instances_of([{name: own[name][:end] for name in COLUMNS} for own in rows], rated, relevance)
        held = [{name: own[name][end:] for name in COLUMNS} for own in rows]
    if held is not None:
        yield instances_of(held, rated, relevance)


def instances_of(rows: Sequence[Rows], rated: bool, relevance: Definition) -> ExactRanks:
    """Return the relevant test items among the rows of the rank tables of all models."""
    user, item, rating = (rows[-1][name] for name in ("user", "item", "rating"))
    kept = is_relevant(relevance, rating, rated=rated)
    candidates = np.max([own["candidates"] for own in rows], axis=0)[kept]
    rank = np.stack([rank_of(own["above"], own["before"]) for own in rows])
    tests_above = np.stack([tests_before(user, each) for each in rank])[:, kept]
    tests = (np.searchsorted(user, user, side="right") - np.searchsorted(user, user) - 1)[kept]
    return ExactRanks(user[kept], item[kept], rank[:, kept], candidates, tests_above, tests)


def joined(parts: Sequence[ExactRanks]) -> ExactRanks:
    """Return instances one after another."""
    names = vars(parts[0])
    return ExactRanks(**{name: np.concatenate([vars(part)[name] for part in parts], axis=-1) for name in names})


def tests_before(user: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Return for each test row how many rows of the same user have a smaller rank."""
    order = np.lexsort((rank, user))
    first = np.searchsorted(user[order], user)
    place = np.empty(len(user), np.int64)
    place[order] = np.arange(len(user))
    return place - first
