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
        ahead = hashes(instances.key, user[:, None], items) < instances.tie_hash[rows, None]
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

    history : users x items in CSR form. key, tie_hash : the seeded order that decides ties (``ranking.order``).
    """

    def __init__(self, user, item, history, key, tie_hash):
        self.user, self.item, self.key, self.tie_hash = user, item, key, tie_hash
        self.history = history
        self.candidates = (history.shape[1] - np.diff(history.indptr))[user]

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
