"""The order in which a cheap proxy puts every user's candidates, test items left out."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from truerank.errors import UserError

if TYPE_CHECKING:
    from scipy import sparse

LAST = -np.inf


class ProxyOrder:
    """Candidates by position 0, 1, .., best first, per row: a user with a test item.

    n : per row, the number of candidates other than test items. own_rank : per test row, 1 + the candidates that the
    proxy puts ahead of it, other test items not counted. Items without a proxy score (NaN or minus infinity) come last;
    they, and items of equal score, stand in one seeded random order.
    """

    n: np.ndarray
    own_rank: np.ndarray

    def items(self, rows: np.ndarray, positions: np.ndarray) -> np.ndarray:
        """Return the items at positions, elementwise."""
        raise NotImplementedError


class SharedOrder(ProxyOrder):
    """One order of all items for everybody, as popularity gives; each user's own items are stepped over.

    Memory: the training and test rows, not users x items.
    """

    def __init__(self, score: np.ndarray, barred: "Barred", rng: np.random.Generator) -> None:
        shuffled = rng.permutation(len(score))
        ranked = known(score)[shuffled]
        check_known(np.isfinite(ranked).any())
        self.ranking = shuffled[np.argsort(-ranked, kind="stable")]
        place = np.empty(len(score), np.int64)
        place[self.ranking] = np.arange(len(score))
        row, own = barred.rows, place[barred.items]
        own = own[np.lexsort((own, row))]
        self.width, self.start = len(score) + 1, barred.start
        self.n = len(score) - np.diff(barred.start)
        # The p-th candidate stands behind those barred items whose place less their number is at most p.
        self.gap = row * self.width + own - (np.arange(len(own)) - barred.start[row])
        tested = place[barred.test_item]
        code = row * self.width + own
        before = np.searchsorted(code, barred.test_row * self.width + tested) - barred.start[barred.test_row]
        self.own_rank = 1 + tested - before

    def items(self, rows: np.ndarray, positions: np.ndarray) -> np.ndarray:
        behind = np.searchsorted(self.gap, rows * self.width + positions, side="right") - self.start[rows]
        return self.ranking[positions + behind]


class OwnOrder(ProxyOrder):
    """An order for each user. scores : function from rows to their proxy scores, rows x items.

    Memory: users x items, four bytes each.
    """

    def __init__(
        self,
        scores: Callable[[np.ndarray], np.ndarray],
        n_items: int,
        barred: "Barred",
        rng: np.random.Generator,
        rows_at_once: int = 256,
    ) -> None:
        shuffled = rng.permutation(n_items)
        self.n = n_items - np.diff(barred.start)
        self.table = np.full((len(self.n), int(self.n.max(initial=0))), -1, np.int32)
        self.own_rank = np.empty(len(barred.test_item), np.int64)
        some = False
        for first in range(0, len(self.n), rows_at_once):
            block = np.arange(first, min(first + rows_at_once, len(self.n)))
            found = known(np.asarray(scores(block)))[:, shuffled]
            some |= bool(np.isfinite(found).any())
            ranked = shuffled[np.argsort(-found, axis=1, kind="stable")]
            for row, ranking in zip(block, ranked, strict=True):
                free = np.ones(n_items, bool)
                free[barred.of(row)] = False
                is_candidate = free[ranking]
                self.table[row, : self.n[row]] = ranking[is_candidate]
                tests = slice(*barred.test_start[row : row + 2])
                place = np.empty(n_items, np.int64)
                place[ranking] = np.cumsum(is_candidate)
                self.own_rank[tests] = 1 + place[barred.test_item[tests]]
        check_known(some)

    def items(self, rows: np.ndarray, positions: np.ndarray) -> np.ndarray:
        return self.table[rows, positions]


class Barred:
    """What is no candidate to be asked about: each user's training items, and the test items, which are asked first.

    users : codes of the users with a test item, ascending, one per row. history : users x items in CSR form.
    test_row, test_item : the test rows, ascending by row. ``start`` and ``items`` are rows in CSR form.
    """

    def __init__(
        self, users: np.ndarray, history: "sparse.csr_matrix", test_row: np.ndarray, test_item: np.ndarray
    ) -> None:
        own = history[users]
        rows = np.concatenate([np.repeat(np.arange(len(users)), np.diff(own.indptr)), test_row])
        items = np.concatenate([own.indices, test_item]).astype(np.int64)
        code = np.unique(rows.astype(np.int64) * history.shape[1] + items)
        self.rows, self.items = np.divmod(code, history.shape[1])
        self.start = np.searchsorted(self.rows, np.arange(len(users) + 1))
        self.test_row, self.test_item = np.asarray(test_row, np.int64), np.asarray(test_item, np.int64)
        self.test_start = np.searchsorted(test_row, np.arange(len(users) + 1))

    def of(self, row: int | np.integer) -> np.ndarray:
        return self.items[self.start[row] : self.start[row + 1]]


def known(score: np.ndarray) -> np.ndarray:
    """Return proxy scores with minus infinity for those that are missing."""
    return np.where(np.isnan(score), LAST, score)


def check_known(some: bool) -> None:
    if not some:
        raise UserError("the proxy has a score for no item, expected one for some at least; give another proxy")
