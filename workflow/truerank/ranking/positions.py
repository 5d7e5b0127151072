"""Where test items stand in lists that somebody gives: only the rows of test users matter, list after list."""

from dataclasses import dataclass

import numpy as np

from truerank.ranking.order import hashes, order_key, tie_hashes

UNLISTED = 2**40  # the place of a test item that no list has: beyond every cut-off


@dataclass(frozen=True)
class Sought:
    """Test rows, ascending by user code; ``rating`` decides who is first in optimistic ties, 0 if there is none.

    train_user, train_item : training rows of these users, in any order, which lists are read without.
    n_known : items have codes below it, those that lists bring follow.
    """

    n_users: int
    n_known: int
    user: np.ndarray
    item: np.ndarray
    rating: np.ndarray
    train_user: np.ndarray
    train_item: np.ndarray


class ListError(Exception):
    """What is wrong with a list. kind : item, place or order. user, item : codes. value : the rank, or None."""

    def __init__(self, kind: str, user: int, item: int, value: int | None) -> None:
        super().__init__(kind)
        self.kind, self.user, self.item, self.value = kind, int(user), int(item), value


class ScatteredError(Exception):
    """The rows of a user do not follow each other."""


class Positions:
    """The places of test items in one model's lists, which come in parts.

    ``rank`` per test row, UNLISTED where no list has it; ``n_unknown`` per user, listed items that are not known.
    ``n_rows`` rows were of test users. Training items of the user are passed over: what follows moves up.
    """

    def __init__(self, sought: Sought, ties: str, rng: np.random.Generator) -> None:
        self.sought, self.ties, self.key = sought, ties, order_key(rng)
        self.rank = np.full(len(sought.user), UNLISTED, np.int64)
        self.n_unknown = np.zeros(sought.n_users, np.int64)
        self.listed = np.zeros(sought.n_users, bool)
        self.n_rows, self.stamp = 0, 1
        self.test_tie: np.ndarray | None = None
        self.test_start = starts(sought.user, sought.n_users)
        order = np.argsort(sought.train_user, kind="stable")
        self.train_start, self.train_item = starts(sought.train_user, sought.n_users), sought.train_item[order]
        self.item_stamp = np.zeros(sought.n_known, np.int32)
        self.train_stamp = np.zeros(sought.n_known, np.int32)
        self.place_stamp = np.zeros(128, np.int32)

    def add(
        self,
        user: np.ndarray,
        item: np.ndarray,
        rank: np.ndarray | None,
        score: np.ndarray | None,
        user_hash: np.ndarray | None = None,
        item_hash: np.ndarray | None = None,
    ) -> None:
        """Take whole lists, users contiguous, -1 for users who are not in the test.

        rank : from 1 on; or score, the highest first; if both are given they have to agree. user_hash, item_hash : per
        code, what decides ties of scores.
        """
        from truerank.ranking.compiled import positions as compiled

        change = np.flatnonzero(np.diff(user, prepend=-2, append=-2))
        first, end = change[:-1], change[1:]
        wanted = user[first] >= 0
        first, end = first[wanted], end[wanted]
        users = user[first]
        if self.listed[users].any() or len(np.unique(users)) < len(users):
            raise ScatteredError
        self.listed[users] = True
        self.n_rows += int((end - first).sum())
        most = 1 + (int(item.max(initial=0)) if len(users) else 0)
        self.item_stamp, self.train_stamp = grown(self.item_stamp, most), grown(self.train_stamp, most)
        tie, test_tie = np.empty(0, np.uint64), np.empty(0, np.uint64)
        if rank is None:
            assert user_hash is not None, "scores may tie"
            assert item_hash is not None, "scores may tie"
            tie = hashes(self.key, user_hash[np.maximum(user, 0)], item_hash[item])
            test_tie = self.ties_of_tests(user_hash, item_hash)
        rank = np.empty(0, np.int64) if rank is None else rank
        self.place_stamp = grown(self.place_stamp, 1 + int(rank.max(initial=0)))
        fault, row = compiled.place_lists(
            *(first, end, users, item, rank, np.empty(0) if score is None else score, tie),
            *(self.test_start, self.sought.item, test_tie, self.train_start, self.train_item, self.sought.n_known),
            *(self.item_stamp, self.train_stamp, self.place_stamp, self.stamp, self.rank, self.n_unknown),
        )
        self.stamp += len(users)
        if fault != compiled.SOUND:
            kind = {compiled.ITEM_TWICE: "item", compiled.PLACE_TWICE: "place", compiled.DISAGREE: "order"}[fault]
            raise ListError(kind, user[row], item[row], int(rank[row]) if len(rank) else None)

    def ties_of_tests(self, user_hash: np.ndarray, item_hash: np.ndarray) -> np.ndarray:
        """Return what places each test row among the items with its score, under the policy."""
        if self.test_tie is None:
            sought = self.sought
            if self.ties == "random":
                self.test_tie = hashes(self.key, user_hash[sought.user], item_hash[sought.item])
            else:
                self.test_tie = tie_hashes(self.ties, self.key, sought.user, sought.item, sought.rating)
        return self.test_tie


def starts(user: np.ndarray, n_users: int) -> np.ndarray:
    """Return where each user's rows start in rows sorted by user, and where the last end."""
    return np.append(0, np.cumsum(np.bincount(user, minlength=n_users)))


def grown(stamps: np.ndarray, size: int) -> np.ndarray:
    """Return stamps with room for ``size`` codes at least."""
    if size <= len(stamps):
        return stamps
    larger = np.zeros(max(size, 2 * len(stamps)), np.int32)
    larger[: len(stamps)] = stamps
    return larger
