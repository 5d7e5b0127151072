"""Exact ranks of test items among all candidates, and top lists, in blocks of users.

A model is asked for the scores of a block of users at a time, so memory is ``threads`` blocks whatever the data. The
block size follows from the number of items alone: the same numbers come out on any number of threads, in any memory.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from truerank.errors import UserError
from truerank.ranking.order import salt
from truerank.ranking.shards import blocks

if TYPE_CHECKING:
    from scipy import sparse

CELLS_PER_BLOCK = 1 << 22
MOST_ROWS, FEWEST_ROWS = 512, 8


@dataclass(frozen=True)
class Ranking:
    """What ranking gives: one entry per test row, and ``depth`` places per user with a test row.

    score, above, tied, before : per test row. ``above`` candidates score higher; ``tied`` others score the same, of
    which the tie policy puts ``before`` ahead, so the rank is 1 + above + before.
    users : users with a test row, ascending. list_item, list_score : users x depth, -1 and NaN past the last item.
    """

    score: np.ndarray
    above: np.ndarray
    tied: np.ndarray
    before: np.ndarray
    users: np.ndarray
    list_item: np.ndarray
    list_score: np.ndarray


def rank_items(
    scores: Callable[[np.ndarray], np.ndarray],
    barred: "sparse.csr_matrix",
    test_user: np.ndarray,
    test_item: np.ndarray,
    key: np.uint64,
    test_hash: np.ndarray | None = None,
    depth: int = 100,
    threads: int = 1,
    left_out: np.ndarray | None = None,
) -> Ranking:
    """Rank every test item among the user's candidates: all items except those that are barred or left out.

    scores : function from a block of users to a new float32 array, users x items.
    barred : users x items in CSR form, a stored entry where the item is no candidate of the user, as those of training.
    left_out : items that are nobody's candidates, none if not given. ``candidates.candidates_of`` gives both.
    test_user, test_item : the test rows, ascending by user, then item. key : of the order that decides ties.
    test_hash : the test rows' places in that order under a tie policy (``order.tie_hashes``), at random if not given.
    A score of minus infinity means that the item is not recommended: it is not listed, and a test item with it ranks
    behind all other candidates, whatever the tie policy, so that no cut-off short of the whole catalogue counts it. NaN
    or plus infinity raises UserError.
    """
    from truerank.ranking.compiled import kernels

    first = np.flatnonzero(test_user[1:] != test_user[:-1]) + 1
    start = np.concatenate([[0], first, [len(test_user)]]) if len(test_user) else np.zeros(1, np.int64)
    users = test_user[start[:-1]]
    test_hash = np.empty(0, np.uint64) if test_hash is None else test_hash
    n_items = barred.shape[1]
    left_out = np.empty(0, np.int64) if left_out is None else left_out
    barred_item = in_one_form(barred.indices, np.int32)
    depth = min(depth, n_items)
    score = np.empty(len(test_item), np.float32)
    above, tied, before = (np.empty(len(test_item), np.int32) for _ in range(3))
    list_item = np.empty((len(users), depth), np.int32)
    list_score = np.empty((len(users), depth), np.float32)

    def work(rows: slice) -> None:
        block = users[rows]
        block_scores = np.ascontiguousarray(scores(block), np.float32)
        history = (in_one_form(barred.indptr[block + end], np.int64) for end in (0, 1))
        cut = slice(start[rows.start], start[rows.stop])
        items, placed = in_one_form(test_item[cut], np.int32), in_one_form(test_hash[cut], np.uint64)
        tests = start[rows.start : rows.stop + 1] - start[rows.start], items, placed
        salts = salt(key, block)
        out = [column[cut] for column in (score, above, tied, before)] + [list_item[rows], list_score[rows]]
        bad = kernels.rank_block(
            block_scores, salts, *history, barred_item, in_one_form(left_out, np.int32), *tests, *out
        )
        if bad >= 0:
            raise UserError(f"the model gives user code {block[bad]} a score that is not a finite number")

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, blocks(len(users), rows_per_block(n_items))))
    return Ranking(score, above, tied, before, users, list_item, list_score)


def in_one_form(array: np.ndarray, dtype: type) -> np.ndarray:
    """Return an array as the kernel takes it, the same where it is so: every other form would be compiled anew."""
    return np.require(array, dtype, ["C", "W"])


def rows_per_block(n_items: int) -> int:
    """Return how many users are scored at once: about 16 MB of scores."""
    return int(np.clip(CELLS_PER_BLOCK // n_items, FEWEST_ROWS, MOST_ROWS))
