"""Negatives that are really drawn and scored: for catalogues too large to rank."""

from collections.abc import Callable, Sequence

import numpy as np

from truerank.errors import UserError
from truerank.ranking.candidates import Candidates
from truerank.ranking.order import hashes
from truerank.ranking.shards import shard_of
from truerank.registry import SAMPLERS, Count
from truerank.sampling._core.sample import Sample
from truerank.sampling._core.simulation import check_enough

CELLS_PER_BLOCK = 1 << 21


@SAMPLERS.register("draw", needs="models", gives="ranks")
def draw(
    instances: "Instances",
    scorers: Sequence[Callable[[np.ndarray, np.ndarray], np.ndarray]],
    rng: np.random.Generator,
    *,
    negatives: Count,
    replace: bool = False,
    repeats: Count = 10,
) -> Sample:
    r"""Draw negatives for each instance and repeat, the same for all models, and score nothing else.

    .. math:: r = 1 + \sum_{j \in \text{negatives}} [s_j > s_i \text{ or } s_j = s_i, j \text{ placed before } i]

    instances : the test items (``Instances``). scorers : per model a function from users and users x n items to scores.
    Time and memory follow the number of negatives, not that of items. Every block of instances has a stream of random
    numbers of its own, so that the instances of a shard are drawn the same negatives alone as among all. Without
    replacement, fewer other candidates than negatives are an error.

    Krichene & Rendle 2020, doi:10.1145/3394486.3403226, section 4.
    """
    if not replace:
        check_enough(instances.candidates, negatives, "negatives")
    step = max(1, CELLS_PER_BLOCK // (1 + repeats * negatives))
    own = shard_of(len(instances.user), step, *instances.shard)
    sampled = np.empty((len(scorers), repeats, own.stop - own.start), np.int32)
    for start in range(own.start, own.stop, step):
        rows = slice(start, min(start + step, own.stop))
        own_bits = rng.bit_generator.jumped(start // step)  # type: ignore[attr-defined]  # Philox can jump
        stream = np.random.Generator(own_bits)
        items = np.stack(
            [instances.others(row, stream, repeats, negatives, replace) for row in range(rows.start, rows.stop)]
        )
        user, item = instances.user[rows], instances.item[rows]
        ahead = instances.hashes(user[:, None], items) < instances.tie_hash[rows, None]
        for model, scores_of in enumerate(scorers):
            scores = scores_of(user, np.column_stack([item, items]))
            if np.isnan(scores).any():
                raise UserError(f"model number {model + 1} gives scores that are not a number")
            first, others = scores[:, :1], scores[:, 1:]
            above = (others > first) | ((others == first) & (ahead | np.isneginf(first)))  # as exact ranks have it
            place = slice(start - own.start, rows.stop - own.start)
            sampled[model, :, place] = 1 + above.reshape(len(user), repeats, negatives).sum(axis=2).T
    return Sample(sampled, np.int32(negatives))


class Instances:
    """Test items with the candidates that they are ranked among.

    user, item, tie_hash, kept : per test row; an instance is a row that is kept. The user's other test rows are
    candidates like any other, except that a tie policy has placed them too (``ranking.order``). among : the candidates
    of all users. key : of the seeded order that decides ties. shard : number and count; of the instances, those to be
    sampled for.
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
    ) -> None:
        self.user, self.item, self.tie_hash = user[kept], item[kept], tie_hash[kept]
        self.among, self.key, self.shard = among, key, shard
        self.candidates = among.per_user[self.user]
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

    def others(self, row: int, rng: np.random.Generator, repeats: int, negatives: int, replace: bool) -> np.ndarray:
        """Draw from the candidates of one instance other than itself, repeats x negatives in a row."""
        barred, pool, user = self.among.barred_in_pool, self.among.pool, self.user[row]
        itself = np.searchsorted(pool, self.item[row])
        passed = np.sort(np.append(barred.indices[barred.indptr[user] : barred.indptr[user + 1]], itself))
        n = self.candidates[row] - 1
        if replace:
            place = rng.integers(n, size=repeats * negatives)
        else:
            place = np.concatenate([rng.choice(n, negatives, replace=False, shuffle=False) for _ in range(repeats)])
        # The place-th item of the pool that is a candidate: step over those before it that are none.
        return pool[place + np.searchsorted(passed - np.arange(len(passed)), place, side="right")]
