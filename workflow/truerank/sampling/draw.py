"""Negatives that are really drawn and scored: for catalogues too large to rank."""

import numpy as np

from truerank.errors import UserError
from truerank.ranking.order import hashes
from truerank.registry import SAMPLERS, Count
from truerank.sampling.sample import Sample
from truerank.sampling.simulation import check_enough

CELLS_PER_BLOCK = 1 << 21


@SAMPLERS.register("draw", needs="models", gives="ranks")
def draw(instances, scorers, rng, *, negatives: Count, replace: bool = False, repeats: Count = 10):
    """Draw negatives for each instance and repeat, the same for all models, and score nothing else.

    instances : the test items (``Instances``). scorers : per model a function from users and users x n items to scores.
    Time and memory follow the number of negatives, not that of items.
    """
    if not replace:
        check_enough(instances.candidates, negatives, "negatives")
    sampled = np.empty((len(scorers), repeats, len(instances.user)), np.int32)
    step = max(1, CELLS_PER_BLOCK // (1 + repeats * negatives))
    for start in range(0, len(instances.user), step):
        rows = slice(start, min(start + step, len(instances.user)))
        items = np.stack(
            [instances.others(row, rng, repeats, negatives, replace) for row in range(rows.start, rows.stop)]
        )
        user, own = instances.user[rows], instances.item[rows]
        ahead = instances.hashes(user[:, None], items) < instances.tie_hash[rows, None]
        for model, scores_of in enumerate(scorers):
            scores = scores_of(user, np.column_stack([own, items]))
            if np.isnan(scores).any():
                raise UserError(f"model number {model + 1} gives scores that are not a number")
            first, others = scores[:, :1], scores[:, 1:]
            above = (others > first) | ((others == first) & (ahead | np.isneginf(first)))  # as exact ranks have it
            sampled[model, :, rows] = 1 + above.reshape(len(user), repeats, negatives).sum(axis=2).T
    return Sample(sampled, np.int32(negatives))


class Instances:
    """Test items with the candidates that they are ranked among: all items but those of the user's training.

    user, item, tie_hash, kept : per test row; an instance is a row that is kept. The user's other test rows are
    candidates like any other, except that a tie policy has placed them too (``ranking.order``). history : users x
    items in CSR form. key : of the seeded order that decides ties.
    """

    def __init__(self, user, item, tie_hash, kept, history, key):
        self.user, self.item, self.tie_hash = user[kept], item[kept], tie_hash[kept]
        self.history, self.key = history, key
        self.candidates = (history.shape[1] - np.diff(history.indptr))[self.user]
        code = self._code(user, item)
        order = np.argsort(code)
        self._tests, self._placed = code[order], tie_hash[order]

    def _code(self, user, item):
        return np.asarray(user, np.int64) * self.history.shape[1] + item

    def hashes(self, user, item):
        """Return the places of candidates among those of equal score, as the exact ranking has them: smaller first."""
        code = self._code(user, item)
        row = np.minimum(np.searchsorted(self._tests, code), len(self._tests) - 1)
        return np.where(self._tests[row] == code, self._placed[row], hashes(self.key, user, item))

    def others(self, row, rng, repeats, negatives, replace):
        """Draw from the candidates of one instance other than itself, repeats x negatives in a row."""
        indptr, indices, user = self.history.indptr, self.history.indices, self.user[row]
        barred = np.sort(np.append(indices[indptr[user] : indptr[user + 1]], self.item[row]))
        n = self.candidates[row] - 1
        if replace:
            place = rng.integers(n, size=repeats * negatives)
        else:
            place = np.concatenate([rng.choice(n, negatives, replace=False, shuffle=False) for _ in range(repeats)])
        # The place-th item that is not barred: step over the barred ones before it.
        return place + np.searchsorted(barred - np.arange(len(barred)), place, side="right")
