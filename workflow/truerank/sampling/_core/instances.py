"""Test items with the candidates that they are ranked among, for samplers that draw items."""

import numpy as np
from scipy import sparse

from truerank.ranking.candidates import Candidates
from truerank.ranking.order import hashes


class Instances:
    """Test items with the candidates that they are ranked among.

    user, item, tie_hash, kept : per test row; an instance is a row that is kept. The user's other test rows are
    candidates like any other, except that a tie policy has placed them too (``ranking.order``). among : the candidates
    of all users. key : of the seeded order that decides ties. shard : number and count; of the instances, those to be
    sampled for. popularity : how many users have each item in training. without_tests : a user's other test items are
    no candidates.
    """

    def __init__(
        self,
        user: np.ndarray,
        item: np.ndarray,
        tie_hash: np.ndarray,
        kept: np.ndarray,
        among: Candidates,
        key: np.uint64,
        shard: tuple[int, int] = (0, 1),
        popularity: np.ndarray | None = None,
        without_tests: bool = False,
    ) -> None:
        self.user, self.item, self.tie_hash = user[kept], item[kept], tie_hash[kept]
        self.among = without_test_items(among, user, item) if without_tests else among
        self.key, self.shard = key, shard
        self.popularity = np.ones(among.barred.shape[1]) if popularity is None else popularity
        self.candidates = self.among.per_user[self.user] + int(without_tests)  # the item itself is one
        code = self._code(user, item)
        order = np.argsort(code)
        self._tests, self._placed = code[order], tie_hash[order]

    def _code(self, user: np.ndarray, item: np.ndarray) -> np.ndarray:
        return np.asarray(user, np.int64) * self.among.barred.shape[1] + item

    def hashes(self, user: np.ndarray, item: np.ndarray) -> np.ndarray:
        """Return the places of candidates among those of equal score, as the exact ranking has them: smaller first."""
        code = self._code(user, item)
        row = np.minimum(np.searchsorted(self._tests, code), len(self._tests) - 1)
        return np.where(self._tests[row] == code, self._placed[row], hashes(self.key, user, item))

    def passed(self, row: int) -> np.ndarray:
        """Return the places of the pool that are not drawn for an instance: no candidates, and the item itself."""
        barred, user = self.among.barred_in_pool, self.user[row]
        itself = np.searchsorted(self.among.pool, self.item[row])
        return np.union1d(barred.indices[barred.indptr[user] : barred.indptr[user + 1]], itself)

    def others(self, row: int, rng: np.random.Generator, repeats: int, negatives: int, replace: bool) -> np.ndarray:
        """Draw from the candidates of one instance other than itself, repeats x negatives in a row."""
        passed = self.passed(row)
        n = self.candidates[row] - 1
        if replace:
            place = rng.integers(n, size=repeats * negatives)
        else:
            place = np.concatenate([rng.choice(n, negatives, replace=False, shuffle=False) for _ in range(repeats)])
        # The place-th item of the pool that is a candidate: step over those before it that are none.
        return self.among.pool[place + np.searchsorted(passed - np.arange(len(passed)), place, side="right")]


def without_test_items(among: Candidates, user: np.ndarray, item: np.ndarray) -> Candidates:
    """Return candidates without any test item of the user."""
    shape = among.barred.shape
    barred = among.barred.astype(bool) + sparse.csr_matrix((np.ones(len(user), bool), (user, item)), shape)
    return Candidates(sparse.csr_matrix(barred), among.pool)
