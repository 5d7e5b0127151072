"""What a network learns from, pair by pair: ratings, or interactions and items that users do not have."""

import numpy as np

from truerank.models._core.base import Train


def has_ratings(train: Train) -> bool:
    """Tell whether there are ratings that differ: others say no more than that the user has the item."""
    return train.rating is not None and train.rating.min() < train.rating.max()


def rated(train: Train) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return user, item and rating of every interaction; there must be ratings."""
    assert train.rating is not None
    return train.user.astype(np.int32), train.item.astype(np.int32), train.rating.astype(np.float32)


def with_negatives(rng: np.random.Generator, train: Train, negatives: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return user, item and target: 1 for every interaction, 0 for ``negatives`` items beside it that the user lacks.

    Users who have every item lack none, and get no negatives.
    """
    lacking = train.per_user[train.user] < train.n_items
    user = np.concatenate([train.user, np.repeat(train.user[lacking], negatives)]).astype(np.int32)
    item = np.concatenate([train.item, unseen(rng, train, user[len(train.user) :])]).astype(np.int32)
    target = (np.arange(len(user)) < len(train.user)).astype(np.float32)
    return user, item, target


def unseen(rng: np.random.Generator, train: Train, users: np.ndarray) -> np.ndarray:
    """Return an item per entry of ``users``, drawn from those that this user does not have; there must be one."""
    pairs = np.sort(train.user.astype(np.int64) * train.n_items + train.item)
    items = rng.integers(train.n_items, size=len(users))
    again = np.arange(len(users))
    while len(again):
        wanted = users[again].astype(np.int64) * train.n_items + items[again]
        place = np.searchsorted(pairs, wanted).clip(max=len(pairs) - 1)
        again = again[pairs[place] == wanted]
        items[again] = rng.integers(train.n_items, size=len(again))
    return items
