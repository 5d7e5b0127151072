"""Ranks among items that are drawn for each instance and scored."""

from collections.abc import Callable, Sequence

import numpy as np

from truerank.errors import UserError
from truerank.ranking.shards import shard_of
from truerank.sampling._core.instances import Instances

CELLS_PER_BLOCK = 1 << 21
Scorer = Callable[[np.ndarray, np.ndarray], np.ndarray]  # users and users x n items to scores
Choose = Callable[[int, np.random.Generator], tuple[np.ndarray, np.ndarray | None]]


def rank_among(
    instances: Instances,
    scorers: Sequence[Scorer],
    rng: np.random.Generator,
    negatives: int,
    repeats: int,
    choose: Choose,
    score_all: bool = False,
) -> tuple[np.ndarray, np.ndarray | None]:
    r"""Rank each instance among the items chosen for it, the same for all models.

    .. math:: r = 1 + \sum_{j \in \text{chosen}} [s_j > s_i \text{ or } s_j = s_i, j \text{ placed before } i], \qquad
              \hat R = 1 + \sum_{j \in \text{chosen, above}} 1 / \pi_j

    choose : from an instance and a generator to repeats x negatives items in a row, and how often each was expected
    to be chosen, :math:`\pi`, or None. Returns r, models x repeats x instances of the shard, and :math:`\hat R` of the
    same shape or None. Every block of instances has a stream of random numbers of its own, so that the instances of a
    shard are given the same items alone as among all. score_all : score the whole pool once for each instance, which is
    less than all draws where repeats are many; the ranks are the same.
    """
    step = max(1, CELLS_PER_BLOCK // (1 + repeats * negatives))
    own = shard_of(len(instances.user), step, *instances.shard)
    shape = len(scorers), repeats, own.stop - own.start
    sampled, estimated, weighs = np.empty(shape, np.int32), np.ones(shape, np.float32), False
    for start in range(own.start, own.stop, step):
        rows = slice(start, min(start + step, own.stop))
        own_bits = rng.bit_generator.jumped(start // step)  # type: ignore[attr-defined]  # Philox can jump
        stream = np.random.Generator(own_bits)
        chosen = [choose(row, stream) for row in range(rows.start, rows.stop)]
        items = np.stack([each for each, _ in chosen])
        user, item = instances.user[rows], instances.item[rows]
        place = slice(start - own.start, rows.stop - own.start)
        for model, scores_of in enumerate(scorers):
            first, others = (
                scores_of_pool(instances, scores_of, user, item, items)
                if score_all
                else (scores_apart(scores_of, user, item, items))
            )
            if np.isnan(first).any() or np.isnan(others).any():
                raise UserError(f"model number {model + 1} gives scores that are not a number")
            above = others > first
            row, place_of_tie = np.nonzero(others == first)
            tied = user[row], items[row, place_of_tie]
            ahead = instances.hashes(*tied) < instances.tie_hash[rows][row]
            above[row, place_of_tie] = ahead | np.isneginf(first[row, 0])  # as exact ranks have it
            above = above.reshape(len(user), repeats, negatives)
            sampled[model, :, place] = 1 + above.sum(axis=2).T
            if chosen[0][1] is not None:
                weighs = True
                inverse = 1 / np.stack([each for _, each in chosen if each is not None]).reshape(above.shape)
                estimated[model, :, place] = 1 + np.where(above, inverse, 0).sum(axis=2).T
    return sampled, estimated if weighs else None


def scores_apart(
    scores_of: Scorer, user: np.ndarray, item: np.ndarray, items: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of the test items, users x 1, and of the chosen ones, and no other."""
    scores = scores_of(user, np.column_stack([item, items]))
    return scores[:, :1], scores[:, 1:]


def scores_of_pool(
    instances: Instances, scores_of: Scorer, user: np.ndarray, item: np.ndarray, items: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the same from scores of all items that anybody is ranked among."""
    pool = instances.among.pool
    scores = scores_of(user, np.broadcast_to(pool, (len(user), len(pool))))
    return (
        np.take_along_axis(scores, np.searchsorted(pool, item)[:, None], axis=1),
        np.take_along_axis(scores, np.searchsorted(pool, items), axis=1),
    )
