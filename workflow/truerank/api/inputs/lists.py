"""The lists of a model, read part by part: where the test items stand in them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.api.inputs.ids import as_plain, loosely, spelt
from truerank.api.inputs.sources import Columns, Source, names_in, open_lists, roles_of
from truerank.api.inputs.truth import Truth
from truerank.errors import UserError
from truerank.provenance import generator
from truerank.ranking.positions import UNLISTED, ListError, Positions, ScatteredError

UNKNOWN = ("miss", "error")
TIES = ("random", "optimistic", "pessimistic")
MOST_RANK = 10_000_000
EXAMPLES = 1_000_000  # ids that are looked at to say why none is common


@dataclass
class Placed:
    """Where a model has the test items. rank : per test row of the ``Truth``. candidates : per row, None if unknown.
    name : of the lists. n_absent : users without one. notes : what is to be told.
    """

    rank: np.ndarray
    candidates: np.ndarray | None
    name: str
    n_absent: int
    notes: list[str]


@dataclass
class Parts:
    """The rows that wait for the rest of their list."""

    user: np.ndarray
    item: np.ndarray
    rank: np.ndarray | None
    score: np.ndarray | None

    def after(self, other: "Parts | None") -> "Parts":
        """Return the rows of another, and these behind them."""
        if other is None or not len(other.user):
            return self
        pairs: Any = ((getattr(other, name), getattr(self, name)) for name in ("user", "item", "rank", "score"))
        columns: Any = (None if later is None else np.concatenate([earlier, later]) for earlier, later in pairs)
        return Parts(*columns)

    def of_items_below(self, n_items: int) -> "Parts":
        """Return the rows of the first ``n_items`` items; as other items leave gaps, ranks become scores."""
        score = self.score if self.rank is None else -self.rank.astype(float)
        return Parts(self.user, self.item, None, score).take(self.item < n_items)

    def take(self, rows: Any) -> "Parts":
        columns: Any = (getattr(self, name) for name in ("user", "item", "rank", "score"))
        taken: Any = (None if column is None else column[rows] for column in columns)
        return Parts(*taken)


def place(
    run: Any,
    name: str,
    truth: Truth,
    columns: Columns | None = None,
    unknown: str = "miss",
    ties: str = "random",
    seed: int = 1,
) -> Placed:
    """Read the lists of one model. name : what sentences call them, if they are no file."""
    source = open_lists(run, name, columns)
    roles = list_roles(source, columns)
    truth.columns.update(names_in(source, columns))
    try:
        try:
            found, reader = in_order(source, roles, truth, ties, seed)
        except ScatteredError:
            found, reader = gathered(source, roles, truth, ties, seed)
    except ListError as fault:
        raise as_user_error(fault, source, truth) from None
    truth.check_number()
    check_common(reader, found)
    return placed(reader, found, unknown)


def list_roles(source: Source, columns: Columns | None) -> dict[str, str]:
    """Return the columns of a table of lists: user, item, and rank or score or both."""
    roles = {role: name for role, name in roles_of(source, columns).items() if role != "rating"}
    if "rank" not in roles and "score" not in roles:
        raise UserError(
            f"{source.name} has neither rank nor score (columns found: {', '.join(source.names)}), expected one of "
            "them; name its column: columns={'rank': ..} in Python, --columns rank=.. in the shell"
        )
    return roles


class Reader:
    """Take batches of a source into codes, and count."""

    def __init__(self, source: Source, roles: dict[str, str], truth: Truth) -> None:
        self.source, self.roles, self.truth = source, roles, truth
        self.n_rows, self.common = 0, False

    def __iter__(self) -> Any:
        truth = self.truth
        for batch in self.source.batches(self.roles):
            if not batch:
                continue
            user, item = truth.users.encode(batch["user"], add=False), truth.items.encode(batch["item"])
            self.n_rows += len(user)
            self.common = self.common or bool(item.min(initial=truth.n_test_items) < truth.n_test_items)
            rank = batch.get("rank")
            if rank is not None and rank.max(initial=0) > MOST_RANK:
                largest = f"{self.source.name} has the rank {rank.max():,}"
                raise UserError(f"{largest}, expected at most {MOST_RANK:,}; correct it")
            part = Parts(user, item, rank, batch.get("score"))
            yield part.of_items_below(truth.n_test_items) if truth.tested else part


def in_order(source: Source, roles: dict[str, str], truth: Truth, ties: str, seed: int) -> tuple[Positions, Reader]:
    """Take lists as they come; raise ``ScatteredError`` if the rows of a user do not follow each other."""
    found = Positions(truth.sought, ties, generator(seed, "ties of lists"))
    reader, rest = Reader(source, roles, truth), None
    for part in reader:
        whole = part.after(rest)
        change = np.flatnonzero(whole.user[1:] != whole.user[:-1])
        cut = int(change[-1]) + 1 if len(change) else 0
        add(found, whole.take(slice(0, cut)), truth)
        rest = whole.take(slice(cut, None))
    if rest is not None:
        add(found, rest, truth)
    return found, reader


def gathered(source: Source, roles: dict[str, str], truth: Truth, ties: str, seed: int) -> tuple[Positions, Reader]:
    """Take all rows of test users at once, sorted by user."""
    found = Positions(truth.sought, ties, generator(seed, "ties of lists"))
    reader, rest = Reader(source, roles, truth), None
    parts = [part.take(part.user >= 0) for part in reader]
    for part in parts:
        rest = part.after(rest)
    if rest is not None:
        add(found, rest.take(np.argsort(rest.user, kind="stable")), truth)
    return found, reader


def add(found: Positions, part: Parts, truth: Truth) -> None:
    hashes = () if part.rank is not None else (truth.users.hashes(), truth.items.hashes())
    found.add(part.user, part.item, part.rank, part.score, *hashes)


def as_user_error(fault: ListError, source: Source, truth: Truth) -> UserError:
    """Return what is wrong with a list in one sentence."""
    user, item = truth.users.name(fault.user), truth.items.name(fault.item)
    where = source.locate(str(user), str(item)) if source.locate and fault.kind == "item" else source.name
    if fault.kind == "item":
        what = f"found the item {item!r} twice for the user {user!r}, expected each item once; delete one"
    elif fault.kind == "place":
        what = f"found two items at place {fault.value} of the user {user!r}, expected one at each; correct the ranks"
    else:
        what = (
            f"ranks and scores of the user {user!r} disagree: the item {item!r} at place {fault.value} has a higher "
            "score than one above it, expected the same order; leave one of the two columns out"
        )
    return UserError(f"{where}: {what}")


def check_common(reader: Reader, found: Positions) -> None:
    """Refuse lists that have no user, or no item, of the test."""
    source, truth = reader.source, reader.truth
    for role, ids, common in (("user", truth.users, found.listed.any()), ("item", truth.items, reader.common)):
        if not common:
            own = ids.texts if role == "user" else ids.texts[: truth.n_test_items]
            listed = some_ids(reader, role)
            alike = {loosely(each): each for each in own}
            pair = next(((each, alike[loosely(each)]) for each in listed if loosely(each) in alike), None)
            hint = f"such as {listed[0]!r} and {own[0]!r}" if listed else "since it has no rows"
            if pair:
                hint = f"but {pair[0]!r} there and {pair[1]!r} here would match if they were written in the same way"
            raise UserError(
                f"{source.name} and {truth.name} have no {role} in common, {hint}; write the ids in the same way, or "
                "name other columns"
            )


def some_ids(reader: Reader, role: str) -> list[str]:
    """Return ids of the lists, to show how they are written."""
    found: list[str] = []
    for batch in reader.source.batches(reader.roles):
        if batch and len(found) < EXAMPLES:
            plain = as_plain(batch[role])
            own = np.unique(plain).tolist() if isinstance(plain, np.ndarray) else plain[1]
            found += [spelt(str(each)) for each in own]
    return found


def placed(reader: Reader, found: Positions, unknown: str) -> Placed:
    """Return ranks with candidates, where these are known, and what is to be told."""
    source, truth, notes = reader.source, reader.truth, list[str]()
    if reader.n_rows > found.n_rows:
        left = reader.n_rows - found.n_rows
        notes.append(f"{left:,} of {reader.n_rows:,} rows of {source.name} are of users who are not in {truth.name}.")
    n_unknown = int(found.n_unknown.sum()) if truth.declared is None else 0
    if n_unknown:
        share = f"{n_unknown:,} of {found.n_rows:,} rows of {source.name} ({100 * n_unknown / found.n_rows:.3g} %)"
        known = "the catalogue" if truth.closed else truth.name
        if unknown == "error":
            what = f"have an item that is not in {known}, expected none"
            raise UserError(f"{share} {what}; correct them, or set `unknown` to miss")
        notes.append(f"{share} have an item that is not in {known}: it keeps its position as a miss.")
    return Placed(*last_places(truth, found), source.name, truth.n_users - int(found.listed.sum()), notes)


def last_places(truth: Truth, found: Positions) -> tuple[np.ndarray, np.ndarray | None]:
    """Return ranks and candidates; where these are known, a test item that is not listed comes last of them."""
    if truth.n_items is None:
        return found.rank, None
    candidates = truth.n_candidates
    if truth.declared is None:
        candidates = candidates + found.n_unknown
    unlisted = found.rank == UNLISTED
    n_unlisted = np.bincount(truth.user[unlisted], minlength=truth.n_users)
    deepest = np.zeros(truth.n_users, np.int64)
    np.maximum.at(deepest, truth.user[~unlisted], found.rank[~unlisted])
    candidates = np.maximum(candidates, deepest + n_unlisted)
    rank = found.rank.copy()
    rows = np.flatnonzero(unlisted)
    first = np.append(0, np.cumsum(n_unlisted))[:-1]
    nth = np.arange(len(rows)) - first[truth.user[rows]]
    rank[rows] = candidates[truth.user[rows]] - nth
    return rank, candidates[truth.user]
